// On a phone the three panes are tabs. On a wide screen all are visible and the tab list is hidden by the style sheet.
import { byId } from "./dom";

const NAMES = ["statement", "code", "result"] as const;
export type Tab = (typeof NAMES)[number];

export function enableTabs(): { show(tab: Tab): void; fresh(): void } {
  const dot = byId("tab-result").querySelector<HTMLElement>(".dot");
  const scroll: Partial<Record<Tab, number>> = {};
  let current: Tab = "statement";
  const show = (tab: Tab): void => {
    scroll[current] = window.scrollY;
    current = tab;
    document.body.dataset["tab"] = tab;
    for (const name of NAMES) {
      const control = byId(`tab-${name}`);
      control.setAttribute("aria-selected", String(name === tab));
      control.tabIndex = name === tab ? 0 : -1;
    }
    if (tab === "result" && dot) dot.hidden = true;
    window.scrollTo(0, scroll[tab] ?? 0);
  };
  NAMES.forEach((name, i) => {
    const control = byId(`tab-${name}`);
    control.addEventListener("click", () => show(name));
    control.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const next = NAMES[(i + step + NAMES.length) % NAMES.length];
      if (!step || !next) return;
      show(next);
      byId(`tab-${next}`).focus();
    });
  });
  document.body.dataset["tab"] = current;
  return { show, fresh: () => dot && current !== "result" && (dot.hidden = false) };
}
