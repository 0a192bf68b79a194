"""Text in plain English in, Rules out; what is not understood is an error at its word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from kibitz.errors import Diagnostic, Place, RuleSheetError, Source
from kibitz.gdl import source_of
from kibitz.rulebook import prose as free
from kibitz.rulebook.certainty import is_decisive, lost_word, written
from kibitz.rulebook.grammar import RESERVED, NotSaid, Token, number_of
from kibitz.rulebook.model import EACH, YOU, Players, Rules, Sentence, Start, Statement, Title
from kibitz.rulebook.paraphrases import needs_no_rule, paraphrased
from kibitz.rulebook.prose.tables import word_set
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.statements.translation import has_letters, statement_problems

MAX_CHARACTERS = 20_000
MAX_SENTENCES = 200
MAX_WORDS = 150
MAX_LETTERED = 100_000
"""Characters of a text with letters."""

_TOKEN = re.compile(r"Player \d+\b|'s\b|(?<=s)'(?=\s)|×|[^\W_](?:[\w-]|['’](?!s\b)(?=\w))*")
_END = re.compile(r"(?<!\n\d)[.!](?=\s|$)|\n|$")
_TIMES = re.compile(r"(\d+)([x×])(\d+)")


_SIGNS = {"×": "by", "'": "'s"}


_SIGN = re.compile(r"[<>=≤≥≠+%~^]+")
"""Signs that change a meaning; brackets, dashes and quotes do not."""

_REMARK_HINT = "if it is a rule that the others do not have, write it in other words"


class Reading:
    """Rules, the place of each of their sentences in the source, and what was no rule."""

    def __init__(
        self,
        source: Source,
        found: list[tuple[Sentence, Place]],
        players: tuple[str, ...] = (),
        remarks: Iterable[Place] = (),
    ) -> None:
        self.source = source
        self.remarks = tuple(
            Diagnostic.remark("ENG006", "taken as a remark, not as a rule", place, _REMARK_HINT)
            for place in remarks
        )
        self._players = players
        self.rules = Rules.of(sentence for sentence, _ in found)
        self._places = {id(sentence): place for sentence, place in found}

    def whole(self) -> Rules:
        """Return the rules with those who play, if that is only known from the words."""
        players = [Players(self._players)] if self._players else []
        return Rules.of([*self.rules.sentences, *players])

    def place(self, sentence: Sentence) -> Place:
        """Return where a sentence is."""
        return self._places.get(id(sentence), Place(0, 1))


def read_sentences(text: str | bytes, *, name: str = "rules") -> Reading:
    """Read rules in English; raise RuleSheetError with every sentence that is not understood.

    >>> reading = read_sentences("The board is a grid of 3 columns and 3 rows. White begins.")
    >>> reading.rules.sentences[1]
    Begins(player='White')
    """
    source = source_of(text, name=name)
    spans = _spans(source.text[:MAX_LETTERED])
    texts = [source.text[start:end] for start, end in spans]
    lettered = has_letters(texts)
    most = MAX_LETTERED if lettered else MAX_CHARACTERS
    if len(source.text) > most:
        message = f"the text has {len(source.text):,} characters; at most {most:,} are read"
        raise RuleSheetError(source, [Diagnostic.error("ENG004", message, Place(0, 1))])
    if lettered:
        return _read_lettered(source, spans)
    found: list[tuple[Sentence, Place]] = []
    problems: list[Diagnostic] = []
    sentences = _sentences(source.text)
    if len(sentences) > MAX_SENTENCES:
        message = f"there are {len(sentences):,} sentences; at most {MAX_SENTENCES} are read"
        place = sentences[MAX_SENTENCES][0].place
        raise RuleSheetError(source, [Diagnostic.error("ENG004", message, place)])
    players = _names(sentences)

    @cache
    def prose() -> free.Prose:  # made only for what the table does not have
        return free.Prose(players, is_hexagonal=_has_hexagons(source.text))

    title_line = _title_line(source.text)
    for tokens in sentences:
        place = Place(tokens[0].place.start, tokens[-1].place.end)
        if len(tokens) > MAX_WORDS:
            message = f"this sentence has {len(tokens)} words; at most {MAX_WORDS} are read"
            problems.append(Diagnostic.error("ENG004", message, tokens[0].place))
            continue
        said: list[Sentence] | None = None
        known: set[Sentence] = set()
        value, reached, expected = GRAMMAR.parse(tokens)
        if value is None and title_line and place.start == title_line.start:
            said = prose().read(tokens)
            if said is None or not any(isinstance(one, Players) for one in said):
                value = Title(source.text[title_line.start : title_line.end])
        if value is not None:
            said = [_of_player(value, players)]
        elif (read := prose().read(*free.without_heading(tokens, source.text))) is not None:
            known = {sentence for sentence, _ in found if not isinstance(sentence, free.Remark)}
            said = list(dict.fromkeys(_of_player(one, players) for one in read))
        elif not found and not problems and free.is_introduction(tokens):
            said = [free.Remark()]
        elif not needs_no_rule(tokens):
            others = paraphrased(tokens, players, _is_understood)
            if others is None and not found and not problems and _may_be_title(tokens):
                title = source.text[place.start : place.end].strip(" .")
                if len(sentences) > 2 and _is_title_case(title):
                    found.append((Title(title), place))
                    continue
                message = "this is not understood; is it the name of the game?"
                hint = f'write "Name: {title}."'
                problems.append(Diagnostic.error("ENG001", message, place, hint))
            elif others is None:
                further = [n for n, one in enumerate(tokens) if one.place.start >= prose().reached]
                if min(further, default=len(tokens)) > reached:
                    reached, expected = min(further, default=len(tokens)), []
                without = ((one, [t for t in tokens if t is not one]) for one in tokens[1:])
                heard = ((one, prose().read(t)) for one, t in without if is_decisive(one))
                lost = next(((one, said) for one, said in heard if said), None)
                problems.append(
                    _lost(*lost) if lost else _problem(tokens, source, reached, expected)
                )
            else:
                said = [_of_player(GRAMMAR.parse(one)[0], players) for one in others]
        if said is not None:
            problems += _doubts(tokens, source, said)
            found += [(one, place) for one in said if one not in known]
    if problems:
        raise RuleSheetError(source, problems)
    remarks = [place for one, place in found if isinstance(one, free.Remark) and one.is_reported]
    try:
        found = free.settled(found, players)
    except NotSaid as problem:
        message = "this contradicts another sentence, or does not go with the others"
        raise RuleSheetError(
            source, [Diagnostic.error("ENG005", message, problem.args[0])]
        ) from None
    named = any(isinstance(sentence, Players) for sentence, _ in found)
    if not named:
        found += _players_with_pieces(found)
        named = any(isinstance(sentence, Players) for sentence, _ in found)
    players = () if named else _unnamed(players, sentences)
    return Reading(source, found, players, dict.fromkeys(remarks))


def _has_hexagons(text: str) -> bool:
    """Return whether a text speaks of hexagons; hexapawn is played on squares."""
    return re.search(r"\bhex(?:es|agons?|agonal)?\b", text, re.IGNORECASE) is not None


def _unnamed(names: tuple[str, ...], sentences: list[list[Token]]) -> tuple[str, ...]:
    """Return who plays where no sentence says so; two without names, if there are players."""
    words = {token.stem for tokens in sentences for token in tokens}
    if not names and {"player", "opponent", "children", "people"} & words:
        return ("First", "Second")
    return names


def _players_with_pieces(
    found: list[tuple[Sentence, Place]],
) -> Iterator[tuple[Sentence, Place]]:
    """Yield who plays where nothing says so: those who start with pieces, in that order."""
    named = {
        sentence.player: place
        for sentence, place in found
        if isinstance(sentence, Start) and sentence.player not in (YOU, EACH)
    }
    if len(named) > 1:
        yield Players(tuple(named)), next(iter(named.values()))


def _title_line(text: str) -> Place | None:
    """Return the place of a title: some words alone on the first line, without a full stop."""
    match = re.match(r"\s*(\S[^\n.:!]*?)[ \t]*\n\s*[A-Z]", _without_comments(text))
    if match is None or len(match[1].split()) > 7:
        return None
    return Place(match.start(1), match.end(1))


def _may_be_title(tokens: list[Token]) -> bool:
    """Return whether the first words of a text are few and say nothing of anything."""
    words = {token.text.lower() for token in tokens} - {"and", "the", "of", "a", "in", "game"}
    return len(tokens) <= 5 and not words & RESERVED


def _is_title_case(text: str) -> bool:
    return all(word[:1].isupper() or len(word) < 4 for word in re.findall(r"\w+", text))


def _is_understood(tokens: list[Token]) -> bool:
    return GRAMMAR.parse(tokens)[0] is not None


def _player_names(sentences: list[list[Token]]) -> tuple[str, ...]:
    """Return the names of the players, which other sentences may use with an article."""
    for tokens in sentences:
        stems = {token.stem for token in tokens}
        if len(tokens) <= MAX_WORDS and {"player", "turn", "played"} & stems:
            value = GRAMMAR.parse(tokens)[0]
            others = [tokens] if value is not None else paraphrased(tokens, (), _is_understood)
            for one in others or ():
                value = GRAMMAR.parse(one)[0]
                if isinstance(value, Players):
                    return value.names
    starts = [tokens[0].text for tokens in sentences if _begins_with_player(tokens)]
    names = tuple(dict.fromkeys(starts))
    return names if len(names) > 1 else ()


def _begins_with_player(tokens: list[Token]) -> bool:
    """Return whether a sentence says what somebody with a name has at the start."""
    stems = [token.stem for token in tokens[:3]]
    has = stems[1:2] == ["has"] or stems[1:] == ["start", "with"]
    return has and tokens[0].text.istitle() and stems[0] not in RESERVED


def _of_player(sentence: Sentence, players: tuple[str, ...]) -> Sentence:
    """Read *Cat starts on a1* as a piece of the player with that name."""
    if isinstance(sentence, Start) and not sentence.player:
        for name in players:
            if name.lower() == sentence.kind:
                return Start(name, "piece", sentence.region)
    return sentence


def _read_lettered(source: Source, spans: list[tuple[int, int]]) -> Reading:
    """Read a text that names its own forms: who plays, the title, and sentences with letters."""
    found: list[tuple[Sentence, Place]] = []
    statements: list[tuple[str, int]] = []
    for start, end in spans:
        tokens = _tokens(source.text, start, end)
        text = source.text[start:end]
        value = None
        if re.match(r"(players?|name|title|game)\s*:", text, re.IGNORECASE):
            value = GRAMMAR.parse(tokens)[0]
        if isinstance(value, Players | Title):
            found.append((value, Place(start, end)))
        else:
            statements.append((text, start))
            found.append((Statement(" ".join(text.split()) + "."), Place(start, end)))
    players = next((one.names for one, _ in found if isinstance(one, Players)), ())
    problems = statement_problems(statements, players)
    if problems:
        raise RuleSheetError(source, problems)
    return Reading(source, found)


def split_sentences(text: str) -> list[tuple[Sentence | None, Place]]:
    """Return the sentences of a text and their places; None for one that is not understood.

    Of a sentence that says several things the first is returned.

    >>> [(found, place.end) for found, place in split_sentences("X begins. Hm.")]
    [(Begins(player='X'), 8), (None, 12)]
    >>> split_sentences("Whoever can't move loses.")[0][0]
    End(player='', result='loses', conditions=(CannotMove(owner=''),))
    """
    sentences = _sentences(text[:MAX_CHARACTERS])[:MAX_SENTENCES]
    prose = free.Prose(_names(sentences), is_hexagonal=_has_hexagons(text))
    found: list[tuple[Sentence | None, Place]] = []
    for tokens in sentences:
        value = GRAMMAR.parse(tokens)[0] if len(tokens) <= MAX_WORDS else None
        if value is None and len(tokens) <= MAX_WORDS:
            said = prose.read(*free.without_heading(tokens, text))
            value = None if said is None else next(iter(said), free.Remark())
        found.append((value, Place(tokens[0].place.start, tokens[-1].place.end)))
    return found


def _names(sentences: list[list[Token]]) -> tuple[str, ...]:
    return _player_names(sentences) or free.player_names(sentences)


def looks_english(text: str) -> bool:
    """Return whether a text is rules in English rather than GDL, by its first words.

    >>> looks_english("# My game\\nThe board is a row of 5 cells."), looks_english("(role x)")
    (True, False)
    >>> looks_english("role(x). init(cell(1)).")
    False
    """
    sentences = _sentences(text[:MAX_CHARACTERS])[:3]
    if not sentences or looks_formal(text):
        return False
    return any(GRAMMAR.parse(tokens)[0] is not None for tokens in sentences if len(tokens) < 50)


def looks_formal(text: str) -> bool:
    """Return whether a text begins as GDL and Ludii's sheets do: with a comment or a term.

    >>> looks_formal("; rules\\n(role x)"), looks_formal("role(x)."), looks_formal("Size: 3 by 3.")
    (True, True, False)
    """
    start = _without_comments(text[:MAX_CHARACTERS])
    return re.match(r"\s*([(;%]|//|[a-z_]\w*\()", start) is not None


def looks_like_prose(text: str) -> bool:
    """Return whether a text begins with a few words, as sentences do, understood or not.

    >>> looks_like_prose("We play on a chessboard."), looks_like_prose("tictactoe")
    (True, False)
    """
    start = _without_comments(text[:MAX_CHARACTERS])
    return re.match(r"\s*[A-Za-z][\w'’-]*[,:]?(\s+[\w'’-]+,?){2}", start) is not None


def _without_comments(text: str) -> str:
    return re.sub(r"#[^\n]*", lambda match: " " * len(match.group()), text)


def _sentences(text: str) -> list[list[Token]]:
    """Split a text into sentences of words."""
    text = _without_comments(text)
    found = (_tokens(text, start, end) for start, end in _spans(text))
    return [tokens for tokens in found if tokens and not _is_item_number(tokens)]


def _is_item_number(tokens: list[Token]) -> bool:
    """Return whether a sentence is only the number of an item: *2.*, *Rules: 1.*"""
    heading = [token.text.lower() for token in tokens[:-1]]
    return heading in ([], ["rules"]) and re.fullmatch(r"\d\d?", tokens[-1].text) is not None


def _spans(text: str) -> list[tuple[int, int]]:
    """Return where sentences begin and end; a line such as "Size: 3 by 3" ends by itself."""
    text = _without_comments(text)
    found: list[tuple[int, int]] = []
    start = 0
    title = _title_line(text)
    if title is not None:
        found.append((title.start, title.end))
        start = title.end
    for match in _END.finditer(text, start):
        if match.group() == "\n" and not re.match(r"\s*\w+:|\s*$", text[start : match.start()]):
            rest = text[match.end() :]
            if not re.match(r"\s*(\n|$)|\s*\w+:|\s*([-*•]|\d+[.)])\s", rest):
                continue
        words = text[start : match.start()]
        if words.strip():
            begin = start + len(words) - len(words.lstrip())
            found.append((begin, start + len(words.rstrip())))
        start = match.end()
    return found


def _tokens(text: str, start: int, end: int) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text[start:end].replace("’s", "'s")):
        place = Place(start + match.start(), start + match.end())
        times = _TIMES.fullmatch(match.group())
        words = (times[1], "by", times[3]) if times else (match.group().replace(" ", ""),)
        apart = re.search(r"[,;:]\s*$", text[start : place.start]) is not None
        found += [Token(_SIGNS.get(word, word), place, apart) for word in words]
    for at, (before, token, after) in enumerate(zip(found, found[1:], found[2:], strict=False), 1):
        if token.text == "x" and number_of(before.text) and number_of(after.text):
            found[at] = replace(token, text="by")  # *3 x 3*, not the name of a point or a player
    return found


def _doubts(tokens: list[Token], source: Source, said: list[Sentence]) -> Iterator[Diagnostic]:
    """Yield what a reading passes over: a sign that is no word, or a word that it loses."""
    if any(isinstance(one, Title) for one in said):
        return
    sign = _SIGN.search(source.text, tokens[0].place.start, tokens[-1].place.end)
    if sign is not None:
        place, message = Place(*sign.span()), f"'{sign.group()}' is not understood here"
        yield Diagnostic.error("ENG001", message, place, "say it in words")
    elif (lost := lost_word(tokens, said)) is not None:
        yield _lost(lost, said)


def _lost(token: Token, said: list[Sentence]) -> Diagnostic:
    texts = " ".join(written(said))
    hint = f'without it this would say "{texts}"' if texts else ""
    message = f"what '{token.text}' says here is not understood"
    return Diagnostic.error("ENG001", message, token.place, hint)


def _problem(tokens: list[Token], source: Source, reached: int, expected: list[str]) -> Diagnostic:
    if reached < len(tokens):
        place = tokens[reached].place
        seen = f"'{source.text[place.start : place.end]}'"
    else:
        end = tokens[-1].place.end
        place, seen = Place(end, end + 1), "the end of the sentence"
    wanted = expected[:6]
    if reached == 0:
        message = f"this sentence is not understood at {seen}"
    elif not wanted:
        message = f"{seen} is not understood here"
    else:
        listed = " or ".join([", ".join(wanted[:-1]), wanted[-1]] if len(wanted) > 1 else wanted)
        more = " or another word" if len(expected) > 6 else ""
        message = f"{seen} is not understood here; expected {listed}{more}"
    nearest = _nearest(tokens)
    hint = f'a sentence like this is understood: "{nearest}"' if nearest else ""
    return Diagnostic.error("ENG001", message, place, hint)


_PARTICLES = word_set("""
    a the of on in to is be has there no not you your if with from and or for by it at that which
    first second third one two three may must move turn game
    """)
"""Words that do not make one sentence like another."""


def _nearest(tokens: list[Token]) -> str:
    """Return the sentence of the table that is most like some words, rare ones first, if any is."""
    words = {token.stem for token in tokens}
    known = [one for one in _known_sentences() if one[1] & words - _PARTICLES]
    shared = Counter(stem for _, stems in known for stem in stems)
    scores: list[float] = []
    for _, stems in known:
        weight = sum(1 / shared[stem] for stem in stems & words)
        size = sum(1 / shared[stem] for stem in stems)
        scores.append(len(stems & words) / len(stems | words) + weight / size)
    # Of sentences that are about as like, the first of the table is the plainest.
    most = max(scores, default=0)
    near = (text for (text, _), score in zip(known, scores, strict=True) if score > most - 0.1)
    return next(near, "")


@cache
def _known_sentences() -> list[tuple[str, frozenset[str]]]:
    """Return all sentences of the table with the words of each."""
    found: dict[str, frozenset[str]] = {}
    for pattern in GRAMMAR.of("sentence"):
        for text in GRAMMAR.examples(pattern):
            found[text] = frozenset(token.stem for token in _tokens(text, 0, len(text)))
    return list(found.items())
