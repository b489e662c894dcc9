// The page's keys: exact modifiers, as each system has them, and never while an input method composes.

const MAC = /Mac|iP(hone|ad)/.test(navigator.platform);

/** What undoes, as the learner's keyboard shows it. */
export const UNDO_KEYS = MAC ? "⌘Z" : "Ctrl+Z";

const isMod = (event: KeyboardEvent): boolean => (MAC ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey);

/** Mod-/ opens the sheet of keys, except in the editor, where it makes comments as in every other one. */
export const isHelp = (event: KeyboardEvent): boolean => isMod(event) && !event.altKey && event.key === "/";

/** Enter that picks a candidate of an input method is no command. WebKit reports it by key code 229 only. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

/** The command of a key, if it is one of the page's: exact modifiers, so Ctrl+Shift+Enter is not also Ctrl+Enter. */
export function command(event: KeyboardEvent): "samples" | "submit" | "save" | "help" | null {
  if (isComposing(event)) return null;
  if (event.key === "F1" && !event.shiftKey && !event.altKey) return "help";
  if (!isMod(event) || event.altKey) return null;
  if (event.key === "Enter") return event.shiftKey ? "submit" : "samples";
  return event.key.toLowerCase() === "s" && !event.shiftKey ? "save" : null;
}
