"""Values that a sheet remembers in, fluents `(remembered NAME VALUE)` and rules for them out."""

from __future__ import annotations

from kibitz.gdl import Atom, Function, Not, Term
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Bodies, Compiler, Context, constant, joined
from kibitz.ludii.translation.effects import EFFECTS
from kibitz.ludii.translation.expressions import REGIONS, site
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import is_value, values

__all__ = ["emit_memory"]


def _name(ludeme: Ludeme) -> Function:
    text = next((item.name for item in ludeme.items if item.shape == "text"), "value")
    return constant("".join(ch if ch.isalnum() else "_" for ch in text).lower())


@EFFECTS("remember Value", "forget Value")
def _remember(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Remember or forget a site or a number."""
    c.needed.add("remembered")
    items = [i for i in ludeme.unlabelled()[1:] if i.shape != "text" and i.name != "then"]
    name = _name(ludeme)
    head = "remembers" if ludeme.name == "remember" else "forgets"
    if head == "forgets" and (not items or items[0].name == "All"):
        value = c.fresh("v")
        every = joined(when, [(c.fluent("remembered", name, value),)])
        c.rule(Atom("forgets", (name, value)), every)
        c.forgets.append((context.stage, ludeme))
        c.rule(Atom(f"forgets_all_{context.stage}", (name,)), when)
        return
    if not items:
        raise Unsupported(ludeme)
    found = (
        [(one.body, one.term) for one in values(c, items[0], context)]
        if is_value(items[0]) or items[0].shape == "word"
        else site(c, items[0], context)
    )
    for body, term in found:
        c.rule(Atom(head, (name, term)), joined(when, [body]))
        if head == "remembers":
            c.remembers.append((context.stage, ludeme))
            c.rule(Atom(f"remembers_{context.stage}", (name, term)), joined(when, [body]))


@REGIONS("values Remembered")
def _remembered(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return what is remembered, also by the move that is being made."""
    c.real(context, ludeme)
    c.needed.add("remembered")
    name = _name(ludeme)
    now: Bodies = [(c.fluent("remembered", name, term),)]
    return now if not context.stage else [*now, (Atom("remembers", (name, term)),)]


def emit_memory(c: Compiler) -> None:
    """Add the rules for what is remembered in the next position."""
    name, value = c.fresh("v"), c.fresh("n")
    head = Atom("next", (Function("remembered", (name, value)),))
    for stage in {stage for stage, _ in c.remembers}:
        later = {one for one, _ in c.forgets if one > stage}
        gone = (Not(Atom(f"forgets_all_{one}", (name,))) for one in sorted(later))
        c.rule(head, [(Atom(f"remembers_{stage}", (name, value)), *gone)])
    for stage, ludeme in c.remembers:
        for other, forget in c.forgets:
            if stage == other and ludeme.place.start < forget.place.start:
                c.problems.add(Unsupported(forget, "after something was remembered"))
    kept = (c.fluent("remembered", name, value), Not(Atom("forgets", (name, value))))
    c.rule(head, [kept])
