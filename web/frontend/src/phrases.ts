// CodeMirror's own labels in the language of the page.
import { t, type Key } from "./words";

const KEYS: Record<string, Key> = {
  Find: "find.find", Replace: "find.replace", next: "find.next", previous: "find.previous", all: "find.all", "match case": "find.case",
  regexp: "find.regexp", "by word": "find.word", replace: "find.replace_one", "replace all": "find.replace_all", close: "find.close",
  "current match": "find.current", "replaced $ matches": "find.replaced", "replaced match on line $": "find.replaced_line", "on line": "find.on_line",
  "Go to line": "find.line", go: "find.go", Completions: "find.completions", Diagnostics: "find.diagnostics", "No diagnostics": "find.no_diagnostics",
};

export const phrases = (): Record<string, string> => Object.fromEntries(Object.entries(KEYS).map(([phrase, key]) => [phrase, t(key)]));
