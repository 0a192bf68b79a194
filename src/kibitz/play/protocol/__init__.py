"""The protocol of general game playing, as match servers and players speak it over HTTP.

========== =================================================================
messages   text of a message in, Message out, and back
http       one request and one answer, by sockets, within a time
player     an agent behind a port, for match servers to talk to
remote     a player elsewhere as an Agent, for matches hosted here
scramble   rules under other names, so that players cannot know the game
========== =================================================================
"""

from __future__ import annotations

from kibitz.play.protocol.messages import (
    Abort,
    Info,
    Message,
    Play,
    Preview,
    Start,
    Stop,
    parse_message,
)
from kibitz.play.protocol.player import Player, serve_player
from kibitz.play.protocol.remote import RemoteAgent
from kibitz.play.protocol.scramble import Scrambler

__all__ = [
    "Abort",
    "Info",
    "Message",
    "Play",
    "Player",
    "Preview",
    "RemoteAgent",
    "Scrambler",
    "Start",
    "Stop",
    "parse_message",
    "serve_player",
]
