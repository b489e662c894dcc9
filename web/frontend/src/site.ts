// All pages but the problem page: the switches of language and theme, local times, and the result on a submission's page.
import { Follower } from "./follow";
import { enableLanguageSwitch } from "./language";
import { enableFilters, enablePath } from "./list";
import { enableQuiz } from "./quiz";
import { ResultPanel, type Page } from "./result";
import { enableThemeSwitch } from "./theme";
import { clock } from "./words";
import { tellZone } from "./zone";

function showTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-seconds]")) {
    const seconds = Number(time.dataset["seconds"]);
    time.dateTime = new Date(seconds * 1000).toISOString();
    time.textContent = clock(seconds);
  }
}

let follower: Follower | null = null;

function showResult(text: string): void {
  const page = JSON.parse(text) as Page;
  if (page.newest === null || !document.getElementById("result")) return;
  const panel = new ResultPanel(page, {});
  follower?.stop();
  const current = new Follower(page.newest, {
    show: (view) => panel.show(view),
    lost: (seconds) => panel.lost(seconds, () => current.look()),
  });
  follower = current;
  void current.start(null);
}

const start = (document_: Document): void => {
  showTimes();
  const data = document_.getElementById("page")?.textContent;
  if (data) showResult(data);
};
start(document);
enableFilters();
tellZone();
enablePath();
enableQuiz();
enableLanguageSwitch(start);
enableThemeSwitch();
