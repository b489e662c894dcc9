// Above the editor: history, reset, and a menu for files, text size, the Tab key and the sheet of keys; below it, on a phone, a
// row of what its keyboard lacks.
import { byId } from "./dom";
import type { Action, Editor } from "./editing";
import type { Reason } from "./api";
import { isComposing, isHelp, UNDO_KEYS } from "./keys";
import { t } from "./words";

const SIZE_KEY = "judge:code-size";
const SIZES = [12, 13, 14, 15, 16, 18, 20, 24];
const USUAL_SIZE = 14;

export interface ToolbarHost {
  editor: Editor;
  starter: string;
  maxBytes: number;
  replace(text: string, reason: Reason, done: string): void;
  notice(text: string): void;
  history(): void;
}

export function enableToolbar(host: ToolbarHost): { help(): void } {
  const on = (id: string, act: () => void): void => byId(id).addEventListener("click", act);
  on("history", host.history);
  on("reset", () => host.replace(host.starter, "reset", t("edit.reset_done", { undo: UNDO_KEYS })));
  on("download", () => download(host.editor.text()));
  enableUpload(host);
  enableSizes();
  on("tab-leaves", () => byId("tab-leaves").setAttribute("aria-pressed", String(host.editor.tabLeaves())));
  enableMenu(byId("more") as HTMLDetailsElement);
  enableSymbols(host.editor);
  const sheet = byId("keys") as HTMLDialogElement;
  const help = (): void => sheet.showModal();
  on("help", help);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event) || !isHelp(event)) return;
    event.preventDefault();
    if (sheet.open) sheet.close();
    else help();
  });
  return { help };
}

function download(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/x-python" }));
  link.download = "solution.py";
  link.click();
  URL.revokeObjectURL(link.href);
}

function enableUpload(host: ToolbarHost): void {
  const input = byId("file") as HTMLInputElement;
  byId("upload").addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    if (file.size > host.maxBytes) return host.notice(t("edit.file_too_long", { size: file.size, limit: host.maxBytes }));
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      host.replace(text.replace(/\r\n?/g, "\n"), "uploaded", t("edit.uploaded", { name: file.name, undo: UNDO_KEYS }));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      host.notice(t("edit.file_not_utf8", { name: file.name }));
    }
  });
}

function enableSizes(): void {
  let size = Number(localStorage.getItem(SIZE_KEY)) || USUAL_SIZE;
  const apply = (): void => {
    document.documentElement.style.setProperty("--code-size", `${size}px`);
    window.dispatchEvent(new Event("resize")); // the editor measures its lines again
  };
  const step = (by: number): void => {
    size = SIZES[SIZES.findIndex((one) => one >= size) + by] ?? size;
    localStorage.setItem(SIZE_KEY, String(size));
    apply();
  };
  byId("smaller").addEventListener("click", () => step(-1));
  byId("larger").addEventListener("click", () => step(1));
  if (size !== USUAL_SIZE) apply();
}

/** Closes by Escape, by a press elsewhere, and after a command; sizes may be pressed again and again. */
function enableMenu(menu: HTMLDetailsElement): void {
  const close = (): void => { menu.open = false; };
  document.addEventListener("pointerdown", (event) => !menu.contains(event.target as Node) && close());
  menu.addEventListener("focusout", (event) => event.relatedTarget && !menu.contains(event.relatedTarget as Node) && close());
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    close();
    menu.querySelector("summary")?.focus();
  });
  menu.addEventListener("click", (event) => {
    const pressed = (event.target as HTMLElement).closest("button");
    if (pressed && !pressed.hasAttribute("data-stays")) close();
  });
}

function enableSymbols(editor: Editor): void {
  const row = byId("symbols");
  row.addEventListener("pointerdown", (event) => event.preventDefault()); // the editor keeps the focus, and the phone its keyboard
  row.addEventListener("click", (event) => {
    const pressed = (event.target as HTMLElement).closest("button");
    if (pressed?.dataset["text"]) editor.insert(pressed.dataset["text"]);
    else if (pressed?.dataset["action"]) editor.run(pressed.dataset["action"] as Action);
  });
}
