"""Sentences with letters in, the rules of a rule sheet in GDL out.

=========================================  ====================================================
sentence                                   rule
=========================================  ====================================================
What can change: FORM; FORM.               names fluents
What can be done: FORM; FORM.              names moves
What is also said: FORM; FORM.             names other relations
The players take turns, and NAME begins.   init and next of whose turn it is
At the start, FACT [if CONDITIONS].        init
PLAYER may MOVE if CONDITIONS.             legal
After a move, FACT if CONDITIONS.          next
It stays so that FACT if CONDITIONS.       next, with the fact as the first condition
We say that FACT if CONDITIONS.            a relation that follows
It is always so that FACT.                 a relation that is given
PLAYER wins if CONDITIONS.                 goal 100 (loses: 0, draws: 50, gets 30 points: 30)
The game ends if CONDITIONS.               terminal
=========================================  ====================================================

Conditions are joined by *and*; *or if* begins other ones. A fact may be said of several things at
once: "…, for A from 1 to 8 and B in red, blue".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

from kibitz.errors import Diagnostic, Place
from kibitz.gdl import Atom, Distinct, Formula, Function, Not, Rule, Term, Variable, substitute
from kibitz.rulebook.statements.forms import Form
from kibitz.rulebook.statements.words import Word, split_words

DECLARED = {
    "what can change": "fluent",
    "what can be done": "move",
    "what is also said": "relation",
}
"""How the sentences begin that say which forms there are."""
OPENINGS = tuple(DECLARED)
RESULTS = {"wins": "100", "loses": "0", "draws": "50"}
PLAYER = Variable("player")
_MOST_FACTS = 20_000
_Words = Sequence[Word]


class StatementProblem(Exception):  # noqa: N818 - given a source before people see it
    """Words that make no statement, with their place."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class StatementReader:
    """Reads sentences with letters; forms are declared before they are used."""

    def __init__(self, players: Iterable[str]) -> None:
        self.roles = {name.lower(): name for name in players}
        self.forms: dict[str, list[Form]] = {"fluent": [], "move": [], "relation": []}

    def declare(self, text: str, start: int = 0) -> bool:
        """Read a sentence that says which forms there are; return whether it is one."""
        opening = next((one for one in DECLARED if text.lower().startswith(one)), None)
        if opening is None:
            return False
        rest = text[len(opening) :].lstrip(" :")
        offset = start + len(text) - len(rest)
        for part in rest.split(";"):
            form = Form.of(part.strip())
            if form is None:
                message = f"'{part.strip()}' is not a form: its letters must be A, B, C, each once"
                place = Place(offset, offset + max(1, len(part)))
                raise StatementProblem(Diagnostic.error("ENG001", message, place))
            self.forms[DECLARED[opening]].append(form)
            offset += len(part) + 1
        return True

    def rules(self, text: str, start: int = 0) -> list[Rule]:
        """Read one sentence; return its rules, one for each alternative or thing."""
        words = split_words(text, start)
        return list(self._rules(words))

    def _rules(self, words: _Words) -> Iterator[Rule]:
        if _starts(words, ("the", "players", "take", "turns")):
            yield from self._turns(words)
            return
        head_words, *alternatives = _split_if(words)
        head_words, ranges = _split_for(head_words)
        for head, first in self._head(head_words):
            if not alternatives:
                yield from self._facts(Rule(head, first), ranges)
            for one in alternatives:
                body = [self._literal(part) for part in _split(one, "and")]
                yield from self._facts(Rule(head, (*first, *body)), ranges)

    def _turns(self, words: _Words) -> Iterator[Rule]:
        """Read who begins; the turn then goes round in the order of the players."""
        turn = next((form for form in self.forms["fluent"] if form.name == "control"), None)
        if turn is None:
            hint = 'add "What can change: it is A\'s turn."'
            raise _unknown(words, "it is not said what a turn is", hint)
        first, roles = words[-2].text.lower(), list(self.roles)
        if words[-1].text.lower() != "begins" or first not in roles:
            hint = f'such as "The players take turns, and {self.roles[roles[0]]} begins."'
            raise _unknown(words[4:] or words, "it is not said who begins", hint)
        turns = [Function(turn.name, (Function(role),)) for role in roles]
        yield Rule(Atom("init", (turns[roles.index(first)],)))
        for now, after in zip(turns, (*turns[1:], turns[0]), strict=True):
            yield Rule(Atom("next", (after,)), (Atom("true", (now,)),))

    def _head(self, words: _Words) -> Iterator[tuple[Atom, tuple[Formula, ...]]]:
        """Read the part before *if*: the atom that follows, and a condition that it implies."""
        for opening, relation in (
            (("at", "the", "start"), "init"),
            (("after", "a", "move"), "next"),
            (("it", "stays", "so", "that"), "stays"),
            (("we", "say", "that"), ""),
            (("it", "is", "always", "so", "that"), ""),
        ):
            if _starts(words, opening):
                rest = _bare(words[len(opening) :])
                if not relation:
                    yield self._relation(rest), ()
                elif relation == "stays":
                    fluent = self._fluent(rest)
                    yield Atom("next", (fluent,)), (Atom("true", (fluent,)),)
                else:
                    yield Atom(relation, (self._fluent(rest),)), ()
                return
        if _starts(words, ("the", "game", "ends")) and len(words) == 3:
            yield Atom("terminal"), ()
            return
        atom = self._of_player(words)
        if atom is None or atom.relation not in ("legal", "goal"):
            raise _unknown(words, "no sentence with letters begins like this", _HINT)
        yield atom, (Atom("role", (PLAYER,)),) if atom.args[0] == PLAYER else ()

    def _literal(self, words: _Words) -> Formula:
        words = _bare(words)
        if _starts(words, ("it", "is", "not", "so", "that")):
            return Not(self._atom(words[5:]))
        apart = self._pair(words)
        if apart is not None:
            return apart
        denied = self._denied(words)
        return Not(denied) if denied is not None else self._atom(words)

    def _pair(self, words: _Words) -> Distinct | None:
        left = self._term(words, 0)
        if left is None or not _starts(words[left[1] :], ("differs", "from")):
            return None
        right = self._term(words, left[1] + 2)
        if right is None or right[1] != len(words):
            return None
        return Distinct(left[0], right[0])

    def _denied(self, words: _Words) -> Atom | None:
        if _starts(words, ("the", "game", "is", "not", "over")):
            return Atom("terminal")
        who = self._term(words, 0)
        if who is not None:
            role, rest = who[0], words[who[1] :]
            if _starts(rest, ("is", "not", "one", "of", "the", "players")) and len(rest) == 6:
                return Atom("role", (role,))
            if _starts(rest, ("is", "not", "so")) and len(rest) == 3:
                return Atom("true", (role,))
            for opening, relation in (
                (("does", "not", "choose"), "does"),
                (("may", "not"), "legal"),
            ):
                if _starts(rest, opening):
                    return Atom(relation, (role, self._move(rest[len(opening) :])))
        return self._match(words, denied=True)

    def _atom(self, words: _Words) -> Atom:
        words = _bare(words)
        if _starts(words, ("the", "game", "is", "over")) and len(words) == 4:
            return Atom("terminal")
        atom = self._of_player(words) or self._match(words, denied=False)
        if atom is None:
            raise _unknown(words, "nothing is said like this", self._nearest(words))
        return atom

    def _of_player(self, words: _Words) -> Atom | None:
        """Read what a player may do, does or gets."""
        who = self._term(words, 0)
        if who is None:
            return None
        role, rest = who[0], words[who[1] :]
        if _starts(rest, ("is", "one", "of", "the", "players")) and len(rest) == 5:
            return Atom("role", (role,))
        if _starts(rest, ("is", "so")) and len(rest) == 2:
            return Atom("true", (role,))
        if _starts(rest, ("chooses",)):
            return Atom("does", (role, self._move(rest[1:])))
        if _starts(rest, ("may",)):
            return Atom("legal", (role, self._move(rest[1:])))
        if len(rest) == 1 and rest[0].text.lower() in RESULTS:
            return Atom("goal", (role, Function(RESULTS[rest[0].text.lower()])))
        if _starts(rest, ("gets",)) and rest[-1].text.lower() in ("point", "points"):
            points = self._term(rest, 1)
            if points is not None and points[1] == len(rest) - 1:
                return Atom("goal", (role, points[0]))
        return None

    def _move(self, words: _Words) -> Term:
        words = words[1:] if _starts(words, ("to",)) else words
        for form in self.forms["move"]:
            args = form.read(words, self._term)
            if args is not None:
                return Function(form.name, args)
        whole = self._term(words[1:], 0) if _starts(words, ("do",)) else None
        if whole is not None and whole[1] == len(words) - 1 and isinstance(whole[0], Variable):
            return whole[0]
        raise _unknown(words, "no move is called like this", self._nearest(words, "move"))

    def _fluent(self, words: _Words) -> Term:
        whole = self._of_player(words)
        if whole is not None and whole.relation == "true":
            return whole.args[0]
        for form in self.forms["fluent"]:
            args = form.read(words, self._term)
            if args is not None:
                return Function(form.name, args)
        raise _unknown(words, "nothing that can change is said like this", self._nearest(words))

    def _relation(self, words: _Words) -> Atom:
        for form in self.forms["relation"]:
            args = form.read(words, self._term)
            if args is not None:
                return Atom(form.name, args)
        raise _unknown(words, "nothing is said like this", self._nearest(words))

    def _match(self, words: _Words, *, denied: bool) -> Atom | None:
        for kind in ("fluent", "relation"):
            for form in self.forms[kind]:
                args = form.read(words, self._term, denied=denied)
                if args is not None:
                    is_fluent = kind == "fluent"
                    return (
                        Atom("true", (Function(form.name, args),))
                        if is_fluent
                        else Atom(form.name, args)
                    )
        return None

    def _term(self, words: _Words, at: int) -> tuple[Term, int] | None:
        if at >= len(words):
            return None
        word = words[at]
        low = word.text.lower()
        if low in ("a", "the") and _starts(words[at + 1 :], ("player",)):
            return PLAYER, at + 2
        if word.text == "[":
            return self._compound(words, at + 1)
        if word.kind != "quoted" and low in self.roles:
            return Function(low), at + 1
        if word.kind == "letter":
            return Variable(low), at + 1
        if word.kind in ("word", "number", "quoted"):
            return Function(word.text), at + 1
        return None

    def _compound(self, words: _Words, at: int) -> tuple[Term, int] | None:
        parts: list[Term] = []
        while at < len(words) and words[at].text != "]":
            found = self._term(words, at)
            if found is None:
                return None
            parts.append(found[0])
            at = found[1]
        if at >= len(words) or len(parts) < 2 or not isinstance(parts[0], Function):
            return None
        return Function(parts[0].name, tuple(parts[1:])), at + 1

    def _facts(self, rule: Rule, ranges: list[_Words]) -> Iterator[Rule]:
        """Say a rule of each thing in its ranges."""
        if not ranges:
            yield rule
            return
        choices = [self._range(one) for one in ranges]
        count = 1
        for _, values in choices:
            count *= len(values)
        if count > _MOST_FACTS:
            raise _unknown(ranges[0], f"this says {count:,} things; at most {_MOST_FACTS:,}", "")
        for picked in product(*(values for _, values in choices)):
            bindings: dict[Variable, Term] = {}
            for (letters, _), row in zip(choices, picked, strict=True):
                bindings.update(zip(letters, row, strict=True))
            body = tuple(_bound(f, bindings) for f in rule.body)
            yield Rule(_bound_atom(rule.head, bindings), body)

    def _range(self, words: _Words) -> tuple[list[Variable], list[tuple[Term, ...]]]:
        """Read "A from 1 to 8", "A in x, y", "(A, B) in (1, 2), (2, 3)" or "A then B in 1, 2"."""
        at = next((n for n, w in enumerate(words) if w.text.lower() in ("from", "in")), 0)
        letters = [Variable(word.text.lower()) for word in words[:at] if word.kind == "letter"]
        rest = words[at + 1 :]
        if not letters or not rest:
            raise _unknown(words, "it is not said for which things", 'such as "for A from 1 to 8"')
        if words[at].text.lower() == "from":
            numbers = [int(word.text) for word in rest if word.kind == "number"]
            if len(numbers) != 2 or numbers[1] - numbers[0] > _MOST_FACTS:
                raise _unknown(words, "a range has two numbers", 'such as "for A from 1 to 8"')
            values: list[Term] = [Function(str(n)) for n in range(numbers[0], numbers[1] + 1)]
            return letters, self._rows(words[:at], letters, values)
        values = []
        position = 0
        while position < len(rest):
            if rest[position].text in ("(", ")", ","):
                position += 1
                continue
            found = self._term(rest, position)
            if found is None:
                raise _unknown(rest[position:], "this is not the name of a thing", "")
            values.append(found[0])
            position = found[1]
        return letters, self._rows(words[:at], letters, values)

    def _rows(
        self, words: _Words, letters: list[Variable], values: list[Term]
    ) -> list[tuple[Term, ...]]:
        """Give values to letters: neighbours after *then*, else so many at a time."""
        size = len(letters)
        if any(word.text.lower() == "then" for word in words) and size == 2:
            return list(pairwise(values))
        if len(values) % size:
            raise _unknown(words, f"each thing here needs {size} names", "")
        return [tuple(values[n : n + size]) for n in range(0, len(values), size)]

    def _nearest(self, words: _Words, kind: str = "") -> str:
        """Name the forms that share most words."""
        said = {word.text.lower() for word in words}
        forms = [f for k, group in self.forms.items() for f in group if kind in ("", k)]
        forms.sort(key=lambda f: -len(said & {w.text.lower() for w in split_words(f.text)}))
        if not forms:
            return 'say first what there is, such as "What can change: square A holds B."'
        return f'said is such as "{forms[0].text}"'


