// What happens inside attention: the stages of the right way, each on a scale of its own, and the weights that the
// learner's code in fact gave each key, beside those it should have given.
import type { Inside } from "../api";
import { h } from "../dom";
import { t, type Key } from "../words";
import type { Scale } from "./colour";
import { comparison } from "./comparison";
import { figure } from "./figure";
import { legend } from "./legend";
import { isTensor, largest } from "./values";

const TITLES: Record<string, Key> = { scores: "picture.scores", mask: "picture.mask", masked: "picture.masked", weights: "picture.weights" };

export function inside(found: Inside): HTMLElement {
  const scores = found.stages.find((stage) => stage.name === "scores")?.value;
  const most = isTensor(scores) ? largest(scores.values) : 0;
  const scales: Record<string, Scale> = { scores: { kind: "signed", most }, masked: { kind: "hidden", most }, weights: { kind: "weights" }, mask: { kind: "mask" } };
  const stages = found.stages.map(({ name, value }) => {
    const title = TITLES[name];
    return figure(title ? t(title) : name, value, { axes: { axes: found.axes, mask: name === "mask" }, scale: scales[name] ?? { kind: "plain" } });
  });
  const reads = found.reads;
  return h(
    "details", { class: "inside", open: (reads?.leaks ?? 0) > 0 },
    h("summary", {}, t("picture.inside")),
    h("div", { class: "tensors stages" }, ...stages),
    legend([[t("picture.scores"), { kind: "signed", most }, []], ["", { kind: "mask" }, []], [t("picture.weights"), { kind: "weights" }, []]]),
    reads ? h("p", { class: "leak" }, h("strong", {}, t("picture.reads")), reads.caption) : null,
    reads ? comparison(reads, "", { kind: "weights" }) : null,
  );
}
