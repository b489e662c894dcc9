// The editor: CodeMirror with Python, completion, search, marks of what Python would refuse and of lines that a verdict names.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, redo, undo } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, linter, lintGutter, lintKeymap, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  crosshairCursor, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
  rectangularSelection, type KeyBinding,
} from "@codemirror/view";
import { colours } from "./coloured";
import { completion } from "./completion";
import { ATTRIBUTES, label, type Editor, type Mark, type Options } from "./editing";
import { fullWidth } from "./fullwidth";
import { command, isComposing } from "./keys";
import { plainSpaces } from "./paste";
import { phrases } from "./phrases";
import { syntaxFaults } from "./syntax";

const LINT_MS = 400;
const PHONE = "(max-width: 719px)";
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
  const { doc } = view.state;
  const fromServer = view.state.field(marks).map(({ from, message }): Diagnostic => {
    const line = doc.lineAt(from);
    return { from: line.from, to: line.to, severity: "error", message };
  });
  const known = [...fromServer, ...fullWidth(view)];
  const lines = new Set(known.map((one) => doc.lineAt(one.from).number));
  const all = [...known, ...syntaxFaults(view.state).filter((one) => !lines.has(doc.lineAt(one.from).number))];
  // a decoration that comes or goes beside a composition disturbs the input method
  return view.composing ? all.filter((one) => doc.lineAt(one.from).number !== doc.lineAt(view.state.selection.main.head).number) : all;
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
  const words = new Compartment();
  // CodeMirror itself lets Tab leave for two seconds after Esc, and always after Ctrl+M
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
      words.of(EditorState.phrases.of(phrases())),
      matchMedia(PHONE).matches ? EditorView.lineWrapping : [],
      lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), rectangularSelection(),
      crosshairCursor(), indentOnInput(), bracketMatching(), closeBrackets(), completion, search({ top: true }), highlightSelectionMatches(),
      EditorState.tabSize.of(4), indentUnit.of("    "), EditorState.allowMultipleSelections.of(true),
      python(), syntaxHighlighting(colours), marks, plainSpaces(options.cleaned),
      linter(diagnostics, { delay: LINT_MS, needsRefresh: (update) => update.startState.field(marks) !== update.state.field(marks) }), lintGutter(),
      keymap.of([tab, ...closeBracketsKeymap, ...searchKeymap, ...defaultKeymap.filter((key) => key.key !== "Mod-Enter"), ...historyKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of(() => ({ ...ATTRIBUTES, "aria-label": label() })),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) options.changed();
      }),
    ],
  });
  const view = new EditorView({ state, parent: options.parent });
  let tabLeaves = false;
  return {
    text: () => view.state.doc.toString(),
    replace: (text) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, userEvent: "input.replace" }),
    insert: (text) => {
      view.dispatch(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
      view.focus();
    },
    run: (action) => {
      ({ indent: indentMore, dedent: indentLess, undo, redo })[action](view);
      view.focus();
    },
    mark: (found) => {
      view.dispatch({ effects: setMarks.of(found) });
      forceLinting(view);
    },
    goTo: (number) => {
      const line = view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
      view.focus();
    },
    exchange: (number, column, text) => {
      const from = view.state.doc.line(Math.max(1, Math.min(number, view.state.doc.lines))).from + column - 1;
      const to = Math.min(from + 1, view.state.doc.length);
      view.dispatch({ changes: { from: Math.min(from, to), to, insert: text }, selection: { anchor: Math.min(from, to) }, scrollIntoView: true, userEvent: "input" });
      view.focus();
    },
    caret: () => view.state.selection.main.head,
    focus: () => view.focus(),
    tabLeaves: () => {
      tabLeaves = !tabLeaves;
      view.setTabFocusMode(tabLeaves);
      return tabLeaves;
    },
    relabel: () => {
      view.dispatch({ effects: words.reconfigure(EditorState.phrases.of(phrases())) });
      forceLinting(view);
    },
  };
}
