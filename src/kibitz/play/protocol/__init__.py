"""The protocol of general game playing, as match servers and players use it over HTTP."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.play.protocol.messages import (
        Abort as Abort,
        Info as Info,
        Message as Message,
        Play as Play,
        Preview as Preview,
        Start as Start,
        Stop as Stop,
        parse_message as parse_message,
    )
    from kibitz.play.protocol.player import Player as Player, serve_player as serve_player
    from kibitz.play.protocol.remote import RemoteAgent as RemoteAgent, Scrambler as Scrambler

__getattr__ = lazy_exports(__name__)
