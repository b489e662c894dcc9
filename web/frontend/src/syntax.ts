// What Python would refuse, marked while typing: brackets that do not match, wrong indentation, and lines that the editor's
// grammar cannot read. The grammar misses a few rare forms, so its marks are warnings.
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import { t } from "./words";

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const PARSE_MS = 50;
const MOST = 3;
const TAB = 8;

type Tree = ReturnType<typeof syntaxTree>;
const fault = (from: number, to: number, message: string): Diagnostic => ({ from, to, severity: "error", message });

export function syntaxFaults(state: EditorState): Diagnostic[] {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  const code = withoutTexts(state, tree);
  const unmatched = brackets(state, code);
  if (unmatched.length) return unmatched;
  const indents = indentation(code);
  return indents.length ? indents : unreadable(state, tree);
}

/** The text with comments as spaces and strings as letters, line breaks inside them too. */
function withoutTexts(state: EditorState, tree: Tree): string {
  const text = state.doc.toString().split("");
  tree.iterate({
    enter(node) {
      if (!/String|Comment/.test(node.name)) return true;
      text.fill(node.name === "Comment" ? " " : "s", node.from, node.to);
      return false;
    },
  });
  return text.join("");
}

function brackets(state: EditorState, code: string): Diagnostic[] {
  const open: { at: number; bracket: string }[] = [];
  for (const { 0: bracket, index: at } of code.matchAll(/[()[\]{}]/g)) {
    const wanted = CLOSING[bracket];
    if (!wanted) {
      open.push({ at, bracket });
      continue;
    }
    const last = open.pop();
    if (!last) return [fault(at, at + 1, t("edit.closes_nothing", { bracket }))];
    if (last.bracket !== wanted) {
      return [fault(at, at + 1, t("edit.closes_other", { bracket, other: last.bracket, line: state.doc.lineAt(last.at).number }))];
    }
  }
  return open.slice(0, 1).map(({ at, bracket }) => fault(at, at + 1, t("edit.never_closed", { bracket })));
}

/** Python's rules for the beginnings of logical lines: deeper after a colon only, and back to a level that is open. */
function indentation(code: string): Diagnostic[] {
  const levels = [0];
  let expected = false;
  let depth = 0;
  let continued = false;
  let at = 0;
  for (const line of code.split("\n")) {
    const begins = depth === 0 && !continued;
    const blank = /^[ \t\f]*$/.test(line);
    depth += (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);
    continued = line.endsWith("\\");
    if (begins && !blank) {
      const indent = /^[ \t\f]*/.exec(line)?.[0] ?? "";
      const problem = / \t/.test(indent) ? t("edit.mixed_indent") : step(levels, width(indent), expected);
      if (problem) return [fault(at, at + Math.max(1, indent.length), problem)];
    }
    if (!blank && depth === 0 && !continued) expected = /:\s*$/.test(line);
    at += line.length + 1;
  }
  return [];
}

function step(levels: number[], to: number, expected: boolean): string | null {
  const now = levels.at(-1) ?? 0;
  if (expected && to <= now) return t("edit.expected_indent");
  if (!expected && to > now) return t("edit.unexpected_indent");
  if (to > now) levels.push(to);
  while ((levels.at(-1) ?? 0) > to) levels.pop();
  return levels.at(-1) === to ? null : t("edit.no_such_level");
}

function width(indent: string): number {
  let columns = 0;
  for (const character of indent.slice(indent.lastIndexOf("\f") + 1)) columns += character === "\t" ? TAB - (columns % TAB) : 1;
  return columns;
}

function unreadable(state: EditorState, tree: Tree): Diagnostic[] {
  const found: Diagnostic[] = [];
  tree.iterate({
    enter(node) {
      if (!node.type.isError || found.length >= MOST) return;
      const line = state.doc.lineAt(node.from);
      if (found.some((one) => one.from >= line.from && one.from <= line.to)) return;
      const to = Math.min(Math.max(node.to, node.from + 1), line.to);
      found.push({ from: Math.min(node.from, Math.max(line.from, to - 1)), to, severity: "warning", message: t("edit.unreadable") });
    },
  });
  return found;
}
