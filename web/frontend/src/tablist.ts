// A list of tabs by the keyboard's rules: arrow keys, Home and End choose; one stop of the Tab key.
import { byId } from "./dom";

export interface Tablist<Name extends string> {
  show(name: Name): void;
  current(): Name;
}

/** The tabs `#<prefix>-<name>` in the order of the page; `shown` makes the panel of the chosen one visible. */
export function enableTablist<Name extends string>(list: string, prefix: string, first: Name, shown: (name: Name, before: Name) => void): Tablist<Name> {
  const controls = [...byId(list).querySelectorAll<HTMLElement>("[role=tab]")];
  const nameOf = (control: HTMLElement): Name => control.id.slice(prefix.length + 1) as Name;
  let current = first;
  const show = (name: Name): void => {
    if (!controls.some((control) => nameOf(control) === name)) return;
    const before = current;
    current = name;
    for (const control of controls) {
      const chosen = nameOf(control) === name;
      control.setAttribute("aria-selected", String(chosen));
      control.tabIndex = chosen ? 0 : -1;
      if (chosen && before !== name) control.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    shown(name, before);
  };
  const step: Record<string, (at: number) => number> = {
    ArrowRight: (at) => at + 1,
    ArrowLeft: (at) => at - 1,
    Home: () => 0,
    End: () => controls.length - 1,
  };
  controls.forEach((control, at) => {
    control.addEventListener("click", () => show(nameOf(control)));
    control.addEventListener("keydown", (event) => {
      const next = controls[((step[event.key]?.(at) ?? NaN) + controls.length) % controls.length];
      if (!next) return;
      event.preventDefault();
      show(nameOf(next));
      next.focus();
    });
  });
  show(first);
  return { show, current: () => current };
}
