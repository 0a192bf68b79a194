"""Files are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.cli.common.outputs import check_folder, check_plot, write_file
from kibitz.errors import InputError
from kibitz.files import sweep, written_whole


def test_a_file_takes_the_place_of_the_old_one_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "result.txt"
    write_file(path, "old")
    with written_whole(path) as part:
        part.write_text("new", "utf-8")
        assert part.suffix == path.suffix
        assert path.read_text("utf-8") == "old"
    assert path.read_text("utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_work_that_is_broken_off_leaves_the_old_file(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "result.txt"
    write_file(path, "old")

    def work() -> None:
        with written_whole(path) as part:
            part.write_text("half", "utf-8")
            raise error

    with pytest.raises(error):
        work()
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_goes_with_the_next_file(tmp_path: Path) -> None:
    begin = "import os, sys; from pathlib import Path; from kibitz.files import written_whole"
    work = (
        "written_whole(Path(sys.argv[1])).__enter__().write_text('half'); os.kill(os.getpid(), 9)"
    )
    path = tmp_path / "result.txt"
    subprocess.run([sys.executable, "-c", f"{begin}; {work}", str(path)], check=False)
    (left,) = tmp_path.iterdir()
    elsewhere = tmp_path / left.name.replace("kibitz-", "kibitz-0")
    elsewhere.write_text("of another machine")
    with written_whole(path) as mine:
        mine.write_text("first")
        write_file(path, "second")
        assert {*tmp_path.iterdir()} == {path, mine, elsewhere}
    assert path.read_text() == "first"
    sweep(tmp_path)
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder", "utf-8")
    with pytest.raises(InputError, match="cannot write"):
        write_file(in_the_way / "result.txt", "text")
    assert list(tmp_path.iterdir()) == [in_the_way]


def test_a_plot_s_name_tells_its_kind(tmp_path: Path) -> None:
    check_plot(None)
    check_plot(tmp_path / "plot.SVG")
    with pytest.raises(InputError, match=r"plot\.doc"):
        check_plot(tmp_path / "plot.doc")


def test_a_folder_in_the_place_of_a_file_is_refused_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "page.html"
    folder.mkdir()
    with pytest.raises(InputError, match="it is a folder"):
        check_folder(folder)
    check_folder(tmp_path / "other.html")
    check_folder(None)


def test_a_folder_that_may_not_be_written_to_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)  # root may everything
    with pytest.raises(InputError, match="may not be written to"):
        check_folder(tmp_path / "page.html")
