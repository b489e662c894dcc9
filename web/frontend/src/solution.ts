// Explanation and reference: locked until the problem is solved or given up. Giving up asks in its place and is recorded.
import { ApiError, reveal } from "./api";
import { difference } from "./difference";
import { button, byId, h } from "./dom";
import { fetchPage } from "./fetching";
import { t } from "./words";

export class Solution {
  private readonly panel = byId("solution");
  private readonly tab = byId("tab-solution");
  private open = this.panel.dataset["open"] === "true";
  private wanted = false;
  private loaded = "";
  private drawing: Promise<void> = Promise.resolve();

  constructor(
    private readonly slug: string,
    private readonly text: () => string,
  ) {}

  inSight(seen: boolean): void {
    this.wanted = seen;
    if (seen) this.drawing = this.draw();
  }

  /** The problem is solved, or given up. */
  unlock(): void {
    if (this.open) return;
    this.open = true;
    this.tab.querySelector(".icon")?.remove();
    if (this.wanted) this.drawing = this.draw();
  }

  relabel(): void {
    this.loaded = "";
    if (this.wanted) this.drawing = this.draw();
  }

  private async draw(): Promise<void> {
    if (!this.open) return this.panel.replaceChildren(h("p", {}, t("solution.locked")), this.question());
    const language = document.documentElement.lang;
    if (this.loaded === language) return;
    if (!this.loaded) this.panel.replaceChildren(h("p", { class: "quiet" }, t("solution.loading")));
    try {
      const page = await fetchPage(`/problems/${this.slug}/explanation`);
      const found = page.querySelector("[data-part=solution]");
      if (!found) throw new ApiError(0, "unknown", t("error.500"));
      this.loaded = language;
      this.panel.replaceChildren(...[...found.childNodes].map((node) => document.importNode(node, true)));
      this.offerComparison();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Shows how the editor differs from the reference. */
  async compare(): Promise<void> {
    await this.drawing;
    this.panel.querySelector<HTMLElement>(".compare")?.click();
  }

  private offerComparison(): void {
    const reference = this.panel.querySelector("pre.source:last-of-type");
    const place = h("div");
    const show = (): void => {
      place.replaceChildren(difference(reference?.textContent ?? "", this.text(), t("solution.legend")));
      place.scrollIntoView({ block: "nearest" });
    };
    this.panel.append(h("p", { class: "buttons" }, button(t("solution.compare"), show, { class: "compare" })), place);
  }

  private question(): HTMLElement {
    const box = h("div", { class: "buttons" });
    const ask = button(t("solution.show"), () => {
      box.replaceChildren(h("p", { role: "alert" }, t("solution.sure")), now, notYet);
      notYet.focus();
    });
    const now = button(t("solution.now"), () => void reveal(this.slug).then(() => this.unlock(), (error: unknown) => this.failed(error)));
    const notYet = button(t("solution.not_yet"), () => {
      box.replaceChildren(ask);
      ask.focus();
    });
    box.append(ask);
    return box;
  }

  private failed(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    this.panel.append(h("p", { class: "notice", role: "alert" }, error.message));
  }
}
