"""The command web: the page in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.errors import InputError

if TYPE_CHECKING:
    from kibitz.web import Sessions


_BACKLOG = 128


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(web)


def web(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Open this first: a game of the library or a file."),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Listen here; 0 takes any that is free.")
    ] = 8421,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Listen on this address, and answer to it.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Answer to this name of the machine as well."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the page of a small game into a folder, to be opened from there or put on "
            "any web host, and end.",
        ),
    ] = None,
    read_only: Annotated[
        bool,
        typer.Option(
            "--read-only",
            help="Show the library and the given game only, with less time and memory for each "
            "visitor: for a class.",
        ),
    ] = False,
    memory: Annotated[
        float,
        typer.Option(
            metavar="GB", min=0.3, help="Memory for the page and the processes that work for it."
        ),
    ] = 1.5,
) -> None:
    """Play, see, build, verify and practise in the browser, until interrupted."""
    import socket

    from kibitz.cli.common.inputs import AS_GDL1, rules_of
    from kibitz.web import make_app, make_server

    start = game
    text, path, _ = ("", "", None) if game is None else rules_of(game)
    hosts = frozenset({host, *(name or [])})
    if export is not None:
        _export(game, text, path, export)
        return
    app = make_app(
        game=game if isinstance(text, str) else None,
        hosts=hosts,
        is_read_only=read_only,
        as_gdl1=AS_GDL1.get(),
        memory=memory * 1e9,
    )
    if isinstance(text, bytes):
        start = _add_file(app.state.sessions, text, path)
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_BACKLOG)  # so that the address below answers
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}:{port}: {error.strerror or error}", hint="take another --port"
        ) from None
    taken = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{taken}/" + (f"#game={start}" if start else "")
    print(f"Kibitz is at {address}\nCtrl-C ends it.", file=sys.stderr, flush=True)
    if open_page:
        import webbrowser

        webbrowser.open(address)
    make_server(app).run(sockets=[listener])


def _export(game: str | None, text: str | bytes, path: str, folder: Path) -> None:
    """Write the page of a game into a folder."""
    from kibitz.cli.common.inputs import AS_GDL1, note
    from kibitz.cli.common.outputs import clear_line, shown_line
    from kibitz.web import Jobs, Sessions, write_copy

    if game is None:
        raise InputError("which game is to be written?", hint="kibitz web GAME --export DIR")
    sessions = Sessions(Jobs(), as_gdl1=AS_GDL1.get())
    key = _add_file(sessions, text, path) if isinstance(text, bytes) else game
    try:
        report = shown_line(f"{game}: ")
        files = write_copy(sessions, sessions.open(key), folder, report)
    finally:
        clear_line()
        sessions.jobs.close()
    size = sum(file.stat().st_size for file in files)
    note(f"wrote {len(files)} files, {size / 1e6:.1f} MB; open {folder / 'index.html'}")


def _add_file(sessions: Sessions, text: bytes, path: str) -> str:
    """Open the game of a file, drawn and described as files beside it say, and return its key."""
    from kibitz.board import layout_of
    from kibitz.english import use_files_beside

    session = sessions.add(text.decode("utf-8", errors="replace"), Path(path).stem[:60] or "pasted")
    session.is_kept = True
    session.path = path if path != "stdin" else ""
    if path != "stdin":
        use_files_beside(session.game, path)
        session.layout = layout_of(session.game)
    return session.key
