"""Strategies: text in, Strategy out; on a StateSpace a MoveSet, which is checked for a Verdict."""

from kibitz.strategy.moveset import MoveSet
from kibitz.strategy.shipped import shipped_names, shipped_text
from kibitz.strategy.strategy import Rule, Strategy, read_strategy, rule_list
from kibitz.strategy.verdict import Counterexample, Verdict, verify

__all__ = [
    "Counterexample",
    "MoveSet",
    "Rule",
    "Strategy",
    "Verdict",
    "read_strategy",
    "rule_list",
    "shipped_names",
    "shipped_text",
    "verify",
]
