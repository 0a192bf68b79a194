"""Loops over gates, compiled by numba: make them, put others in their place, and order them.

Gates are those of `engine.grounding.network`: the AND of two literals, a literal being twice a
node's number, plus one where it is negated. Here they are rows of an array, found by a hash table,
so that equal gates are made once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native

__all__ = ["FULL", "conjoin", "cut_cone", "place_gates", "substitute"]

Numbers = npt.NDArray[Any]
Number = Any
"""An integer of numba, whose type no checker knows."""

FULL = -2
"""In the place of a literal: there is no room for another gate."""
_NEW = -3


@native
def _simplify(a: Number, b: Number, gates: Numbers, first: int) -> Number:
    """Look one level down for a literal that decides or repeats the other; else say it is new.

    A literal of the answer may need another AND: that of `a` and minus the answer less four.
    """
    for swap in range(2):
        one, other = (a, b) if swap else (b, a)
        node = (one >> 1) - first
        if node < 0:
            continue
        left, right = gates[node, 0], gates[node, 1]
        if other in (left, right):
            if one & 1 == 0:
                return one
            rest = right if left == other else left
            return -4 - (2 * (rest ^ 1) + swap)
        if other ^ 1 in (left, right):
            return 0 if one & 1 == 0 else other
    return _NEW


@native
def conjoin(
    a: Number, b: Number, gates: Numbers, count: Numbers, table: Numbers, first: int
) -> Number:
    """Return the AND of two literals, as a gate that is known or new."""
    while True:
        if a > b:
            a, b = b, a
        if a <= 1:
            return b if a else 0
        if a >> 1 == b >> 1:
            return a if a == b else 0
        mask = len(table) - 1
        place = ((a * 0x9E3779B1) ^ (b * 0x85EBCA77)) & 0xFFFFFFFF
        place = (place ^ (place >> 15)) & mask
        while table[place]:
            known = table[place] - 1
            if gates[known, 0] == a and gates[known, 1] == b:
                return 2 * (first + known)
            place = (place + 1) & mask
        found = _simplify(a, b, gates, first)
        if found >= 0:
            return found
        if found <= -4:
            rest = -4 - found
            a, b = (b if rest & 1 else a), rest >> 1
            continue
        if count[0] == len(gates):
            return FULL
        table[place] = count[0] + 1
        gates[count[0], 0] = a
        gates[count[0], 1] = b
        count[0] += 1
        return 2 * (first + count[0] - 1)


@native
def substitute(
    values: Numbers,
    before: Numbers,
    cone: Numbers,
    operands: Numbers,
    gates: Numbers,
    count: Numbers,
    table: Numbers,
    first: int,
) -> bool:
    """Give the nodes of a cone, in order, their literals; return whether there was room.

    `values` holds a literal for each node of a network, or -1 where it is not known yet. `before`
    holds those of an earlier state: a node whose operands are the same is the same.
    """
    for index in range(len(cone)):
        node = cone[index]
        if values[node] >= 0:
            continue
        one, other = operands[node, 0], operands[node, 1]
        a, b = values[one >> 1], values[other >> 1]
        if before[node] >= 0 and before[one >> 1] == a and before[other >> 1] == b:
            values[node] = before[node]
            continue
        made = conjoin(a ^ (one & 1), b ^ (other & 1), gates, count, table, first)
        if made < 0:
            return False
        values[node] = made
    return True


@native
def cut_cone(gates: Numbers, count: int, first: int, root: Number) -> tuple[Numbers, Numbers]:
    """Return the gates that a literal depends on, in order, and a network of these alone.

    The network has all inputs and then these gates; its operands are literals of its own nodes.
    """
    place = np.zeros(count, dtype=np.int32)
    total = 0
    if (root >> 1) >= first:
        place[(root >> 1) - first] = 1
    for index in range((root >> 1) - first, -1, -1):
        if place[index]:
            total += 1
            for side in range(2):
                node = (gates[index, side] >> 1) - first
                if node >= 0:
                    place[node] = 1
    cone = np.empty(total, dtype=np.int32)
    operands = np.zeros((first + total, 2), dtype=np.int32)
    found = 0
    for index in range((root >> 1) - first + 1):
        if place[index]:
            cone[found] = first + index
            place[index] = first + found
            for side in range(2):
                literal = gates[index, side]
                node = (literal >> 1) - first
                operands[first + found, side] = (
                    2 * place[node] + (literal & 1) if node >= 0 else literal
                )
            found += 1
    return cone, operands


@native
def _order(gates: Numbers, first: int, roots: Numbers, order: Numbers, done: Numbers) -> int:
    """Order the gates that roots need depth first, so that a gate is used soon after it is made."""
    stack = np.empty(4096, dtype=np.int64)
    found = 0
    for root in range(len(roots)):
        node = (roots[root] >> 1) - first
        if node < 0 or done[node]:
            continue
        top = 0
        stack[0] = node
        while top >= 0:
            node = stack[top]
            if done[node]:
                top -= 1
                continue
            waits = False
            for side in range(2):
                other = (gates[node, side] >> 1) - first
                if other >= 0 and not done[other]:
                    top += 1
                    if top == len(stack):
                        larger = np.empty(2 * len(stack), dtype=np.int64)
                        larger[:top] = stack
                        stack = larger
                    stack[top] = other
                    waits = True
            if not waits:
                done[node] = 1
                order[found] = node
                found += 1
                top -= 1
    return found


@native
def place_gates(
    gates: Numbers,
    count: int,
    first: int,
    roots: Numbers,
    slots: Numbers,
    targets: Numbers,
    free_slot: int,
    window: int,
) -> tuple[Numbers, int, int]:
    """Write the gates that roots need as code of the interpreter; return it, slots and gates.

    `slots` has the place of every node that is no gate. A gate's place is used again once it is no
    longer read. Gates are ordered depth first, and within a window by level and kind.
    """
    order = np.empty(count, dtype=np.int64)
    total = _order(gates, first, roots, order, np.zeros(count, dtype=np.uint8))
    level = np.zeros(count, dtype=np.int64)
    sort = np.empty(window, dtype=np.int64)
    for start in range(0, total, window):
        end = min(total, start + window)
        for index in range(start, end):
            level[order[index]] = 0
        for index in range(start, end):
            node = order[index]
            deepest = 0
            for side in range(2):
                other = (gates[node, side] >> 1) - first
                if other >= 0:
                    deepest = max(deepest, level[other])
            level[node] = deepest + 1
            kind = (gates[node, 0] & 1) + (gates[node, 1] & 1)
            sort[index - start] = ((deepest + 1) * 4 + kind) * (2 * window) + index - start
        ranked = np.sort(sort[: end - start])
        moved = order[start:end].copy()
        for index in range(start, end):
            order[index] = moved[ranked[index - start] % (2 * window)]
        for index in range(start, end):
            level[order[index]] = 0
    last = np.full(count, -1, dtype=np.int64)
    for index in range(total):
        for side in range(2):
            node = (gates[order[index], side] >> 1) - first
            if node >= 0:
                last[node] = index
    for root in range(len(roots)):
        node = (roots[root] >> 1) - first
        if node >= 0:
            last[node] = total
    place = np.empty(count, dtype=np.int64)
    free = np.empty(count + 1, dtype=np.int64)
    free_count = 0
    code = np.empty(5 * total + 2 * len(roots) + 2, dtype=np.int32)
    at, runs, header, kind_before = 1, 0, 0, -1
    for index in range(total):
        node = order[index]
        a, b = gates[node, 0], gates[node, 1]
        kind = (a & 1) + (b & 1)
        if kind == 1 and a & 1:
            a, b = b, a
        one, other = (a >> 1) - first, (b >> 1) - first
        left = place[one] if one >= 0 else slots[a >> 1]
        right = place[other] if other >= 0 else slots[b >> 1]
        if one >= 0 and last[one] == index:
            free[free_count] = left
            free_count += 1
        if other >= 0 and other != one and last[other] == index:
            free[free_count] = right
            free_count += 1
        if free_count:
            free_count -= 1
            place[node] = free[free_count]
        else:
            place[node] = free_slot
            free_slot += 1
        if kind != kind_before:
            header = at
            code[header] = kind
            code[header + 1] = 0
            at += 2
            runs += 1
            kind_before = kind
        code[header + 1] += 1
        code[at], code[at + 1], code[at + 2] = place[node], left, right
        at += 3
    code[0] = runs
    code[at] = len(roots)
    at += 1
    for root in range(len(roots)):
        node = (roots[root] >> 1) - first
        source = place[node] if node >= 0 else slots[roots[root] >> 1]
        code[at], code[at + 1] = targets[root], 2 * source + (roots[root] & 1)
        at += 2
    return code[:at].copy(), free_slot, total
