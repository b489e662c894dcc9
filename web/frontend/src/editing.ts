// What the page wants of an editor, whichever it is.
import { t } from "./words";

export interface Mark {
  line: number;
  message: string;
}
export type Action = "indent" | "dedent" | "undo" | "redo";
export interface Editor {
  text(): string;
  /** Replaces everything as one edit that undo takes back. */
  replace(text: string): void;
  /** Types the text at the caret. */
  insert(text: string): void;
  run(action: Action): void;
  /** Marks lines until they change. */
  mark(marks: Mark[]): void;
  goTo(line: number): void;
  /** Puts `text` in the place of the character at line and column, both from 1. */
  exchange(line: number, column: number, text: string): void;
  caret(): number;
  focus(): void;
  /** Switches whether Tab leaves the editor at once; gives the new state. */
  tabLeaves(): boolean;
  /** After the language of the page changed. */
  relabel(): void;
}
export interface Options {
  parent: HTMLElement;
  text: string;
  caret: number;
  nonce: string;
  changed(): void;
  /** Special spaces of a paste were made plain. */
  cleaned(count: number): void;
  samples(): void;
  submit(): void;
  save(): void;
  help(): void;
}

export const ATTRIBUTES = {
  autocapitalize: "off",
  autocorrect: "off",
  autocomplete: "off",
  spellcheck: "false",
  translate: "no",
  "data-gramm": "false",
  "data-gramm_editor": "false",
  "aria-describedby": "editor-help",
};

export const label = (): string => t("edit.label", { help: t("problem.editor_help") });
