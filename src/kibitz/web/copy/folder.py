"""Write a folder with the page and all its answers about a game, for any web host or none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from kibitz.errors import InputError, KibitzError
from kibitz.pages import THEME_CSS
from kibitz.web.copy.answers import answers_of
from kibitz.web.copy.bundle import bundle
from kibitz.web.server.app import STATIC
from kibitz.web.server.jobs import Report
from kibitz.web.session.sessions import Session, Sessions

_SCRIPTS = '<script defer src="answers.js"></script>\n<script defer src="kibitz.js"></script>'


def write_copy(
    sessions: Sessions, session: Session, folder: Path, report: Report = lambda _news: None
) -> list[Path]:
    """Solve a game and write the page with it into a folder; return the files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from None
    job = sessions.solve(session)
    job.wait()
    if isinstance(job.error, KibitzError):
        raise job.error
    answers = json.dumps(answers_of(session, report), separators=(",", ":"))
    texts = {
        "index.html": _index(session.key),
        "kibitz.js": bundle(STATIC, "main"),
        "answers.js": f"globalThis.kibitzAnswers = {answers};\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    for source, name in ((THEME_CSS, "theme.css"), (STATIC / "kibitz.css", "kibitz.css")):
        shutil.copyfile(source, folder / name)
    return [folder / name for name in (*texts, "theme.css", "kibitz.css")]


def _index(game: str) -> str:
    """Return the page with a plain script and paths beside it, opened with a game."""
    lines = (STATIC / "index.html").read_text("utf-8").splitlines(keepends=True)
    kept = "".join(line for line in lines if "modulepreload" not in line)
    start = json.dumps(game).replace('"', "&quot;").replace("<", "&lt;")
    kept = kept.replace('<script type="module" src="/static/main.js"></script>', _SCRIPTS)
    return kept.replace("{{start}}", start).replace("/static/", "")
