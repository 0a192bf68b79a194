"""Emit a planned clause as lines of Python.

The text is made of numbers and of names made up here; it contains no text of the rule sheet. Names:
`S` the state, one set of tuples for each kind of fluent; `D` the moves made; `R` and `Q` the
relations evaluated so far for the state and for the moves; `v0`, `v1`, … the values of variables;
`mk` numbers a compound term and `parts` splits one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Protocol

from kibitz.engine.ungrounded.flat_clauses import (
    Build,
    FlatAtom,
    FlatClause,
    Pattern,
    atom_variables,
    pattern_variables,
)
from kibitz.engine.ungrounded.join_plan import JoinPlan, JoinStep
from kibitz.gdl import Variable

MAX_NESTED = 15
"""Python refuses more than twenty loops inside one another."""

MAX_INDENT = 40
"""Python refuses a hundred levels of indentation."""

Columns = tuple[int, ...]


class Access(Protocol):
    """How the tuples of one relation are reached from a clause."""

    is_by_role: bool
    """Whether there is at most one tuple for each value of the first column, a role."""

    is_certain: bool
    """Whether there is exactly one tuple, the move of a role."""

    def scan(self) -> str:
        """Return an expression of all tuples."""

    def has(self, key: str) -> str:
        """Return an expression for whether a tuple is there."""

    def bucket(self, columns: Columns, key: str) -> str:
        """Return an expression of the tuples with a key in some columns, and maybe of others."""

    def recheck(self) -> str | None:
        """Return the set in which members of a bucket must still be looked up, if any."""

    def has_key(self, columns: Columns, key: str) -> str | None:
        """Return an expression for whether a key occurs, if there is a direct one."""


Reach = Callable[[FlatAtom, int, list[str]], Access]
"""Gives access to an atom's relation; adds lines that must come before the clause."""


