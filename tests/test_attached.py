from __future__ import annotations

import gc
import weakref

from kibitz.attached import Attached


class Thing:
    pass


def test_a_fact_that_refers_to_its_object_does_not_keep_it() -> None:
    facts: Attached[Thing, list[Thing]] = Attached()
    thing = Thing()
    facts[thing] = [thing]
    seen = weakref.ref(thing)
    del thing
    gc.collect()
    assert seen() is None


def test_facts_of_two_kinds_about_one_object_are_kept_apart() -> None:
    sizes: Attached[Thing, int] = Attached()
    names: Attached[Thing, str] = Attached()
    thing = Thing()
    sizes[thing] = 1
    assert thing not in names
    assert names.setdefault(thing, "it") == names[thing] == "it"
    assert (sizes.pop(thing), sizes.pop(thing), sizes.get(thing)) == (1, None, None)
