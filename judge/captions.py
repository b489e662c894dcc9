"""A sentence for the picture of a difference, English and Chinese: its finding, and what a screen reader says for it.

"largest difference 0.5 at query 0, key 1; 3 of 16 elements wrong, all above the diagonal"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

AXIS_WORDS: dict[str, tuple[str, str]] = {
    "batch": ("sequence", "序列"),
    "head": ("head", "头"),
    "query": ("query", "查询"),
    "key": ("key", "键"),
    "token": ("token", "词元"),
    "feature": ("feature", "特征"),
    "row": ("row", "行"),
    "column": ("column", "列"),
    "block": ("block", "块"),
    "slice": ("slice", "切片"),
}
SENTENCES: dict[str, tuple[str, str]] = {
    "same": ("no element differs by more than {tolerance}", "所有元素的差都不超过 {tolerance}"),
    "equal": ("all elements are equal", "所有元素都相等"),
    "one": ("off by {largest}", "相差 {largest}"),
    "largest": ("largest difference {largest} at {place}", "最大差值 {largest}，位于{place}"),
    "wrong": ("{wrong} of {total} elements wrong", "{total} 个元素中有 {wrong} 个错误"),
    "all": ("all {total} elements wrong", "全部 {total} 个元素都错误"),
    "odd": ("{count} {word} where a number is expected", "有 {count} 个 {word}，而此处应为数字"),
    "odd_first": ("{odd}, the first at {place}", "{odd}，第一处位于{place}"),
    "in": ("all at {place}", "全部位于{place}"),
    "leak": (
        "{source} reaches {target} with weight {weight}, and is hidden from it; {leaks} of {hidden} hidden pairs leak",
        "{source} 本应对{target} 不可见，却以权重 {weight} 参与了计算；{hidden} 个被遮住的位置中有 {leaks} 个泄漏",
    ),
    "no_leak": ("no query reads a key that is hidden from it", "没有查询读到对它不可见的键"),
    "nothing_hidden": ("no key is hidden here", "这里没有被遮住的键"),
    "above": ("all above the diagonal", "全部在对角线上方"),
    "below": ("all below the diagonal", "全部在对角线下方"),
    "on": ("all on the diagonal", "全部在对角线上"),
}


def axis_words(names: Sequence[str], lang: str) -> list[str]:
    return [AXIS_WORDS[name][lang == "zh"] for name in names]


def axes_of(axes: Mapping[str, Sequence[str]], name: str, shape: Sequence[int]) -> list[str]:
    """The axes of an argument or result; rows and columns where the problem does not name them.

    An argument with fewer axes has the last ones, as it broadcasts.
    """
    name = name.removeprefix("gradient of ")
    known = axes.get(name) or axes.get(name.split("[")[0]) or ()
    if len(known) == len(shape) or (len(known) > len(shape) and not name.startswith("result")):
        return list(known[len(known) - len(shape) :])
    return [*["slice"] * (len(shape) - 2), *("row", "column")[-len(shape) :]] if shape else []


def is_mask(dtype: str | None, axes: Sequence[str]) -> bool:
    """Whether True in such a tensor means that a query may see a key."""
    return dtype == "bool" and list(axes[-2:]) == ["query", "key"]


def caption(contrast: Mapping[str, Any], axes: Sequence[str], lang: str = "en") -> str:
    """What a contrast of `judge.grading.contrast` shows."""
    words = _Words(contrast, axes, lang)
    if not contrast["wrong"]:
        return (
            words.say("same", tolerance=_short(contrast["tolerance"])) if contrast["tolerance"] else words.say("equal")
        )
    parts = [words.how_far(), words.how_many() if contrast["total"] > 1 else ""]
    return words.joined("; ", [part for part in parts if part])


class _Words:
    """Parts of a caption in one language."""

    def __init__(self, contrast: Mapping[str, Any], axes: Sequence[str], lang: str) -> None:
        self.contrast, self.axes, self.lang = contrast, axes, lang
        self.names = axis_words(axes, lang)

    def say(self, key: str, **fields: Any) -> str:
        return SENTENCES[key][self.lang == "zh"].format(**fields)

    def joined(self, mark: str, parts: Sequence[str]) -> str:
        return (mark if self.lang != "zh" else {", ": "，", "; ": "；"}[mark]).join(parts)

    def place(self, indices: Mapping[int, int]) -> str:
        parts = [f"{self.names[axis]} {index}" for axis, index in indices.items()]
        return ("、" if self.lang == "zh" else ", ").join(parts)

    def how_far(self) -> str:
        sizes, at, largest = self.contrast["shape"], self.contrast["at"], self.contrast["largest"]
        place = self.place({n: at[n] for n, size in enumerate(sizes) if size > 1})
        if not isinstance(largest, float):  # it is a word, for what is not finite
            counts = [self.say("odd", count=count, word=word) for word, count in self.contrast["odd"].items()]
            odd = self.joined(", ", counts)
            return self.say("odd_first", odd=odd, place=place) if odd and place else odd
        return self.say("largest" if place else "one", largest=_short(largest), place=place)

    def how_many(self) -> str:
        wrong, total = self.contrast["wrong"], self.contrast["total"]
        if wrong == total:
            return self.say("all", total=total)
        told = [self.say("wrong", wrong=wrong, total=total)]
        shared = {one["axis"]: one["index"] for one in self.contrast["where"] if "axis" in one}
        if shared:
            told.append(self.say("in", place=self.place(shared)))
        if self.axes[-1] != "feature":  # a diagonal of queries and features means nothing
            told += [self.say(one["diagonal"]) for one in self.contrast["where"] if "diagonal" in one]
        return self.joined(", ", told)


def _short(value: float) -> str:
    return f"{value:.3g}"


def captioned(contrast: Any, of: str, axes: Mapping[str, Sequence[str]], lang: str) -> Any:
    """A contrast with its `caption` and the words for its `axes`; of a list each."""
    if isinstance(contrast, list):
        return [captioned(one, f"{of}[{number}]", axes, lang) for number, one in enumerate(contrast)]
    if not contrast:
        return None
    names = axes_of(axes, of, contrast["shape"])
    return {**contrast, "caption": caption(contrast, names, lang), **described_axes(names, contrast.get("dtype"), lang)}


def described_axes(names: Sequence[str], dtype: str | None, lang: str) -> dict[str, Any]:
    return {"axes": axis_words(names, lang), "mask": is_mask(dtype, names)}


def input_axes(inputs: Mapping[str, Any], axes: Mapping[str, Sequence[str]], lang: str) -> dict[str, dict[str, Any]]:
    """The words for the axes of each tensor among the inputs, and whether it is a mask."""
    tensors = {name: value for name, value in inputs.items() if isinstance(value, dict) and "shape" in value}
    return {
        name: described_axes(axes_of(axes, name, value["shape"]), value["dtype"], lang)
        for name, value in tensors.items()
    }


WEIGHT_AXES = ("batch", "head", "query", "key")


def inside_json(inside: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """What happens inside attention, with captions and axes in words."""
    axes = described_axes(WEIGHT_AXES, None, lang)
    reads = inside["reads"]
    if reads is not None:
        contrast = captioned(reads["contrast"], "result", {"result": WEIGHT_AXES}, lang)
        reads = {**reads, "caption": _leaks(reads, lang), "contrast": contrast}
    return {"stages": inside["stages"], "reads": reads, **axes}


def _leaks(reads: Mapping[str, Any], lang: str) -> str:
    place = reads["first"]
    words = _Words({"shape": [], "at": []}, WEIGHT_AXES, lang)
    if not place:
        return words.say("no_leak" if reads["hidden"] else "nothing_hidden")
    return words.say(
        "leak", source=words.place({3: place[3]}), target=words.place({2: place[2]}), weight=_short(reads["weight"]),
        leaks=reads["leaks"], hidden=reads["hidden"],
    )  # fmt: skip
