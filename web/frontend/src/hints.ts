// Hints one at a time: the next one can be opened once the one before it was. How far one is stays in this browser.
import { byId } from "./dom";

export function enableHints(slug: string): void {
  const key = `judge:hints:${slug}`;
  const folds = [...byId("hints").querySelectorAll<HTMLDetailsElement>("details.hint")];
  let seen = Number(localStorage.getItem(key) ?? 0) || 0;
  const show = (): void => folds.forEach((fold, at) => { fold.hidden = at > seen; });
  folds.forEach((fold, at) =>
    fold.addEventListener("toggle", () => {
      if (!fold.open || at < seen) return;
      seen = at + 1;
      localStorage.setItem(key, String(seen));
      show();
    }),
  );
  show();
}
