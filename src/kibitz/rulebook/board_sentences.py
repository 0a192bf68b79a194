"""How boards, players, pieces and the start are spelled."""

from __future__ import annotations

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Pattern
from kibitz.rulebook.model import EACH, YOU

P = Pattern

BOARDS = (
    P(
        "sentence",
        "the board is a grid of {columns:size} columns and {rows:size} rows",
        m.Grid,
        {"shape": "square"},
        also=(
            "size: {columns:size} by {rows:size}",
            "the board is {columns:size} by {rows:size}",
            "the board has {columns:size} columns and {rows:size} rows",
            "the board is a grid of {columns:size} by {rows:size} cells",
            "the board is a grid of {columns:size} by {rows:size}",
            "the board has {columns:size} by {rows:size} cells",
            "the board has {rows:size} rows and {columns:size} columns",
            "the board is a {columns:size} by {rows:size} grid",
            "the board is a {columns:size} by {rows:size} board",
            "the board is a {columns:size} by {rows:size} square",
            "board: {columns:size} by {rows:size}",
        ),
    ),
    P(
        "sentence",
        "the board is a rhombus of hexagons with {columns:size} columns and {rows:size} rows",
        m.Grid,
        {"shape": "hexagon"},
        also=(
            "the board is a rhombus of {columns:size} by {rows:size} hexagons",
            "the board has {columns:size} by {rows:size} hexagons",
        ),
    ),
    P(
        "sentence",
        "the board is a row of {cells:size} cells",
        m.Row,
        also=("there are {cells:size} cells in a row",),
    ),
    P(
        "sentence",
        "the board is a ring of {cells:size} cells",
        m.Ring,
        also=(
            "there are {cells:size} cells in a ring",
            "the board is a circle of {cells:size} cells",
        ),
    ),
    P(
        "sentence",
        "the board has the points {names:cell+}",
        m.Points,
        also=("points: {names:cell+}", "the points are {names:cell+}"),
    ),
    P(
        "sentence",
        "there are piles of {sizes:size+} counters",
        m.Piles,
        also=(
            "the piles have {sizes:size+} counters",
            "piles: {sizes:size+}",
            "there is a pile of {sizes:size+} counters",
        ),
    ),
    P(
        "sentence",
        "the points {points:cell+} are on a line",
        m.Join,
        also=("a line joins {points:cell+}", "line: {points:cell+}"),
    ),
    P(
        "sentence",
        "point {point:cell} is joined to {others:cell+}",
        m.Neighbours,
        also=(
            "{point:cell} is joined to {others:cell+}",
            "{point:cell} is connected to {others:cell+}",
            "{point:cell} is linked to {others:cell+}",
            "{point:cell} is next to {others:cell+}",
            "the neighbours of {point:cell} are {others:cell+}",
            "a line joins {point:cell} to {others:cell+}",
        ),
    ),
    P(
        "sentence",
        "the cells {cells:cell+} are not part of the board",
        m.Missing,
        also=("the cells {cells:cell+} are missing", "there is no cell {cells:cell+}"),
    ),
)

START = (
    P(
        "sentence",
        "name: {name:title}",
        m.Title,
        also=("game: {name:title}", "title: {name:title}"),
    ),
    P(
        "sentence",
        "players: {names:player+}",
        m.Players,
        also=(
            "player: {names:player+}",
            "the players are {names:player+}",
            "{names:player+} take turns",
            "the player is {names:player+}",
        ),
    ),
    P(
        "sentence",
        "{player:player} begins",
        m.Begins,
        also=(
            "{player:player} moves first",
            "{player:player} starts",
            "{player:player} goes first",
        ),
    ),
    P(
        "sentence",
        "all players move at the same time",
        m.Simultaneous,
        also=(
            "both players move at the same time",
            "the players move at the same time",
            "the players move simultaneously",
            "both players choose at the same time",
            "the players choose at the same time",
            "all players choose at the same time",
        ),
    ),
    P(
        "sentence",
        "the game has {count:size} rounds, and points add up",
        m.Rounds,
        also=(
            "there are {count:size} rounds, and points add up",
            "the game has {count:size} rounds",
            "there are {count:size} rounds",
        ),
    ),
    P(
        "sentence",
        "a turn has {count:number} moves",
        m.MovesPerTurn,
        also=("you make {count:number} moves in a turn", "each turn has {count:number} moves"),
    ),
    P(
        "sentence",
        "{kind:kinds} belong to nobody",
        m.Belongs,
        also=(
            "{kind:kinds} belong to no player",
            "{kind:kinds} belong to both players",
            "{kind:kinds} belong to no one",
            "both players use {kind:kinds}",
            "all players use {kind:kinds}",
        ),
    ),
    P(
        "sentence",
        "there are {kind:kinds} on {region:region}",
        m.Start,
        {"player": YOU},
        also=(
            "there is a {kind:kind} on {region:region}",
            "{kind:kinds} start on {region:region}",
            "{kind:kinds} start in {region:region}",
        ),
    ),
    P(
        "sentence",
        "each player starts with {kind:kinds} on {region:region}",
        m.Start,
        {"player": EACH},
        also=(
            "each player begins with {kind:kinds} on {region:region}",
            "each player has {kind:kinds} on {region:region}",
            "each player starts with a {kind:kind} on {region:region}",
            "each player has a {kind:kind} on {region:region}",
            "both players start with {kind:kinds} on {region:region}",
        ),
    ),
    P(
        "sentence",
        "each player starts with {count:number} {kind:kinds} on {region:region}",
        m.Start,
        {"player": EACH},
        also=(
            "each player begins with {count:number} {kind:kinds} on {region:region}",
            "each player has {count:number} {kind:kinds} on {region:region}",
        ),
    ),
    P(
        "sentence",
        "{player:player} starts with {kind:kinds} on {region:region}",
        m.Start,
        also=(
            "{player:player} begins with {kind:kinds} on {region:region}",
            "{player:player} starts with a {kind:kind} on {region:region}",
            "{player:player} has {kind:kinds} on {region:region}",
            "{player:player} has a {kind:kind} on {region:region}",
            "{player:player} 's {kind:kinds} start on {region:region}",
        ),
    ),
    P(
        "sentence",
        "{player:player} starts with {count:number} {kind:kinds} on {region:region}",
        m.Start,
        also=(
            "{player:player} begins with {count:number} {kind:kinds} on {region:region}",
            "{player:player} has {count:number} {kind:kinds} on {region:region}",
        ),
    ),
    P(
        "sentence",
        "each player has {count:number} {kind:kinds} in hand",
        m.Hand,
        {"player": YOU},
        also=(
            "every player has {count:number} {kind:kinds} in hand",
            "each player has {count:number} {kind:kinds} to place",
            "each player starts with {count:number} {kind:kinds} in hand",
        ),
    ),
    P("sentence", "{player:player} has {count:number} {kind:kinds} in hand", m.Hand),
    P(
        "sentence",
        "{player:player} has the pits {cells:cell+} with {seeds:number} seeds each",
        m.Pits,
        also=("{player:player} owns the pits {cells:cell+} with {seeds:number} seeds each",),
    ),
    P(
        "sentence",
        "{player:player} has the store {cell:cell}",
        m.Store,
        also=(
            "{player:player} 's store is {cell:cell}",
            "{player:player} 's store is pit {cell:cell}",
        ),
    ),
    P(
        "sentence",
        "each player starts with {count:number} {noun:kinds} and can hold {most:number}",
        m.Stock,
        also=("every player starts with {count:number} {noun:kinds} and can hold {most:number}",),
    ),
)
