"""Ground terms in, numbers out: equal terms have equal numbers."""

from __future__ import annotations

from kibitz.gdl import Function

__all__ = ["FunctorId", "Symbols", "TermId"]

TermId = int
FunctorId = int


class Symbols:
    """All terms met so far.

    A compound term is kept as the tuple of its functor's number and the numbers of its arguments.

    >>> symbols = Symbols()
    >>> number = symbols.intern(Function("cell", (Function("1"), Function("b"))))
    >>> str(symbols.term(number)), symbols.intern(symbols.term(number)) == number
    ('(cell 1 b)', True)
    """

    def __init__(self) -> None:
        self.functors: dict[tuple[str, int], FunctorId] = {}
        self.parts: list[tuple[int, ...]] = []
        self._numbers: dict[tuple[int, ...], TermId] = {}
        self._terms: list[Function | None] = []
        self._names: list[str] = []

    def functor(self, name: str, arity: int) -> FunctorId:
        """Return the number of a functor: a name with a number of arguments."""
        number = self.functors.get((name, arity))
        if number is None:
            number = self.functors[name, arity] = len(self.functors)
            self._names.append(name)
        return number

    def make(self, parts: tuple[int, ...]) -> TermId:
        """Return the number of the term with this functor and these arguments."""
        number = self._numbers.get(parts)
        if number is None:
            number = self._numbers[parts] = len(self.parts)
            self.parts.append(parts)
            self._terms.append(None)
        return number

    def intern(self, term: Function) -> TermId:
        """Return the number of a ground term."""
        return self.make(self.split(term))

    def split(self, term: Function) -> tuple[int, ...]:
        """Return the number of a ground term's functor and those of its arguments."""
        functor = self.functor(term.name, len(term.args))
        return (functor, *(self.intern(arg) for arg in term.args if isinstance(arg, Function)))

    def term(self, number: TermId) -> Function:
        """Return the term with a number."""
        found = self._terms[number]
        if found is None:
            functor, *args = self.parts[number]
            found = Function(self._names[functor], tuple(map(self.term, args)))
            self._terms[number] = found
        return found
