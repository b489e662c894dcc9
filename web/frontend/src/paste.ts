// Special spaces that come in with a paste and that nobody can see: made plain outside strings and comments, as an edit of its
// own, so that undo takes back only this.
import { isolateHistory } from "@codemirror/commands";
import { ensureSyntaxTree } from "@codemirror/language";
import type { ChangeSpec, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const SPACES = /[\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/g;
const WITHOUT_WIDTH = /[\u200b\u2060\ufeff]/;
const PARSE_MS = 100;

/** `cleaned` is told how many characters were exchanged. */
export function plainSpaces(cleaned: (count: number) => void): Extension {
  return EditorView.updateListener.of((update) => {
    const pasted = update.transactions.some((one) => one.isUserEvent("input.paste") || one.isUserEvent("input.drop"));
    if (!pasted) return;
    const { state } = update;
    const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS);
    const changes: ChangeSpec[] = [];
    update.changes.iterChangedRanges((_, __, from, to) => {
      for (const match of state.sliceDoc(from, to).matchAll(SPACES)) {
        const at = from + match.index;
        if (/String|Comment/.test(tree?.resolveInner(at, 1).name ?? "")) continue;
        changes.push({ from: at, to: at + 1, insert: WITHOUT_WIDTH.test(match[0]) ? "" : " " });
      }
    });
    if (!changes.length) return;
    // after this update is done: a listener may not dispatch in its middle
    queueMicrotask(() => {
      if (update.view.state.doc !== state.doc) return;
      update.view.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "input.clean" });
      cleaned(changes.length);
    });
  });
}
