// The theme switch in the header: as the system, light, dark, and round again. The server draws the next page in it.
import { keepCookie } from "./cookies";
import { byId } from "./dom";
import { t } from "./words";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const current = (): Theme => (document.documentElement.dataset["theme"] as Theme | undefined) ?? "system";
const after = (theme: Theme): Theme => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
const value = (theme: Theme): string => (theme === "system" ? "" : theme);

export function enableThemeSwitch(): void {
  const control = byId("theme") as HTMLButtonElement;
  control.addEventListener("click", (event) => {
    event.preventDefault();
    const theme = after(current());
    keepCookie("theme", value(theme));
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    control.value = value(after(theme));
    control.title = t(`theme.${theme}`);
    control.querySelector("use")?.setAttribute("href", `#icon-theme-${theme}`);
    const name = control.querySelector(".unseen");
    if (name) name.textContent = t(`theme.${theme}`);
  });
}
