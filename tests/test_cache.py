"""What is kept comes back whole or not at all, and never grows without bound."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, strategies as st
from tests.effort import examples

from kibitz import cache
from kibitz.present import Explanation, RuleText
from kibitz.present.explanation.explanation import RoleAdvice

SAMPLE = Explanation(
    "nim", "nim", ("a", "b"), ("Two players.",), value={"a": 100, "b": 0},
    parts=(
        RoleAdvice("a", "a wins.", rules=(RuleText("Win.", "true => x"),), verdict={"valid": True}),
    ),
)  # fmt: skip


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "kibitz"


def test_what_is_kept_comes_back_equal() -> None:
    assert cache.load("some", Explanation) is None
    cache.store("some", SAMPLE)
    assert cache.load("some", Explanation) == SAMPLE


@examples(30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_as_good_as_none(own_cache: Path, data: st.DataObject) -> None:
    cache.store("some", SAMPLE)
    (file,) = own_cache.glob("some*")
    raw = bytearray(file.read_bytes())
    kind = data.draw(st.sampled_from(["flip", "cut", "junk"]))
    if kind == "flip":
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place] ^= data.draw(st.integers(1, 255))
    elif kind == "cut":
        raw = raw[: data.draw(st.integers(0, len(raw) - 1))]
    else:
        raw = bytearray(data.draw(st.binary(max_size=200)))
    file.write_bytes(raw)
    assert cache.load("some", Explanation) is None


def test_a_file_under_another_name_is_as_good_as_none(own_cache: Path) -> None:
    cache.store("some", SAMPLE)
    (file,) = own_cache.glob("some*")
    file.rename(file.with_name(file.name.replace("some", "other")))
    assert cache.load("other", Explanation) is None


def test_the_oldest_are_dropped(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    for number in range(5):
        cache.store(f"k{number}", SAMPLE)
        for file in own_cache.glob(f"k{number}.*"):
            os.utime(file, (number, number))
    cache.store("last", SAMPLE)
    left = {file.name.partition(".")[0] for file in own_cache.glob("*kibitz-cache")}
    assert left == {"last", "k3", "k4"}


def test_a_folder_that_cannot_be_written_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache.store("some", SAMPLE)
    assert cache.load("some", Explanation) is None


def test_keys_tell_everything_apart() -> None:
    keys = [cache.key_of(parts) for parts in (["a", "b"], ["ab"], ["a", b"b"], ["a", None], [])]
    assert len(set(keys)) == len(keys)
