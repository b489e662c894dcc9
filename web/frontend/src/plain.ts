// A plain text area with the editor's few methods: `?editor=plain`, for assistive technology that does not get on with CodeMirror.
import { ATTRIBUTES, label, type Editor, type Options } from "./editing";

export function openPlain(options: Options): Editor {
  const area = document.createElement("textarea");
  for (const [name, value] of Object.entries(ATTRIBUTES)) area.setAttribute(name, value);
  area.setAttribute("aria-label", label());
  area.className = "plain";
  area.value = options.text;
  area.setSelectionRange(options.caret, options.caret);
  area.addEventListener("input", () => options.changed());
  options.parent.append(area);
  // execCommand is the only edit of a text area that the browser's undo knows
  const insert = (text: string): void => {
    area.focus();
    if (!document.execCommand("insertText", false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    options.changed();
  };
  const goTo = (number: number, column = 1): void => {
    const at = area.value.split("\n").slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0) + column - 1;
    area.focus();
    area.setSelectionRange(at, at);
  };
  return {
    text: () => area.value,
    replace: (text) => {
      area.focus();
      area.select();
      insert(text);
    },
    insert,
    run: (action) => {
      area.focus();
      if (action === "indent") insert("    ");
      else if (action !== "dedent") document.execCommand(action);
    },
    mark: () => {},
    goTo,
    exchange: (number, column, text) => {
      goTo(number, column);
      area.selectionEnd++;
      insert(text);
    },
    caret: () => area.selectionStart,
    focus: () => area.focus(),
    tabLeaves: () => true,
    relabel: () => area.setAttribute("aria-label", label()),
  };
}
