// The problem page: editor, draft, sending, following, result.
import { cancel, type Draft, type Submission } from "./api";
import { button, byId, h } from "./dom";
import { DraftKeeper, type Saved } from "./draft";
import { command, openCodeMirror, openPlain, type Editor, type Mark, type Options } from "./editor";
import { enableDividers } from "./divide";
import { Follower, isFinal } from "./follow";
import { enableHints } from "./hints";
import { enableLanguageSwitch } from "./language";
import { ResultPanel, type Page } from "./result";
import { Sender } from "./send";
import { enableThemeSwitch } from "./theme";
import { enableViews } from "./views";
import { clock, t } from "./words";

interface ProblemPage extends Page {
  starter: string;
  draft: Draft | null;
  nonce: string;
}

const page = JSON.parse(byId("page").textContent ?? "") as ProblemPage;
const views = enableViews(() => {});
enableDividers();
enableThemeSwitch();
enableHints(page.slug);
const keeper = new DraftKeeper(page.slug, page.draft, page.starter);
const caretKey = `judge:caret:${page.slug}`;
const saved = byId("saved");
const notice = byId("notice");
const conflict = byId("conflict");
const older = byId("older");
let savedState: Saved = { state: "new" };
let follower: Follower | null = null;
/** The submission in the panel, and the SHA-256 of its source. */
let shown: Submission | null = null;

const options: Options = {
  parent: byId("editor"),
  text: keeper.opening(),
  caret: Number(sessionStorage.getItem(caretKey) ?? 0) || 0,
  nonce: page.nonce,
  changed: () => {
    keeper.changed();
    void checkAge();
  },
  samples: () => judge(true),
  submit: () => judge(false),
  save: () => {
    keeper.saveNow();
  },
};
const plain = new URLSearchParams(location.search).get("editor") === "plain";
const editor: Editor = plain ? openPlain(options) : openCodeMirror(options);

const panel = new ResultPanel(page, {
  cancel: () => {
    if (follower) void cancel(follower.id).then(show, () => follower?.look());
  },
  submit: () => judge(false),
  again: () => judge(shown?.samples_only ?? false),
  goTo: (line) => {
    views.view.show("code");
    editor.goTo(line);
  },
});

const runButton = byId("run-samples");
const submitButton = byId("submit");
const sender = new Sender(page.slug, {
  sending: () => {
    follower?.stop();
    busy(true);
    older.hidden = true;
    notice.textContent = "";
    byId("result").classList.add("stale");
  },
  accepted: (view) => {
    busy(false);
    byId("result").classList.remove("stale");
    shown = null;
    follow(view.id, view);
  },
  waiting: () => panel.message("lost", t("result.not_sent"), h("p", { class: "buttons" }, button(t("result.dont_send"), () => withdraw()))),
  refused: (reason) => {
    busy(false);
    byId("result").classList.remove("stale");
    panel.message("cancelled", t("result.refused", { reason }));
  },
});

function withdraw(): void {
  sender.withdraw();
  busy(false);
  byId("result").classList.remove("stale");
  if (shown) show(shown);
  else panel.none();
}

function busy(value: boolean): void {
  for (const control of [runButton, submitButton]) {
    control.setAttribute("aria-disabled", String(value));
    control.classList.toggle("pressed", value);
  }
}

function judge(samples: boolean): void {
  // focus stays where it is; on a phone the result is another tab
  views.view.show("result");
  void sender.send(editor.text(), samples);
}

function follow(id: number, known: Submission | null): void {
  follower?.stop();
  const current = new Follower(id, {
    show: (view) => current === follower && show(view),
    lost: (seconds) => current === follower && panel.lost(seconds, () => current.look()),
  });
  follower = current;
  void current.start(known);
}

function show(view: Submission): void {
  const news = isFinal(view) && !(shown && isFinal(shown) && shown.id === view.id);
  shown = view;
  panel.show(view);
  void checkAge();
  if (!news) return;
  editor.mark(marksOf(view));
  views.fresh();
  const sign = view.verdict === "AC" ? "✔" : view.verdict ? "✘" : "–";
  if (document.hidden) document.title = `${sign} ${page.title}`;
}

/** Lines that the verdict names, for the gutter. */
function marksOf(view: Submission): Mark[] {
  const failed = view.cases.find((c) => c.verdict !== null && c.verdict !== "AC");
  const finding = view.finding ?? failed?.finding ?? null;
  const line = Number(finding?.["line"]);
  return line > 0 ? [{ line, message: view.message }] : [];
}

/** A verdict is about a text: when the editor holds another one, the panel says so and fades, until undo makes them equal. */
async function checkAge(): Promise<void> {
  const view = shown;
  if (!view || sender.inFlight) return;
  const digest = await sha256(editor.text());
  if (view !== shown || digest === null) return;
  const differs = digest !== view.source_sha256;
  byId("result").classList.toggle("old", differs);
  older.hidden = !differs;
  if (differs && older.dataset["for"] !== `${view.id}${document.documentElement.lang}`) {
    older.dataset["for"] = `${view.id}${document.documentElement.lang}`;
    older.replaceChildren(
      h("span", {}, t("result.older", { time: clock(view.created_at) })), " ",
      h("a", { href: `/submissions/${view.id}` }, t("result.show_version")),
    );
  }
}

async function sha256(text: string): Promise<string | null> {
  if (!crypto.subtle) return null; // only without TLS on another machine's address
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function showSaved(state: Saved): void {
  savedState = state;
  saved.dataset["state"] = state.state;
  saved.textContent =
    state.state === "saved" ? t("save.at", { time: clock(state.at, false) })
    : state.state === "saving" ? t("save.saving")
    : state.state === "offline" ? t("save.offline")
    : state.state === "failed" ? t("save.failed", { reason: state.reason })
    : "";
}

keeper.start({
  text: () => editor.text(),
  saved: showSaved,
  conflict: (theirs, choose) => {
    conflict.hidden = false;
    conflict.replaceChildren(
      h("p", {}, t("save.conflict")),
      button(t("save.theirs"), () => {
        choose(true);
        editor.replace(theirs);
      }),
      button(t("save.mine"), () => choose(false)),
    );
  },
  resolved: () => {
    conflict.hidden = true;
  },
});

runButton.addEventListener("click", () => judge(true));
submitButton.addEventListener("click", () => judge(false));
byId("reset").addEventListener("click", () => {
  editor.replace(page.starter);
  notice.textContent = t("edit.reset_done");
});
document.addEventListener("keydown", (event) => {
  const what = command(event);
  if (!what || event.defaultPrevented) return;
  event.preventDefault();
  options[what]();
});
addEventListener("pagehide", () => sessionStorage.setItem(caretKey, String(editor.caret())));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.title = document.title.replace(/^[✔✘–] /u, "");
});

enableLanguageSwitch((fresh) => {
  const text = fresh.getElementById("page")?.textContent;
  if (text) {
    const other = JSON.parse(text) as ProblemPage;
    page.title = other.title;
    page.cases = other.cases;
  }
  enableHints(page.slug);
  showSaved(savedState);
  editor.relabel();
  if (shown && follower) follow(shown.id, null);
  else if (!sender.inFlight) panel.none();
});

if (page.newest !== null) follow(page.newest, null);
else panel.none();
