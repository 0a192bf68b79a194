"""A Report in, the sections of its page out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kibitz.present.report.charts import Share, legend, length_chart, share_bar
from kibitz.present.report.figures import Estimate, OutcomeChances, Report
from kibitz.present.report.text import how_few_rules, how_long, percent, short, signed

__all__ = ["sections"]

_MOST = 40


def sections(report: Report) -> Iterator[str]:
    """Write what was found out, question by question."""
    if report.sampled:
        yield _section("What matches showed", _sampled(report))
    if report.lengths:
        rows = "".join(
            f'<tr><th class="name">{escape(name)} play</th><td class="name">{how_long(x)}</td></tr>'
            for name, x in report.lengths.items()
        )
        chart = length_chart(report.lengths["random"].chances)
        yield _section("How long it lasts", f"<table>{rows}</table>{chart}")
    if report.branching:
        wide = report.branching
        yield _section(
            "How wide it is",
            f"<p>A state has {wide.over_states:.1f} joint moves to choose from on average, "
            f"{wide.in_random_play:.1f} as random matches meet them, and {wide.most} at most. "
            f"Of the moves of a random match {percent(wide.forced)} are forced.</p>",
        )
    if report.values_of_states and len(report.roles) > 1:
        total = sum(report.values_of_states.values())
        tones = ("role0", "even", "role1")
        counts = zip(report.values_of_states.items(), tones, strict=True)
        shares = [Share(name, n / total, tone) for (name, n), tone in counts]
        yield _section("What its states are worth", share_bar(shares) + legend(shares, told=True))
    if report.outcomes:
        yield _section("Who wins, by skill", _skills(report))
    if report.decisions:
        yield _section("Decisions that matter", _decisions(report))
    if report.openings:
        yield _section("First moves", _openings(report))
    if report.rule_counts:
        yield _section("Rules that a player must know", _rules(report))
    if report.hardest:
        yield _section("The hardest positions", _hardest(report))
    if report.symmetries and report.symmetries.order > 1:
        items = "".join(
            f"<li><code>{escape('; '.join(words[:12]))}</code>{' …' * (len(words) > 12)}</li>"
            for words in report.symmetries.generators
        )
        told = f"<p>{report.symmetries.order:,} in all, made of these:</p><ul>{items}</ul>"
        yield _section("Symmetries", told)
    if report.deadwood:
        yield _section("What the rule sheet could do without", _dead(report))
    if report.missing:
        items = "".join(
            f"<li>{escape(n.replace('_', ' '))}: {escape(why)}</li>"
            for n, why in report.missing.items()
        )
        yield _section("Left out", f"<ul>{items}</ul>")


def _section(title: str, body: str) -> str:
    return f"<section><h3>{title}</h3>{body}</section>"


def _shares(outcome: OutcomeChances) -> list[Share]:
    wins = list(outcome.wins.items())
    if len(wins) == 1:
        all_ = wins[0][1]
        return [
            Share("as much as best play", all_, "role0"),
            Share("less", 1 - all_ - outcome.unfinished, "even"),
            Share("not ended", outcome.unfinished, "open"),
        ]
    parts = [Share(f"{role} wins", share, f"role{i % 6}") for i, (role, share) in enumerate(wins)]
    rest = 1 - sum(share for _, share in wins) - outcome.drawn - outcome.unfinished
    middle = [
        Share("drawn", outcome.drawn, "even"),
        Share("first place shared", rest, "mix"),
        Share("not ended", outcome.unfinished, "open"),
    ]
    return [parts[0], *middle, *parts[1:]]


def _skills(report: Report) -> str:
    rows = []
    names: dict[str, Share] = {}
    for player in report.players:
        outcome = report.outcome(player)
        if outcome is None:
            continue
        shares = _shares(outcome)
        names |= {share.name: share for share in shares if share.size > 1e-9}
        gain = report.advantage(player)
        goals = " / ".join(f"{goal:.1f}" for goal in outcome.goals.values())
        rows.append(
            f'<tr><th class="name">{escape(player)}</th><td class="bar">{share_bar(shares)}</td>'
            f"<td>{goals}</td><td>{'' if gain is None else signed(gain)}</td></tr>"
        )
    first = "first mover’s edge" if report.first and len(report.roles) > 1 else ""
    table = (
        '<div class="wide"><table class="bars"><thead><tr><th class="name">all play</th><th></th>'
        f"<th>mean goals</th><th>{first}</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
        "</div>"
    )
    return (
        table
        + legend(names.values())
        + (_matrix(report) if len(report.roles) == 2 else _seats(report))
    )


def _matrix(report: Report) -> str:
    """Write what the first mover gets when each kind of player meets each other."""
    players = [name for name in report.players if report.outcome(name)]
    role = report.first or report.roles[0]
    if len(players) < 2:
        return ""
    other = next(r for r in report.roles if r != role)
    known = {(o.players[role], o.players[other]): o for o in report.outcomes}
    head = "".join(f"<th>{escape(name)}</th>" for name in players)
    rows = "".join(
        f'<tr><th class="name">{escape(one)}</th>'
        + "".join(_shaded(known[one, two].goals[role]) for two in players)
        + "</tr>"
        for one in players
    )
    return (
        f"<p>What {escape(role)} gets on average, of each skill (rows) against each (columns):</p>"
        f'<div class="wide"><table class="matrix"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _seats(report: Report) -> str:
    mixed = [o for o in report.outcomes if len(set(o.players.values())) > 1]
    if not mixed:
        return ""
    rows = []
    for outcome in mixed:
        names = list(outcome.players.values())
        role = next(r for r, n in outcome.players.items() if names.count(n) == 1)
        kind = outcome.players[role]
        cells = "".join(_shaded(goal) for goal in outcome.goals.values())
        rows.append(f'<tr><th class="name">{escape(role)} {escape(kind)}</th>{cells}</tr>')
    head = "".join(f"<th>{escape(role)}</th>" for role in report.roles)
    return (
        "<p>Mean goals when one plays otherwise than the rest, who are random:</p>"
        f'<table class="matrix"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _shaded(goal: float) -> str:
    return f'<td style="--v:{max(0.0, min(1.0, goal / 100)):.2f}">{goal:.1f}</td>'


def _decisions(report: Report) -> str:
    made = report.decisions
    assert made is not None
    if not made.that_matter:
        return "<p>None: no move in any state gives away what can be got.</p>"
    by_role = ", ".join(f"{escape(role)} {n:,}" for role, n in made.by_role.items())
    return (
        f"<p>In {made.that_matter:,} of {made.with_choice:,} states with a choice some moves keep "
        f"what the state is worth and others do not ({by_role}). Best play comes to "
        f"{made.on_best_play:,} of them; {made.only_move:,} have a single right move. A random "
        f"match has {made.per_random_match:.1f} such decisions on average, one of best play "
        f"{made.per_best_match:.1f}. Where it matters, {percent(made.mistakes)} of random moves "
        "are mistakes.</p>"
    )


def _openings(report: Report) -> str:
    scores = list(report.openings[0].scores)
    head = "".join(f"<th>{escape(name)}</th>" for name in scores)
    rows = []
    for opening in report.openings[:_MOST]:
        worth = " / ".join("–" if v is None else f"{v:g}" for v in opening.value.values())
        alike = f" <small>× {opening.alike}</small>" if opening.alike > 1 else ""
        sign = '<b class="keep">keeps</b>' if opening.keeps_value else '<span class="bad">no</span>'
        best = " <b>dominant</b>" if opening.is_dominant else ""
        cells = "".join(_shaded(score) for score in opening.scores.values())
        rows.append(
            f'<tr><td class="name"><code>{escape(opening.move)}</code>{alike}{best}</td>'
            f"<td>{sign}</td><td>{worth}</td>{cells}</tr>"
        )
    more = len(report.openings) - _MOST
    return (
        "<p>Whether a first move keeps the value, what it is worth then, and what its maker gets "
        "on average when both go on with the same skill. A <b>dominant</b> one is the best at "
        "every skill.</p>"
        '<div class="wide"><table class="matrix"><thead><tr><th class="name">move</th>'
        f"<th>value</th><th>worth</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"</div>{f'<p>and {more} more</p>' if more > 0 else ''}"
    )


def _rules(report: Report) -> str:
    parts = []
    for found in report.rule_counts:
        if found.rules is None:
            parts.append(f"<p><b>{escape(found.role)}</b>: {escape(found.why)}</p>")
            continue
        parts.append(
            f"<details><summary><b>{escape(found.role)}</b>: {found.rules} rule{_s(found.rules)} "
            f"with {found.literals} literal{_s(found.literals)} play{'s' * (found.rules == 1)} "
            f"perfectly; {how_few_rules(found)}</summary>"
            f"<pre>{escape(found.strategy)}</pre></details>"
        )
    return "".join(parts)


def _s(number: int | None) -> str:
    return "" if number == 1 else "s"


def _hardest(report: Report) -> str:
    cards = []
    for hard in report.hardest:
        chances = ", ".join(f"{escape(n)} {percent(p)}" for n, p in hard.chances.items())
        wins = f"<br>Wins against perfect play: {chances}" if chances else ""
        length = "" if hard.distance is None else f", {hard.distance} moves from the end"
        moves = escape(", ".join(hard.good))
        cards.append(
            f'<figure class="hard">{hard.picture}<figcaption><b>{escape(hard.role)}</b> to move'
            f"{length}: {len(hard.good)} of {hard.moves} moves right, <code>{moves}</code>{wins}"
            "</figcaption></figure>"
        )
    return f'<div class="cards">{"".join(cards)}</div>'


def _dead(report: Report) -> str:
    dead = report.deadwood
    assert dead is not None
    if dead.is_empty and not dead.unsettled:
        return "<p>Nothing: some match needs every rule.</p>"
    items = [
        f"line {rule.line}: {escape(rule.why)}<br><code>{escape(rule.rule)}</code>"
        for rule in dead.rules
    ]
    items += _never("Never hold", dead.fluents_never)
    items += _never("Always hold", dead.fluents_always)
    for role, moves in dead.moves_never.items():
        items += _never(f"Never legal for {escape(role)}", moves)
    for role, goals in dead.goals_never.items():
        items += _never(f"Goals that {escape(role)} never ends with", [str(g) for g in goals])
    if dead.unsettled:
        items.append(f"It is not known whether {dead.unsettled} more rules ever fire.")
    listed = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{listed}</ul>"


def _never(what: str, words: Sequence[str]) -> list[str]:
    if not words:
        return []
    more = f" and {len(words) - _MOST} more" if len(words) > _MOST else ""
    return [f"{what}: <code>{escape(' '.join(words[:_MOST]))}</code>{more}"]


def _sampled(report: Report) -> str:
    head = "".join(f"<th>{escape(role)} wins</th>" for role in report.roles)
    rows = "".join(
        f'<tr><th class="name">{escape(s.player)}</th><td>{s.matches:,}</td>'
        f"<td>{_about(s.length)}</td><td>{s.shortest} to {s.longest}</td>"
        f"<td>{_about(s.branching)}</td>"
        + "".join(f"<td>{_about(share, 100)}%</td>" for share in s.wins.values())
        + f"<td>{_about(s.drawn, 100)}%</td><td>{s.unfinished}</td></tr>"
        for s in report.sampled
    )
    return (
        f"<p>It was not solved: {escape(report.why_unsolved)}. So these are estimates from "
        "matches, each with its interval.</p>"
        '<div class="wide"><table><thead><tr><th class="name">players</th><th>matches</th>'
        f"<th>moves</th><th>span</th><th>choices</th>{head}<th>drawn</th><th>broken off</th></tr>"
        f"</thead><tbody>{rows}</tbody></table></div>"
        + "<p>Time ended some of it.</p>"
        * any(s.time_ended for s in report.sampled)
    )


def _about(found: Estimate, scale: float = 1.0) -> str:
    low, high = scale * found.low, scale * found.high
    mean = short(scale * found.mean)
    return f"{mean} <small>[{short(low)}, {short(high)}]</small>"
