"""Operators on small sources; which mutants survive; the list of those that are equivalent."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.proving.mutants import MutantResult, mutants_of, settle
from judge.proving.mutations import OPERATORS
from judge.proving.verify import verify

BANK = Path(__file__).resolve().parent.parent / "problems"
HEAD = "def f(q: Tensor, k: Tensor, v: Tensor, mask, n: int):\n    "


def becomes(operator: str, source: str) -> list[str]:
    return [mutant.becomes for mutant in mutants_of(source) if mutant.operator == operator]


@pytest.mark.parametrize(
    ("operator", "line", "mutants"),
    [
        ("comparisons", "return a <= b", ["return a < b", "return a >= b"]),
        ("comparisons", "return a == b", ["return a != b"]),
        ("comparisons", "return a is None", []),
        ("signs", "return a - b", ["return a + b"]),
        ("signs", "return mask & a", ["return mask | a"]),
        ("signs", "a *= b", ["a /= b"]),
        ("dropped_operands", "return a @ b / c", ["return (a @ b)"]),
        ("dropped_operands", "return a | b", ["return a", "return b"]),
        ("swapped_operands", "return a - (b + c)", ["return (b + c) - a"]),
        ("roots", "return a / math.sqrt(n)", ["return a / n"]),
        ("roots", "return n.sqrt()", ["return n"]),
        ("roots", "return n ** -0.5", ["return n"]),
        ("polarity", "return ~mask", ["return mask"]),
        ("polarity", "return a.masked_fill(mask, 0)", ["return a.masked_fill(~mask, 0)"]),
        ("constants", "return a.size(-1)", ["return a.size(0)", "return a.size(-2)"]),
        ("constants", "return a.view(-1, 2)", []),
        ("constants", "return a * 0.5", ["return a * 1.0"]),
        ("infinities", 'return float("-inf")', ["return -1e4", "return 0.0"]),
        ("infinities", "return torch.finfo(a.dtype).min", ["return -1e4", 'return float("-inf")']),
        ("flags", "return a.sum(0, keepdim=True)", []),
        ("flags", "return nn.Linear(2, 2, bias=False)", ["return nn.Linear(2, 2, bias=True)"]),
        ("flags", "return F.dropout(a, p, self.training)", ["return F.dropout(a, p, True)",
                                                            "return F.dropout(a, p, False)"]),
        ("names", "return a.tril()", ["return a.triu()"]),
        ("names", "return min(a, b)", ["return max(a, b)"]),
        ("names", "return a.to(torch.float64)", ["return a.to(torch.float32)"]),
        ("counts", "return a.triu()", ["return a.triu(1)", "return a.triu(-1)"]),
        ("counts", "return torch.tril(a, n)", ["return torch.tril(a, n + 1)", "return torch.tril(a, n - 1)"]),
        ("counts", "return range(n)", ["return range(n + 1)", "return range(n - 1)"]),
        ("other_names", "return q @ v", ["return k @ v", "return q @ q"]),
        ("other_names", "return q.size(-1)", []),
        ("other_names", "return q.size(-2)", ["return k.size(-2)"]),
        ("other_names", "B, T = q.shape\n    return T", ["return B"]),
        ("removed_calls", "return q @ k.transpose(1, 2)", ["return q @ k"]),
        ("removed_calls", "return a.float()", ["return a"]),
        ("removed_calls", "return F.dropout(a, 0.1)", ["return a"]),
        ("transposes", "return a.transpose(1, 2)",
         ["return a.transpose(0, 1)", "return a.transpose(2, 3)", "return a.transpose(0, 2)"]),
        ("shapes", "return a.view(b, c, -1)", ["return a.view(c, b, -1)"]),
        ("shapes", "return a.permute((0, 2, 1))", ["return a.permute((2, 0, 1))", "return a.permute((0, 1, 2))"]),
        ("repeats", "return a.repeat_interleave(n, dim=1)", ["return torch.cat([a] * n, dim=1)"]),
        ("repeats", "return a.repeat(1, n, 1)", ["return a.repeat_interleave(n, dim=1)"]),
        ("swapped_arguments", "return a[:, None]", ["return a[None, :]"]),
        ("swapped_arguments", "return torch.cat([a, b], dim=-1)", ["return torch.cat([b, a], dim=-1)"]),
        ("swapped_arguments", "return torch.where(mask, a, b)", ["return torch.where(mask, b, a)"]),
        ("swapped_arguments", 'return torch.einsum("ij,jk->ik", a, b)', ['return torch.einsum("ij,jk->ki", a, b)']),
        ("slices", "return a[n:]", ["return a[n + 1:]", "return a[:n]"]),
        ("removed_arguments", "return torch.ones(2, dtype=a.dtype, device=a.device)",
         ["return torch.ones(2, device=a.device)"]),
        ("branches", "return a if mask is None else b", ["return a", "return b"]),
        ("branches", "if n > 2:\n        return a\n    return b", ["if True:", "if False:"]),
        ("removed_statements", "a = b\n    a = c", ["pass"]),
        ("removed_statements", "a += b", ["pass", "a = b"]),
        ("removed_statements", "a = b", []),
        ("detached", "return a.softmax(-1)", ["return a.softmax(-1).detach()"]),
        ("written_in_place", "return q * n", ["return q.mul_(n)"]),
        ("written_in_place", "return a * n", []),
        ("mask_after_softmax", "return torch.softmax(a.masked_fill(mask, m), dim=-1)",
         ["return torch.softmax(a, dim=-1).masked_fill(mask, 0.0)"]),
        ("mask_after_softmax", "a = a.masked_fill(mask, m)\n    return a.softmax(-1)",
         ["a = a\nreturn a.softmax(-1).masked_fill(mask, 0.0)"]),
    ],
)  # fmt: skip
def test_operator(operator: str, line: str, mutants: list[str]) -> None:
    assert sorted(becomes(operator, HEAD + line + "\n")) == sorted(mutants)


def test_every_operator_says_what_it_does_and_has_a_name_of_its_own() -> None:
    assert all(operator.__doc__ for operator in OPERATORS)
    assert len({operator.__name__ for operator in OPERATORS}) == len(OPERATORS)


def test_weights_are_confused_with_each_other() -> None:
    source = (
        "class M(nn.Module):\n"
        "    def __init__(self):\n        self.a = nn.Linear(1, 1)\n        self.b = nn.Linear(1, 1)\n"
        "    def forward(self, x):\n        return self.a(x)\n"
    )
    assert "return self.b(x)" in becomes("other_names", source)


@pytest.mark.parametrize(
    "source",
    [
        '"""1 < 2"""\nimport torch\n',
        "def f(x: tuple[int, 2]) -> Literal[1]:\n    return x\n",
        "def f(x):\n    assert x > 0\n    return x\n",
        "def f(x):\n    if x > 0:\n        raise ValueError(1 + 2)\n    return x\n",
        "class M(N):\n    def __init__(self):\n        super().__init__(1)\n",
    ],
)
def test_what_no_result_depends_on_is_left_alone(source: str) -> None:
    assert mutants_of(source) == []


def test_all_but_the_changed_place_stays_as_it_was() -> None:
    source = 'def f(a, b):\n    x = "é"; return (a  <  b)  # a < b, so 1 + 1\n'
    (mutant, _) = mutants_of(source)
    assert mutant.source == source.replace("a  <  b", "a  <=  b")
    assert (mutant.number, mutant.line) == (2, 'x = "é"; return (a  <  b)')
    assert mutant.diff.splitlines()[2:] == [
        "@@ -1,2 +1,2 @@", " def f(a, b):", "-" + source.splitlines()[1], "+" + mutant.source.splitlines()[1],
    ]  # fmt: skip


def test_no_two_mutants_read_the_same() -> None:
    for path in BANK.glob("*/reference.py"):
        sources = [mutant.source for mutant in mutants_of(path.read_text(encoding="utf-8"))]
        assert len(set(sources)) == len(sources)


TWICE = "def f(a, b):\n    a = a + 1\n    b = b - 1\n    a = a + 1\n    return a\n"


def judged(folder: Path, entries: str, *, survive: str, source: str = TWICE) -> MutantResult:
    """Of the mutants of a source those that read like `survive` pass all cases."""
    (folder / "equivalent.toml").write_text(entries, encoding="utf-8")
    return settle(folder, {m: "AC" if m.becomes == survive else "WA" for m in mutants_of(source)})


def entry(line: str, becomes: str, more: str = 'reason = "x"') -> str:
    return f"[[mutant]]\nline = '{line}'\nbecomes = '{becomes}'\n{more}\n"


def test_a_survivor_is_an_error_until_it_is_listed(tmp_path: Path) -> None:
    bare = judged(tmp_path, "", survive="b = b + 1")
    assert [mutant.becomes for mutant in bare.survivors] == ["b = b + 1"]
    assert "1 of" in bare.errors[0]
    listed = judged(tmp_path, entry("b = b - 1", "b = b + 1"), survive="b = b + 1")
    assert (listed.survivors, listed.errors, listed.equivalent) == ([], [], 1)
    assert listed.killed == listed.made - 1


def test_an_occurrence_stands_for_one_of_several(tmp_path: Path) -> None:
    both = judged(tmp_path, entry("a = a + 1", "a = a - 1"), survive="a = a - 1")
    assert (both.survivors, both.equivalent) == ([], 2)
    second = judged(tmp_path, entry("a = a + 1", "a = a - 1", 'reason = "x"\noccurrence = 2'), survive="a = a - 1")
    assert [mutant.number for mutant in second.survivors] == [2]


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (entry("b = b - 1", "b = b * 1"), "no mutant is like this: `b = b - 1` becomes `b = b * 1`"),
        (entry("a = a + 1", "a = a - 1"), "listed as equivalent, but a case fails with it: `a = a + 1`"),
        (entry("b = b - 1", "b = b + 1", ""), "mutant 1: key `reason` is missing"),
        (entry("b = b - 1", "b = b + 1", 'reason = ""'), "mutant 1: key `reason` is ''"),
        (entry("b = b - 1", "b = b + 1", 'reason = "x"\nwhy = "x"'), "mutant 1: key `why` is unknown"),
        (entry("b = b - 1", "b = b + 1", 'reason = "x"\noccurrence = "2"'), "key `occurrence` is '2'"),
        ("mutants = 1\n", "key `mutants` is unknown"),
        ("mutant = 1\n", "no list of tables"),
        ("mutant = \n", "no valid TOML"),
    ],
)
def test_a_wrong_entry_is_an_error(tmp_path: Path, entries: str, words: str) -> None:
    assert any(words in error for error in judged(tmp_path, entries, survive="b = b + 1").errors)


def test_many_equivalents_are_too_many(tmp_path: Path) -> None:
    assert not judged(tmp_path, entry("b = b - 1", "b = b + 1"), survive="b = b + 1").too_many
    few = "def f(a, b):\n    return a < b\n"
    assert (
        "1 of 2" in judged(tmp_path, entry("return a < b", "return a > b"), survive="return a > b", source=few).too_many
    )


def test_a_mutant_that_no_case_notices_is_shown_with_its_diff(tmp_path: Path) -> None:
    folder = tmp_path / "kv-offset-mask"
    shutil.copytree(BANK / "kv-offset-mask", folder)
    text = (folder / "tests.py").read_text()
    start, prefill, end = (
        text.index(f"def test_{n}(") for n in ("example_two_new_tokens", "example_prefill", "decode")
    )
    (folder / "tests.py").write_text(text[:start] + text[prefill:end])
    settings = (folder / "problem.toml").read_text()
    (folder / "problem.toml").write_text(settings[: settings.index("[zh]")])
    (result,) = verify(tmp_path, ["kv-offset-mask"], sandbox="local", processes=1, mutants=True)
    assert result.mutants is not None
    diffs = [mutant.diff for mutant in result.mutants.survivors]
    assert any("+    queries = torch.arange(T - T, S)" in diff for diff in diffs), result.errors
    assert not any("+    return keys[None, :] < queries" in diff for diff in diffs)
    assert any("mutants pass all cases" in error for error in result.errors)
