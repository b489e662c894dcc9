// Python as the editor shows it: the same grammar, the same classes; also for text that is only read.
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle } from "@codemirror/language";
import { highlightCode, tags } from "@lezer/highlight";
import { h } from "./dom";

export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "tok-keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.docString], class: "tok-string" },
  { tag: [tags.comment], class: "tok-comment" },
  { tag: [tags.number, tags.bool, tags.null, tags.self], class: "tok-number" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className), tags.className], class: "tok-definition" },
  { tag: [tags.meta], class: "tok-meta" },
]);

/** The lines of the text, with their numbers. */
export function source(text: string): HTMLElement {
  const lines: HTMLElement[] = [h("code")];
  highlightCode(
    text.replace(/\n$/, ""), pythonLanguage.parser.parse(text), colours,
    (part, classes) => lines.at(-1)?.append(classes ? h("span", { class: classes }, part) : part),
    () => lines.push(h("code")),
  );
  return h("div", { class: "source", tabindex: 0, translate: "no" }, h("ol", {}, ...lines.map((line) => h("li", {}, line))));
}