_HINT = 'such as "A player may …", "After a move, …", "We say that …" or "The game ends if …"'


def _unknown(words: _Words, message: str, hint: str) -> StatementProblem:
    place = Place(words[0].place.start, words[-1].place.end) if words else Place(0, 1)
    return StatementProblem(Diagnostic.error("ENG001", message, place, hint))


def _starts(words: _Words, opening: tuple[str, ...]) -> bool:
    return len(words) >= len(opening) and all(
        word.kind != "quoted" and word.text.lower() == one
        for word, one in zip(words, opening, strict=False)
    )


def _bare(words: _Words) -> _Words:
    """Leave out commas at both ends."""
    start, end = 0, len(words)
    while start < end and words[start].text in (",", ":", ";"):
        start += 1
    while end > start and words[end - 1].text in (",", ":", ";"):
        end -= 1
    return words[start:end]


def _split(words: _Words, joiner: str) -> list[_Words]:
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.kind == "word" and word.text.lower() == joiner:
            parts.append([])
        else:
            parts[-1].append(word)
    return [_bare(part) for part in parts]


def _split_if(words: _Words) -> list[_Words]:
    """Split a sentence into its head and the conditions after *if* and *or if*."""
    parts = _split(words, "if")
    for number, part in enumerate(parts[1:-1], 1):
        if not part or part[-1].text.lower() != "or":
            raise _unknown(part or words, "other conditions begin with 'or if'", "")
        parts[number] = _bare(part[:-1])
    return parts


def _split_for(words: _Words) -> tuple[_Words, list[_Words]]:
    head, *rest = _split(words, "for")
    if len(rest) > 1 or (rest and not any(w.text.lower() in ("in", "from") for w in rest[0])):
        return words, []  # "for" is a word of the form
    return head, [part for one in rest for part in _split(one, "and")]


def _bound_atom(atom: Atom, bindings: dict[Variable, Term]) -> Atom:
    return Atom(atom.relation, tuple(substitute(term, bindings) for term in atom.args))


def _bound(formula: Formula, bindings: dict[Variable, Term]) -> Formula:
    match formula:
        case Atom():
            return _bound_atom(formula, bindings)
        case Not():
            return Not(_bound(formula.formula, bindings))
        case Distinct():
            return Distinct(substitute(formula.left, bindings), substitute(formula.right, bindings))
    return formula
