// The editor: CodeMirror, or a plain text area with the same few methods (`?editor=plain`, and where CodeMirror fails).
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, linter, lintGutter, lintKeymap, type Diagnostic } from "@codemirror/lint";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  crosshairCursor, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
  rectangularSelection, type KeyBinding,
} from "@codemirror/view";
import { colours } from "./coloured";
import { fullWidth } from "./fullwidth";
import { command, isComposing } from "./keys";
import { t } from "./words";

export interface Mark {
  line: number;
  message: string;
}
export interface Editor {
  text(): string;
  /** Replaces everything as one edit that undo takes back. */
  replace(text: string): void;
  /** Marks lines until they change. */
  mark(marks: Mark[]): void;
  goTo(line: number): void;
  caret(): number;
  /** After the language of the page changed. */
  relabel(): void;
}
export interface Options {
  parent: HTMLElement;
  text: string;
  caret: number;
  nonce: string;
  changed(): void;
  samples(): void;
  submit(): void;
  save(): void;
}

const ATTRIBUTES = {
  autocapitalize: "off",
  autocorrect: "off",
  autocomplete: "off",
  spellcheck: "false",
  translate: "no",
  "data-gramm": "false",
  "data-gramm_editor": "false",
  "aria-describedby": "editor-help",
};
const label = (): string => t("edit.label", { help: t("problem.editor_help") });

const setMarks = StateEffect.define<Mark[]>();
const marks = StateField.define<{ from: number; message: string }[]>({
  create: () => [],
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        const { doc } = transaction.state;
        return effect.value
          .filter((mark) => mark.line >= 1 && mark.line <= doc.lines)
          .map((mark) => ({ from: doc.line(mark.line).from, message: mark.message }));
      }
    }
    if (!transaction.docChanged) return value;
    return value
      .filter((mark) => {
        const line = transaction.startState.doc.lineAt(mark.from);
        return !transaction.changes.touchesRange(line.from, line.to);
      })
      .map((mark) => ({ ...mark, from: transaction.changes.mapPos(mark.from, 1) }));
  },
});

function diagnostics(view: EditorView): Diagnostic[] {
  const fromServer = view.state.field(marks).map(({ from, message }): Diagnostic => {
    const line = view.state.doc.lineAt(from);
    return { from: line.from, to: line.to, severity: "error", message };
  });
  return [...fromServer, ...fullWidth(view)];
}

/** Typing over several selected lines. Left to Chromium, the lines are joined with a style attribute, which the content
 * security policy refuses and reports. */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const text = event.data;
  const oneLine = view.state.doc.lineAt(from).to >= to;
  if (event.inputType !== "insertText" || text === null || view.composing || oneLine || view.state.readOnly) return false;
  event.preventDefault();
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
  return true;
}

export function openCodeMirror(options: Options): Editor {
  // CodeMirror itself lets Tab leave for two seconds after Esc
  const tab: KeyBinding = { key: "Tab", run: indentMore, shift: indentLess };
  const state = EditorState.create({
    doc: options.text,
    selection: { anchor: Math.min(options.caret, options.text.length) },
    extensions: [
      EditorView.cspNonce.of(options.nonce),
      Prec.highest(
        EditorView.domEventHandlers({
          keydown(event, view) {
            if (view.composing || isComposing(event)) return false;
            const what = command(event);
            if (!what) return false;
            event.preventDefault();
            event.stopPropagation(); // the page listens as well, for when the focus is elsewhere
            options[what]();
            return true;
          },
          beforeinput: replaceSelected,
        }),
      ),
      lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), rectangularSelection(),
      crosshairCursor(), indentOnInput(), bracketMatching(), closeBrackets(), autocompletion({ activateOnTyping: false }),
      EditorState.tabSize.of(4), indentUnit.of("    "), EditorState.allowMultipleSelections.of(true),
      python(), syntaxHighlighting(colours), marks, linter(diagnostics, { delay: 250, needsRefresh: (update) => update.startState.field(marks) !== update.state.field(marks) }), lintGutter(),
      keymap.of([tab, ...closeBracketsKeymap, ...defaultKeymap.filter((key) => key.key !== "Mod-Enter"), ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of(() => ({ ...ATTRIBUTES, "aria-label": label() })),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) options.changed();
      }),
    ],
  });
  const view = new EditorView({ state, parent: options.parent });
  return {
    text: () => view.state.doc.toString(),
    replace: (text) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, userEvent: "input.replace" }),
    mark: (found) => {
      view.dispatch({ effects: setMarks.of(found) });
      forceLinting(view);
    },
    goTo: (number) => {
      const line = view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
      view.focus();
    },
    caret: () => view.state.selection.main.head,
    relabel: () => {
      view.dispatch({});
      forceLinting(view);
    },
  };
}

export function openPlain(options: Options): Editor {
  const area = document.createElement("textarea");
  for (const [name, value] of Object.entries(ATTRIBUTES)) area.setAttribute(name, value);
  area.setAttribute("aria-label", label());
  area.className = "plain";
  area.value = options.text;
  area.setSelectionRange(options.caret, options.caret);
  area.addEventListener("input", () => options.changed());
  options.parent.append(area);
  return {
    text: () => area.value,
    replace: (text) => {
      area.focus();
      area.select();
      // execCommand is the only edit of a text area that the browser's undo knows
      if (!document.execCommand("insertText", false, text)) area.value = text;
      options.changed();
    },
    mark: () => {},
    goTo: (number) => {
      const at = area.value.split("\n").slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
      area.focus();
      area.setSelectionRange(at, at);
    },
    caret: () => area.selectionStart,
    relabel: () => area.setAttribute("aria-label", label()),
  };
}
