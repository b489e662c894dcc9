// Two texts line by line: what only the other one has, what only the editor has, and long equal stretches folded.
import { diffLines } from "diff";
import { h, visible } from "./dom";
import { t } from "./words";

const CONTEXT = 3;

export function difference(other: string, mine: string, legend = t("past.legend")): HTMLElement {
  const parts = diffLines(other, mine);
  if (parts.every((part) => !part.added && !part.removed)) return h("p", { class: "quiet" }, t("past.same"));
  const rows = h("div", { class: "diff", translate: "no" });
  parts.forEach((part, at) => {
    const lines = part.value.replace(/\n$/, "").split("\n");
    if (part.added) rows.append(...lines.map((line) => row("ins", "+", line)));
    else if (part.removed) rows.append(...lines.map((line) => row("del", "−", line)));
    else rows.append(...equal(lines, at > 0 ? CONTEXT : 0, at < parts.length - 1 ? CONTEXT : 0));
  });
  return h("div", {}, h("p", { class: "quiet" }, legend), h("div", { class: "scroll source", tabindex: 0 }, rows));
}

function equal(lines: string[], before: number, after: number): HTMLElement[] {
  const hidden = lines.length - before - after;
  if (hidden < 2) return lines.map((line) => row("span", " ", line));
  return [
    ...lines.slice(0, before).map((line) => row("span", " ", line)),
    h("p", { class: "fold quiet" }, t("past.equal_lines", { count: hidden })),
    ...(after ? lines.slice(-after).map((line) => row("span", " ", line)) : []),
  ];
}

const row = (tag: "ins" | "del" | "span", sign: string, line: string): HTMLElement => h(tag, { class: "row" }, `${sign} `, h("code", {}, visible(line)));
