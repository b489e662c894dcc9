"""A short formula as a tree, and its value. Written by visitors, so nothing is ever handed to Python to run.

text ─▶ tokens ─▶ tree ─▶ value      bounded: the text's length, the tree's depth, and every number on the way

expression  term (("+" | "-") term)*
term        sign (("*" | "/" | "//") sign | power)*        side by side means times: `8 T d^2`, `Td`
sign        ("-" | "+") sign | power
power       primary (("^" | "**") sign)?
primary     number | name | "e" | "pi" | function "(" expression ("," expression)* ")" | "(" expression ")"
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from judge.quiz.values import Number

MAX_CHARS = 200
MAX_DEPTH = 40
MAX_BITS = 1000
"""Of a whole number; its float is finite."""
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
SIGNS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "⁄": "/", "√": " sqrt ", "∙": "*"})
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|//|[-+*/^(),]))"
)
CONSTANTS = {"e": math.e, "pi": math.pi, "π": math.pi}
FUNCTIONS: dict[str, tuple[Callable[..., Any], range]] = {
    "sqrt": (math.sqrt, range(1, 2)), "exp": (math.exp, range(1, 2)), "log": (math.log, range(1, 2)),
    "ln": (math.log, range(1, 2)), "log2": (math.log2, range(1, 2)), "ceil": (math.ceil, range(1, 2)),
    "floor": (math.floor, range(1, 2)), "min": (min, range(2, 9)), "max": (max, range(2, 9)),
}  # fmt: skip


class FormulaError(Exception):
    """The text is no formula, or has no value: `code` and `fields` as in a finding."""

    def __init__(self, code: str, **fields: Any) -> None:
        self.finding = {"code": code, **fields}
        super().__init__(code)


@dataclass(frozen=True)
class Node:
    """`kind`: number, name, call, or an operator; a sign has one part."""

    kind: str
    value: Any = None
    parts: tuple[Node, ...] = ()


def parse(text: str, names: Collection[str] = ()) -> Node:
    """Raises FormulaError."""
    return _Parser(_tokens(plain(text), names)).whole()


def plain(text: str) -> str:
    """Superscripts as powers, mathematical signs and full-width characters as those of a keyboard.

    Raises FormulaError for what is too long, also by then: one character may stand for 18.
    """
    made = text[: MAX_CHARS + 1]
    made = re.sub(f"([{''.join(map(chr, SUPERSCRIPTS))}]+)", lambda m: f"^{m[1].translate(SUPERSCRIPTS)}", made)
    made = unicodedata.normalize("NFKC", made).translate(SIGNS).strip()
    if max(len(text), len(made)) > MAX_CHARS:
        raise FormulaError("formula_long", limit=MAX_CHARS)
    return made


def value(node: Node, names: Mapping[str, Number] | None = None) -> Number:
    """A finite number. Raises FormulaError where the formula has none."""
    try:
        found = _value(node, names or {})
    except (ZeroDivisionError, ValueError):
        raise FormulaError("formula_undefined") from None
    except OverflowError:
        raise FormulaError("formula_large") from None
    return found


def _value(node: Node, names: Mapping[str, Number]) -> Number:
    if node.kind == "number":
        found = node.value
    elif node.kind == "name":
        found = names[node.value]
    else:
        parts = [_value(part, names) for part in node.parts]
        found = FUNCTIONS[node.value][0](*parts) if node.kind == "call" else _operate(node.kind, parts)
    if isinstance(found, int):
        if found.bit_length() > MAX_BITS:
            raise OverflowError
    elif not math.isfinite(found):
        raise OverflowError
    return found  # type: ignore[no-any-return]


def _operate(operator: str, parts: list[Number]) -> Number:
    if len(parts) == 1:
        return -parts[0] if operator == "-" else parts[0]
    a, b = parts
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "//":
            return a // b
        case "/":
            whole = isinstance(a, int) and isinstance(b, int) and a % b == 0
            return a // b if whole else a / b
    if isinstance(a, int) and isinstance(b, int) and b >= 0:
        if abs(a) <= 1:
            return int(a ** min(b, 2 + b % 2))
        if a.bit_length() * b <= 2 * MAX_BITS:
            return int(a**b)
    return math.pow(a, b)


def _tokens(text: str, names: Collection[str]) -> list[tuple[str, Any]]:
    tokens: list[tuple[str, Any]] = []
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise FormulaError("formula_sign", sign=text[at:].lstrip()[:1])
        at = found.end()
        if found["number"]:
            tokens.append(("number", _literal(found["number"])))
        elif found["sign"]:
            tokens.append((found["sign"].replace("**", "^"), None))
        else:
            tokens += _words(found["name"], names, text[at:].lstrip().startswith("("))
    return tokens


def _literal(digits: str) -> Number:
    digits = digits.replace("_", "")
    if digits.isdecimal():
        return int(digits)
    made = float(digits)
    if not math.isfinite(made):
        raise FormulaError("formula_large")
    return made


def _words(word: str, names: Collection[str], called: bool) -> list[tuple[str, Any]]:
    """A name, a function, or several names written together."""
    if word in names:
        return [("name", word)]
    if word.lower() in CONSTANTS:
        return [("constant", CONSTANTS[word.lower()])]
    if word.lower() in FUNCTIONS:
        if not called:
            raise FormulaError("formula_call", name=word)
        return [("call", word.lower())]
    other_case = [name for name in names if name.lower() == word.lower()]
    if len(other_case) == 1:
        return [("name", other_case[0])]
    pieces: list[tuple[str, Any]] = []
    rest = word
    while rest:
        name = max((n for n in names if rest.startswith(n)), key=len, default=None)
        if name is None:
            known = ", ".join(names) or "0-9"
            raise FormulaError("formula_name", name=word[:20], known=known)
        pieces.append(("name", name))
        rest = rest[len(name) :]
    return pieces


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(self, tokens: list[tuple[str, Any]]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0

    def whole(self) -> Node:
        if not self.tokens:
            raise FormulaError("answer_empty")
        tree = self.expression()
        if self.at < len(self.tokens):
            raise self.unexpected()
        return tree

    @property
    def next(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self) -> Any:
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, sign: str) -> None:
        if self.next != sign:
            raise self.unexpected()
        self.take()

    def unexpected(self) -> FormulaError:
        if not self.next:
            return FormulaError("formula_end")
        kind, value = self.tokens[self.at]
        return FormulaError("formula_sign", sign=kind if value is None else str(value)[:20])

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError("formula_deep")
        left = self.term()
        while self.next in ("+", "-"):
            operator = self.next
            self.take()
            left = Node(operator, parts=(left, self.term()))
        self.depth -= 1
        return left

    def term(self) -> Node:
        left = self.sign()
        divided = False
        while True:
            if self.next in ("*", "/", "//"):
                operator = self.next
                divided = operator != "*"
                self.take()
                left = Node(operator, parts=(left, self.sign()))
            elif self.next in ("name", "constant", "call", "("):
                if divided:  # is `a/2b` a half of ab, or a over 2b?
                    raise FormulaError("formula_ambiguous")
                left = Node("*", parts=(left, self.power()))
            else:
                return left

    def sign(self) -> Node:
        if self.next not in ("+", "-"):
            return self.power()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError("formula_deep")
        operator = self.next
        self.take()
        made = Node(operator, parts=(self.sign(),))
        self.depth -= 1
        return made

    def power(self) -> Node:
        base = self.primary()
        if self.next != "^":
            return base
        self.take()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError("formula_deep")
        made = Node("^", parts=(base, self.sign()))
        self.depth -= 1
        return made

    def primary(self) -> Node:
        kind = self.next
        if kind in ("number", "constant", "name"):
            return Node("name" if kind == "name" else "number", self.take())
        if kind == "call":
            return self.call(self.take())
        self.expect("(")
        inner = self.expression()
        self.expect(")")
        return inner

    def call(self, name: str) -> Node:
        self.expect("(")
        arguments = [self.expression()]
        while self.next == ",":
            self.take()
            arguments.append(self.expression())
        self.expect(")")
        if len(arguments) not in FUNCTIONS[name][1]:
            raise FormulaError("formula_arguments", name=name)
        return Node("call", name, tuple(arguments))
