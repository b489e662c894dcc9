// The explorers' pages: /explore/masks, /explore/lookup, /explore/cost.
import { byId } from "../dom";
import { enableLanguageSwitch } from "../language";
import { enableThemeSwitch } from "../theme";
import { CostPage } from "./cost_page";
import { LookupPage } from "./lookup_page";
import { MasksPage, type ProblemLink } from "./masks_page";

const { explorer, problems } = JSON.parse(byId("page").textContent ?? "") as { explorer: string; problems: ProblemLink[] };
const root = byId("explorer");
const page = { masks: MasksPage, lookup: LookupPage, cost: CostPage }[explorer];
if (page) {
  const shown = new page(root, problems);
  enableLanguageSwitch(() => shown.render());
}
enableThemeSwitch();
