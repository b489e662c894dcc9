// Full-width punctuation and odd spaces outside strings and comments: the commonest mystery error of Chinese learners.
import { syntaxTree } from "@codemirror/language";
import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { t } from "./words";

const PLAIN: Record<string, string> = {
  "，": ",", "、": ",", "。": ".", "：": ":", "；": ";", "（": "(", "）": ")", "【": "[", "】": "]", "［": "[", "］": "]",
  "｛": "{", "｝": "}", "＝": "=", "＋": "+", "－": "-", "＊": "*", "／": "/", "＜": "<", "＞": ">", "＠": "@", "％": "%", "！": "!",
  "“": '"', "”": '"', "‘": "'", "’": "'", "＂": '"', "＇": "'", "—": "-", "–": "-", "−": "-",
};
const SPACES = /[\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/;
const ODD = new RegExp(`[${Object.keys(PLAIN).join("")}]|${SPACES.source}`, "g");

export function fullWidth(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = [];
  const tree = syntaxTree(view.state);
  for (const match of view.state.doc.toString().matchAll(ODD)) {
    const from = match.index;
    let inText = false;
    for (let node = tree.resolveInner(from, 1) as { name: string; parent: unknown } | null; node; ) {
      if (/String|Comment/.test(node.name)) inText = true;
      node = node.parent as typeof node;
    }
    if (inText) continue;
    const plain = PLAIN[match[0]] ?? (/[\u200b\u2060\ufeff]/.test(match[0]) ? "" : " ");
    const isSpace = plain === "" || plain === " ";
    found.push({
      from,
      to: from + match[0].length,
      severity: "error",
      message: isSpace ? t("edit.odd_space") : t("edit.full_width", { found: match[0], plain }),
      actions: [
        {
          name: t("edit.replace", { plain: isSpace ? "␠" : plain }),
          apply: (target, start, end) => target.dispatch({ changes: { from: start, to: end, insert: plain } }),
        },
      ],
    });
  }
  return found;
}
