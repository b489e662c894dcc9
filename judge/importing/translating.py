"""Tests that import a module named `solution`, turned into cases that take it as an argument. The code is never run.

    from solution import attention      gone; `attention(q, k, v)` becomes `solution.attention(q, k, v)`
    import solution as s                gone; `s.attention` becomes `solution.attention`
    def test_values():                  becomes `def test_values(solution):`
    def helper(x): ... attention(x)     becomes `def helper(solution, x)`, and its calls `helper(solution, x)`
    if __name__ == "__main__":          gone

All other text, comments included, stays as it was. What cannot be turned is commented out and told with its line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from judge.proving.mutations.code import Code, Edit

MODULE = "solution"
OFFERED = ("solution", "reference", "rng")
"""What a case may take as arguments."""


@dataclass
class Translation:
    """The new text, and what is left to do: a line of the old file and a sentence each."""

    text: str = ""
    left: list[tuple[int, str]] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def translate(source: str, public: Sequence[str]) -> Translation:
    """`public` are the names that a submission has to define. `source` is Python that parses."""
    return _Tests(Code(source), public).translated()


class _Tests:
    """One file of tests on its way."""

    def __init__(self, code: Code, public: Sequence[str]) -> None:
        self.code, self.public = code, public
        self.edits: list[Edit] = []
        self.result = Translation()
        self.names: dict[str, str] = {}
        """What a name of the file stands for: `attention` -> `solution.attention`."""

    def translated(self) -> Translation:
        for statement in self.code.tree.body:
            self._note_names(statement)
        for statement in self.code.tree.body:
            self._statement(statement)
        text = self.code.source
        for edit in sorted(set(self.edits), key=lambda edit: (edit.start, edit.end), reverse=True):
            text = text[: edit.start] + edit.text + text[edit.end :]
        self.result.text = re.sub(r"\n{4,}", "\n\n\n", text).strip("\n") + "\n"
        return self.result

    def _note_names(self, statement: ast.stmt) -> None:
        """What a statement of the file makes of the solution, an import at best."""
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            self._import(statement)
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for child in ast.walk(statement):
                if isinstance(child, (ast.Import, ast.ImportFrom)):
                    self.names.update(_bound_by(child, self.public) or {})
                if isinstance(child, ast.Name) and child.id == MODULE and isinstance(child.ctx, ast.Store):
                    self.names[MODULE] = MODULE

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Notes the names that an import of the solution binds, and takes it out."""
        bound = _bound_by(statement, self.public)
        if bound is None:
            return
        self.names.update(bound)
        others = [alias for alias in statement.names if isinstance(statement, ast.Import) and alias.name != MODULE]
        kept = "import " + ", ".join(ast.unparse(alias) for alias in others) if others else ""
        start, end = self.code.span(statement)
        spaces = len(self.code.source[end:]) - len(self.code.source[end:].lstrip(" ;"))
        self.edits.append(Edit(start, end if kept else end + spaces, kept))

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("__name__ == '__main__'", "'__main__' == __name__"):
            self.edits += self.code.replace(node, "")
            return
        is_test = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_")
        is_class = isinstance(node, ast.ClassDef) and node.name.startswith("Test")
        if not is_test and not is_class and not self._uses_solution(node):
            return
        fault = next(self._faults(node), None)
        if fault is not None:
            self._leave_out(node, *fault)
            return
        assert isinstance(node, ast.FunctionDef)
        if is_test:
            self.result.tests.append(node.name)
        self._function(node)

    def _faults(self, node: ast.stmt) -> Iterator[tuple[int, str]]:
        """Why a statement cannot be turned: line and reason."""
        if isinstance(node, ast.AsyncFunctionDef):
            yield node.lineno, "is async"
        if isinstance(node, ast.ClassDef):
            yield node.lineno, "is a class; write its methods as functions"
        if not isinstance(node, ast.FunctionDef):
            yield node.lineno, "uses the solution while the file is imported; move it into the tests"
            return
        if not node.name.startswith("test_") and MODULE in _arguments(node):
            yield node.lineno, f"has an argument named `{MODULE}`"
        if node.decorator_list:
            yield node.lineno, f"has a decorator, `@{ast.unparse(node.decorator_list[0])}`"
        if node.name.startswith("test_") and (strange := [n for n in _arguments(node) if n not in OFFERED]):
            yield node.lineno, f"takes {', '.join(strange)}, which nobody gives it"
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None and self._mentions(default):
                yield default.lineno, "uses the solution in a default"
        yield from self._faults_inside(node)

    def _faults_inside(self, node: ast.FunctionDef) -> Iterator[tuple[int, str]]:
        for child in ast.walk(node):
            if isinstance(child, (ast.Import, ast.ImportFrom)) and _bound_by(child, self.public) is not None:
                for name in _asked_for(child):
                    if name not in self.public:
                        yield child.lineno, f"uses `{name}`, which starter.py does not define"
            if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)) and self._is_taken(child.id):
                yield child.lineno, f"gives `{child.id}` another value"
            if isinstance(child, ast.arg) and child.arg not in OFFERED and self._is_taken(child.arg):
                yield child.lineno, f"has an argument named `{child.arg}`, as what it tests"
            if isinstance(child, ast.Global) and any(self._is_taken(name) for name in child.names):
                yield child.lineno, "gives a name of the solution another value"
            if isinstance(child, ast.Name):
                yield from self._name_faults(child)
            if isinstance(child, ast.Attribute) and self._is_module(child.value) and child.attr not in self.public:
                yield child.lineno, f"uses `{child.attr}`, which starter.py does not define"

    def _name_faults(self, name: ast.Name) -> Iterator[tuple[int, str]]:
        _, dot, what = self.names.get(name.id, "").partition(".")
        if dot and what not in self.public:
            yield name.lineno, f"uses `{what}`, which starter.py does not define"
        if (dot or name.id in self.helpers) and self.code.text(name) != name.id:
            yield name.lineno, f"uses `{name.id}` inside a string"
        call = self.code.parent(name)
        if name.id in self.helpers and not (isinstance(call, ast.Call) and call.func is name):
            yield name.lineno, f"hands `{name.id}` on, which needs the solution"

    def _is_taken(self, name: str) -> bool:
        return name in self.names or name == MODULE

    def _is_module(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and self.names.get(node.id) == MODULE

    @cached_property
    def helpers(self) -> set[str]:
        """Functions that use the solution, themselves or through another."""
        functions = [node for node in self.code.tree.body if isinstance(node, ast.FunctionDef)]
        found: set[str] = set()
        while True:
            more = {f.name for f in functions if f.name not in found and self._mentions(f, found)}
            if not more:
                return found
            found |= more

    def _mentions(self, node: ast.AST, helpers: set[str] | None = None) -> bool:
        """Whether something of the solution is used in it."""
        used = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
        inside = [child for child in ast.walk(node) if isinstance(child, (ast.Import, ast.ImportFrom))]
        return bool(used & (self.names.keys() | (helpers or set()))) or any(
            _bound_by(statement, self.public) is not None for statement in inside
        )

    def _uses_solution(self, node: ast.stmt) -> bool:
        return self._mentions(node, self.helpers)

    def _function(self, node: ast.FunctionDef) -> None:
        """The edits of one function: its argument, the names in it, the helpers it calls, imports in its body."""
        arguments = _arguments(node)
        if MODULE not in arguments and self._uses_solution(node):
            opening = re.compile(rf"def\s+{node.name}\s*\(").search(self.code.source, self.code.span(node)[0])
            assert opening is not None
            self.edits.append(Edit(opening.end(), opening.end(), f"{MODULE}, " if arguments else MODULE))
        for child in ast.walk(node):
            if isinstance(child, (ast.Import, ast.ImportFrom)):
                bound = _bound_by(child, self.public)
                if bound is not None:
                    given = [f"{name} = {value}" for name, value in bound.items() if name != value]
                    self.edits += self.code.replace(child, "; ".join(given) or "pass")
            elif isinstance(child, ast.Name) and child.id in self.helpers:
                call = self.code.parent(child)
                assert isinstance(call, ast.Call)
                place = self.code.source.index("(", self.code.span(child)[1]) + 1
                self.edits.append(Edit(place, place, f"{MODULE}, " if call.args or call.keywords else MODULE))
            elif isinstance(child, ast.Name) and self.names.get(child.id, child.id) != child.id:
                self.edits += self.code.replace(child, self.names[child.id])

    def _leave_out(self, node: ast.stmt, line: int, reason: str) -> None:
        """Comments a statement out."""
        name = getattr(node, "name", "")
        what = f"`{name}`" if name else "this statement"
        self.result.left.append((line, f"{what} is left out: it {reason}"))
        decorators = getattr(node, "decorator_list", [])
        start = self.code.source.rfind("\n", 0, self.code.span(decorators[0] if decorators else node)[0]) + 1
        end = self.code.span(node)[1]
        lines = self.code.source[start:end].split("\n")
        self.edits.append(Edit(start, end, "\n".join([f"# Left out: it {reason}.", *(f"# {text}" for text in lines)])))


def _bound_by(statement: ast.Import | ast.ImportFrom, public: Sequence[str]) -> dict[str, str] | None:
    """Which names an import of the solution binds to what; None if it imports something else."""
    if isinstance(statement, ast.ImportFrom):
        if statement.module != MODULE or statement.level > 1:
            return None
        listed = [(a.asname or a.name, a.name) for a in statement.names if a.name != "*"]
        listed += [(name, name) for name in public for a in statement.names if a.name == "*"]
        return {name: f"{MODULE}.{what}" for name, what in listed}
    found = {alias.asname or alias.name: MODULE for alias in statement.names if alias.name == MODULE}
    return found or None


def _asked_for(statement: ast.Import | ast.ImportFrom) -> list[str]:
    return [a.name for a in statement.names if a.name != "*"] if isinstance(statement, ast.ImportFrom) else []


def _arguments(node: ast.FunctionDef) -> list[str]:
    given = node.args
    listed = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    return [argument.arg for argument in listed if argument is not None]