class ClauseWriter:
    """Writes the code of one clause; `lines` and `functions` grow as it goes."""

    def __init__(self, clause: FlatClause, plan: JoinPlan, reach: Reach, fresh: Callable[[], int]):
        self.clause = clause
        self.plan = plan
        self.reach = reach
        self.fresh = fresh
        self.functions: list[list[str]] = []
        self._before: list[str] = []
        self._lines: list[str] = []
        self._names: dict[Variable, str] = {}
        self._tuples: dict[tuple[Pattern, ...], str] = {}
        self._uses = Counter(_occurrences(clause))

    def write(
        self, out: str, *, add: str | None = None, given: Iterable[tuple[int, str]] = ()
    ) -> list[str]:
        """Return the lines that add the clause's heads to the set named `out`.

        `add` is a template for a call that takes the head's tuple instead; `given` are columns of
        the head whose values are known, with the names of those.
        """
        head = self.clause.head
        indent = self._take(given)
        if not atom_variables(head):
            self._put(
                indent, f"if {self._tuple(head.args)} not in {out}:" if add is None else "if 1:"
            )
            indent += 1
        indent = self._guards(indent)

        def success(at: int) -> None:
            value = self._tuples.get(head.args) or self._tuple(head.args)
            if self.plan.rest:
                self._put(at, f"if {value} not in {out}:" if add is None else "if 1:")
                at = self._exists(self.plan.rest, at + 1)
            self._put(at, f"{out}.add({value})" if add is None else add.format(value))

        self._chain(list(self.plan.steps), indent, success, None, 0)
        return self._before + self._lines

    def _take(self, given: Iterable[tuple[int, str]]) -> int:
        """Match columns of the head with values that are known."""
        tests: list[str] = []
        takes: list[tuple[str, Build]] = []
        for column, name in given:
            arg = self.clause.head.args[column]
            if isinstance(arg, Build):
                takes.append((name, arg))
            elif isinstance(arg, int):
                tests.append(f"{name} == {arg}")
            elif arg in self._names:
                tests.append(f"{name} == {self._names[arg]}")
            else:
                self._names[arg] = name
        return self._match(tests, takes, 0)

    def _put(self, indent: int, line: str) -> None:
        self._lines.append("    " * indent + line)

    def _guards(self, indent: int) -> int:
        """Write questions one after the other: there may be more than Python can nest."""
        guards = sorted(self.plan.guards, key=lambda guard: not all(map(self._is_test, guard)))
        flag = ""
        for guard in guards:
            if not flag and all(map(self._is_test, guard)):
                indent = self._exists(guard, indent)
                continue
            flag = self._ask(guard, indent, before=flag)
        if flag:
            self._put(indent, f"if {flag}:")
            indent += 1
        return indent

    def _ask(self, steps: Iterable[JoinStep], indent: int, *, before: str = "") -> str:
        """Write a question, asked only if the flag `before` is set; return its answer's flag."""
        flag = f"g{self.fresh()}"
        known = dict(self._names)
        self._put(indent, f"{flag} = False")
        if before:
            self._put(indent, f"if {before}:")
            indent += 1

        def success(at: int) -> None:
            self._put(at, f"{flag} = True")

        self._chain(list(steps), indent, success, flag, 0)
        self._names = known
        return flag

    def _exists(self, steps: Iterable[JoinStep], indent: int) -> int:
        """Write a question; return the indentation at which its answer is known to be yes."""
        listed = list(steps)
        if all(self._is_test(step) for step in listed):
            for step in listed:
                indent = self._test(step, indent)
            return indent
        flag = self._ask(listed, indent)
        self._put(indent, f"if {flag}:")
        return indent + 1

    def _chain(
        self,
        steps: list[JoinStep],
        indent: int,
        success: Callable[[int], None],
        flag: str | None,
        depth: int,
    ) -> None:
        """Write steps one inside the other; with a flag, leave all loops once it is set."""
        loops = 0
        after: list[int] = []
        for number, step in enumerate(steps):
            if self._is_test(step):
                indent = self._test(step, indent)
                continue
            if depth + loops >= MAX_NESTED or indent >= MAX_INDENT:
                after.append(indent)
                self._continue(steps[number:], indent, success, flag)
                break
            assert isinstance(step.literal, FlatAtom)
            start = indent
            indent, is_loop = self._loop(step.literal, step.place, indent)
            if is_loop:
                if loops:
                    after.append(start)
                loops += 1
        else:
            success(indent)
            if flag and loops:
                self._put(indent, "break")
        if flag:
            for at in reversed(after):
                self._put(at, f"if {flag}: break")

    def _continue(
        self, steps: list[JoinStep], indent: int, success: Callable[[int], None], flag: str | None
    ) -> None:
        """Continue in a separate generator, which yields once for each way to take the steps."""
        names = list(self._names.values())
        own = f"k{self.fresh()}"
        outer_lines, outer_before, outer_tuples = self._lines, self._before, self._tuples
        self._lines, self._before, self._tuples = [], [], {}
        found: list[str] = []

        def yield_values(at: int) -> None:
            found.extend(name for name in self._names.values() if name not in names)
            self._put(at, f"yield ({''.join(name + ', ' for name in found)})")

        self._chain(steps, 0, yield_values, None, 0)
        body = self._before + self._lines
        self._lines, self._before, self._tuples = outer_lines, outer_before, outer_tuples
        arguments = ", ".join(["S", "R", "D", "Q", "O", "L", *names])
        self.functions.append([f"def {own}({arguments}):", *("    " + line for line in body)])
        values = "".join(name + ", " for name in found)
        self._put(indent, f"for {f'({values})' if values else '_'} in {own}({arguments}):")
        success(indent + 1)
        if flag:
            self._put(indent + 1, "break")

    def _is_test(self, step: JoinStep) -> bool:
        return all(v in self._names for v in _step_variables(step))

    def _test(self, step: JoinStep, indent: int) -> int:
        """Write a test, on the line of the test before if there is one."""
        if not isinstance(step.literal, FlatAtom):
            left, right = step.literal
            test = f"{self._value(left)} != {self._value(right)}"
        else:
            access = self.reach(step.literal, step.place, self._before)
            found = access.has(self._tuple(step.literal.args))
            test = f"({found})" if step.is_positive else f"not ({found})"
        start = "    " * (indent - 1) + "if "
        if indent and self._lines and self._lines[-1].startswith(start):
            self._lines[-1] = f"{self._lines[-1][:-1]} and {test}:"
            return indent
        self._put(indent, f"if {test}:")
        return indent + 1

    def _loop(self, atom: FlatAtom, place: int, indent: int) -> tuple[int, bool]:
        """Write a walk over the matches of an atom; return whether it is a loop."""
        access = self.reach(atom, place, self._before)
        bound = tuple(i for i, arg in enumerate(atom.args) if self._is_known(arg))
        tests: list[str] = []
        takes: list[tuple[str, Build]] = []
        targets: list[str] = []
        fresh: set[Variable] = set()
        for column, arg in enumerate(atom.args):
            if column in bound:
                if access.is_by_role and column:
                    name = f"c{self.fresh()}"
                    tests.append(f"{name} == {self._value(arg)}")
                    targets.append(name)
                else:
                    targets.append("_")
            elif isinstance(arg, Variable):
                if arg in fresh:
                    name = f"c{self.fresh()}"
                    tests.append(f"{name} == {self._names[arg]}")
                    targets.append(name)
                elif self._uses[arg] == 1:
                    targets.append("_")
                else:
                    fresh.add(arg)
                    self._names[arg] = f"v{self.fresh()}"
                    targets.append(self._names[arg])
            else:
                assert isinstance(arg, Build)
                name = f"c{self.fresh()}"
                takes.append((name, arg))
                targets.append(name)
        is_plain = not (tests or takes or fresh)
        pattern = "".join(f"{name}, " for name in targets) if any(t != "_" for t in targets) else ""
        if access.is_by_role:
            return self._move(access, atom, bound, pattern, tests, takes, indent)
        key = self._key([atom.args[i] for i in bound])
        if is_plain:
            direct = access.has_key(bound, key) if bound else access.scan()
            if direct is not None:
                self._put(indent, f"if {direct}:")
                return indent + 1, False
        source = access.bucket(bound, key) if bound else access.scan()
        recheck = access.recheck() if bound else None
        keeps = atom.args == self.clause.head.args and atom.pred.relation == "true"
        if recheck is not None or keeps or not pattern:
            whole = f"t{self.fresh()}"
            self._put(indent, f"for {whole} in {source}:")
            indent += 1
            if recheck is not None:
                self._put(indent, f"if {whole} in {recheck}:")
                indent += 1
            if pattern and not (keeps and self._is_whole(fresh, tests, takes)):
                self._put(indent, f"{pattern.rstrip()} = {whole}")
            if keeps:
                self._tuples[atom.args] = whole
        else:
            self._put(indent, f"for {pattern.rstrip()} in {source}:")
            indent += 1
        return self._match(tests, takes, indent), True

    def _is_whole(
        self, fresh: set[Variable], tests: list[str], takes: list[tuple[str, Build]]
    ) -> bool:
        """Return whether a tuple's values are needed in the head alone, which it is equal to."""
        return not tests and not takes and all(self._uses[v] == 2 for v in fresh)

    def _move(
        self,
        access: Access,
        atom: FlatAtom,
        bound: Columns,
        pattern: str,
        tests: list[str],
        takes: list[tuple[str, Build]],
        indent: int,
    ) -> tuple[int, bool]:
        """Write a walk over moves, or a look at the move of one role."""
        if access.is_certain:
            if pattern:
                self._put(indent, f"{pattern.rstrip()} = {access.bucket(bound, '')}")
            return self._match(tests, takes, indent), False
        whole = f"t{self.fresh()}"
        is_loop = 0 not in bound
        if is_loop:
            self._put(indent, f"for {whole} in {access.scan()}:")
        else:
            self._put(indent, f"{whole} = {access.bucket((0,), self._value(atom.args[0]))}")
            self._put(indent, f"if {whole} is not None:")
        if pattern:
            self._put(indent + 1, f"{pattern.rstrip()} = {whole}")
        return self._match(tests, takes, indent + 1), is_loop

    def _match(self, tests: list[str], takes: list[tuple[str, Build]], indent: int) -> int:
        """Write what the columns of a tuple must still meet."""
        found: list[Variable] = []
        for name, build in takes:
            tests += self._take_apart(name, build, found)
        if tests:
            self._put(indent, f"if {' and '.join(tests)}:")
            indent += 1
        for variable in found:
            name = f"v{self.fresh()}"
            self._put(indent, f"{name} = {self._names[variable]}")
            self._names[variable] = name
        return indent

    def _take_apart(self, name: str, build: Build, found: list[Variable]) -> list[str]:
        """Return tests that match a compound pattern with a term, in one line however deep it is.

        Variables that are `found` stand for a subterm until they get their own names.
        """
        whole = f"p{self.fresh()}"
        tests = [f"({whole} := parts[{name}])[0] == {build.functor}"]
        for number, arg in enumerate(build.args, start=1):
            part = f"{whole}[{number}]"
            if isinstance(arg, Variable) and arg not in self._names:
                self._names[arg] = part
                found.append(arg)
            elif self._is_known(arg):
                tests.append(f"{part} == {self._value(arg)}")
            else:
                assert isinstance(arg, Build)
                tests += self._take_apart(part, arg, found)
        return tests

    def _is_known(self, pattern: Pattern) -> bool:
        return all(v in self._names for v in pattern_variables(pattern))

    def _value(self, pattern: Pattern) -> str:
        if isinstance(pattern, Variable):
            return self._names[pattern]
        if isinstance(pattern, int):
            return str(pattern)
        return f"mk(({pattern.functor}, {', '.join(map(self._value, pattern.args))}))"

    def _tuple(self, args: Iterable[Pattern]) -> str:
        return f"({''.join(self._value(arg) + ', ' for arg in args)})"

    def _key(self, args: list[Pattern]) -> str:
        return self._value(args[0]) if len(args) == 1 else self._tuple(args)


def _occurrences(clause: FlatClause) -> Iterable[Variable]:
    for atom in (clause.head, *clause.positive, *clause.negative):
        for arg in atom.args:
            yield from pattern_variables(arg)
    for pair in clause.distinct:
        for side in pair:
            yield from pattern_variables(side)


def _step_variables(step: JoinStep) -> Iterable[Variable]:
    if isinstance(step.literal, FlatAtom):
        return atom_variables(step.literal)
    return [v for side in step.literal for v in pattern_variables(side)]
