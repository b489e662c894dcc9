// The problem page: editor, draft, sending, following, result, and what stands beside them.
import { Age } from "./age";
import { cancel, type Draft, type OwnInput, type Reason, type Submission } from "./api";
import { button, byId, h } from "./dom";
import { enableDividers } from "./divide";
import { DraftKeeper, type Saved } from "./draft";
import type { Editor, Mark, Options } from "./editing";
import { openCodeMirror } from "./editor";
import { Follower, isFinal } from "./follow";
import { enableHints } from "./hints";
import { command, UNDO_KEYS } from "./keys";
import { enableLanguageSwitch } from "./language";
import { OwnInputs } from "./own/inputs";
import { Past } from "./past";
import { openPlain } from "./plain";
import { ResultPanel, type Page } from "./result";
import { Sender } from "./send";
import { Solution } from "./solution";
import { enableThemeSwitch } from "./theme";
import { enableToolbar } from "./toolbar";
import { enableViews, type Panel } from "./views";
import { clock, t } from "./words";

interface ProblemPage extends Page {
  starter: string;
  draft: Draft | null;
  nonce: string;
  max_bytes: number;
}

const page = JSON.parse(byId("page").textContent ?? "") as ProblemPage;
const keeper = new DraftKeeper(page.slug, page.draft, page.starter);
const caretKey = `judge:caret:${page.slug}`;
const saved = byId("saved");
const notice = byId("notice");
const conflict = byId("conflict");
let savedState: Saved = { state: "new" };
let follower: Follower | null = null;
/** The submission in the result panel. */
let shown: Submission | null = null;
/** What the newest verdict was about: another case, or another verdict, looks different. */
let outcome = "";

const options: Options = {
  parent: byId("editor"),
  text: keeper.opening(),
  caret: Number(sessionStorage.getItem(caretKey) ?? 0) || 0,
  nonce: page.nonce,
  changed: () => {
    keeper.changed();
    void age.check();
    past.changed();
  },
  cleaned: (count) => {
    notice.textContent = t("edit.cleaned", { count, undo: UNDO_KEYS });
  },
  samples: () => judge(true),
  submit: () => judge(false),
  save: () => keeper.saveNow(),
  help: () => toolbar.help(),
};
const plain = new URLSearchParams(location.search).get("editor") === "plain";
const editor: Editor = plain ? openPlain(options) : openCodeMirror(options);

/** Another text in the editor: one edit that undo takes back, and both texts are kept as versions. */
function replace(text: string, reason: Reason, done: string): void {
  keeper.beforeReplacing();
  editor.replace(text);
  keeper.saveNow(reason);
  notice.textContent = done;
}

const past = new Past(byId("submissions"), page.slug, page.verdicts, {
  text: () => editor.text(),
  putBack: (text) => {
    replace(text, "restored", t("past.restored", { undo: UNDO_KEYS }));
    views.view.show("code");
  },
});
const solution = new Solution(page.slug, () => editor.text());
const views = enableViews((panel: Panel) => {
  past.inSight(panel === "submissions");
  solution.inSight(panel === "solution");
});
const age = new Age(() => editor.text(), (id) => {
  showBeside("submissions");
  void past.openSubmission(id);
});
const toolbar = enableToolbar({
  editor,
  starter: page.starter,
  maxBytes: page.max_bytes,
  replace,
  notice: (text) => {
    notice.textContent = text;
  },
  history: () => showBeside("submissions"),
});

function showBeside(name: Panel): void {
  views.view.show("read");
  views.panel.show(name);
}

const panel = new ResultPanel(page, {
  cancel: () => {
    if (follower) void cancel(follower.id).then(show, () => follower?.look());
  },
  samples: () => judge(true),
  submit: () => judge(false),
  again: () => judge(shown?.samples_only ?? false, shown?.input ?? null),
  goTo: (line) => {
    views.view.show("code");
    editor.goTo(line);
  },
  exchange: (line, column, plain) => {
    views.view.show("code");
    editor.exchange(line, column, plain);
  },
  ...(document.getElementById("tab-hints") ? { hints: () => showBeside("hints") } : {}),
  statement: () => showBeside("statement"),
  solution: (compare) => {
    showBeside("solution");
    if (compare) void solution.compare();
  },
});

/** Other tabs of this problem hear of submissions that are made or done here. */
const tabs = new BroadcastChannel(`judge:${page.slug}`);
tabs.onmessage = (event: MessageEvent<number>) => {
  void past.refresh();
  if (!sender.inFlight && follower?.id !== event.data) follow(event.data, null);
};

const own = new OwnInputs(page.slug, (input) => judge(true, input));
byId("body").after(own.element);

const runButton = byId("run-samples");
const submitButton = byId("submit");
const sender = new Sender(page.slug, {
  sending: () => {
    follower?.stop();
    busy(true);
    age.of(null);
    notice.textContent = "";
    byId("result").classList.add("stale");
  },
  accepted: (view) => {
    busy(false);
    shown = null;
    follow(view.id, view);
    tabs.postMessage(view.id);
    void past.refresh();
  },
  waiting: () => panel.message("lost", t("result.not_sent"), h("p", { class: "buttons" }, button(t("result.dont_send"), () => withdraw()))),
  refused: (reason) => {
    busy(false);
    panel.message("cancelled", t("result.refused", { reason }));
  },
});

function withdraw(): void {
  sender.withdraw();
  busy(false);
  if (shown) show(shown);
  else panel.none();
}

function busy(value: boolean): void {
  if (!value) byId("result").classList.remove("stale");
  for (const control of [runButton, submitButton]) {
    control.setAttribute("aria-disabled", String(value));
    control.classList.toggle("pressed", value);
  }
}

function judge(samples: boolean, input: OwnInput | null = null): void {
  // focus stays where it is; on a phone the result is another tab
  views.view.show("result");
  void sender.send(editor.text(), samples, input);
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
  const watched = shown !== null;
  shown = view;
  panel.show(view);
  age.of(view);
  if (!news) return;
  const about = `${view.verdict} ${view.cases.findIndex((c) => c.verdict !== null && c.verdict !== "AC")} ${view.input !== null}`;
  if (outcome && about !== outcome) views.resultFromTop();
  outcome = about;
  editor.mark(marksOf(view));
  if (watched) views.fresh(); // what the page opens with is no news
  void past.refresh();
  if (view.verdict === "AC" && !view.samples_only) solution.unlock();
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
  saved: (state) => {
    showSaved(state);
    if (state.state === "saved") void past.refresh();
  },
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

enableDividers();
enableThemeSwitch();
enableHints(page.slug);
enableLanguageSwitch((fresh) => {
  const text = fresh.getElementById("page")?.textContent;
  if (text) {
    const other = JSON.parse(text) as ProblemPage;
    page.title = other.title;
    page.cases = other.cases;
    page.next = other.next ?? null;
  }
  enableHints(page.slug);
  showSaved(savedState);
  editor.relabel();
  past.relabel();
  own.relabel();
  solution.relabel();
  if (shown && follower) follow(shown.id, null);
  else if (!sender.inFlight) panel.none();
});

if (page.newest !== null) follow(page.newest, null);
else panel.none();
