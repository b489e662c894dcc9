// Completion after a dot, or on Ctrl+Space: the names of torch that attention is written with, with a line each.
import { acceptCompletion, autocompletion, closeCompletion, completionKeymap, selectedCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { globalCompletion, localCompletionSource } from "@codemirror/lang-python";
import { syntaxTree } from "@codemirror/language";
import { Prec, type Extension } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";
import table from "./torch.json";
import { isChinese } from "./words";

type Group = keyof typeof table;
const MODULES: Record<string, Group> = {
  torch: "torch", F: "functional", "nn.functional": "functional", "torch.nn.functional": "functional",
  nn: "nn", "torch.nn": "nn", "torch.Tensor": "tensor", einops: "einops",
};
/** What stands before a dot and is no tensor, as far as its name tells. */
const OTHERS = /^(self|cls|math|np|numpy|itertools|functools|typing|dataclasses)$/;

const options = (group: Group): Completion[] =>
  table[group].map(([label = "", detail = "", en = "", zh = ""]) => ({ label, detail, info: isChinese() ? zh : en, type: detail ? "function" : "property" }));

function afterDot(context: CompletionContext): CompletionResult | null {
  const found = context.matchBefore(/[\w.)\]]*\.\w*/);
  if (!found || /String|Comment|Number/.test(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return null;
  const dot = found.text.lastIndexOf(".");
  const owner = found.text.slice(0, dot);
  if (!owner || OTHERS.test(owner) || /^\d/.test(owner)) return null;
  return { from: found.from + dot + 1, options: options(MODULES[owner] ?? "tensor"), validFor: /^\w*$/ };
}

function word(context: CompletionContext): CompletionResult | null {
  if (!context.explicit || context.matchBefore(/\.\w*/)) return null;
  return localCompletionSource(context) ?? (globalCompletion(context) as CompletionResult | null);
}

/** Enter after a name that is typed in full ends the line; it accepts nothing. */
function enter(view: EditorView): boolean {
  const chosen = selectedCompletion(view.state);
  const { head } = view.state.selection.main;
  if (!chosen || view.composing) return false;
  if (view.state.sliceDoc(head - chosen.label.length, head) === chosen.label) {
    closeCompletion(view);
    return false;
  }
  return acceptCompletion(view);
}

export const completion: Extension = [
  autocompletion({ override: [afterDot, word], defaultKeymap: false, icons: false }),
  Prec.high(keymap.of([{ key: "Enter", run: enter }, ...completionKeymap.filter((key) => key.key !== "Enter")])),
];
