"""The page: play, see, build, verify and practise any game in the browser."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.web.copy.folder import write_copy as write_copy
    from kibitz.web.server.app import make_app as make_app
    from kibitz.web.server.jobs import Jobs as Jobs
    from kibitz.web.server.request_guard import make_server as make_server
    from kibitz.web.session.games import GALLERY as GALLERY
    from kibitz.web.session.sessions import Sessions as Sessions

__getattr__ = lazy_exports(__name__)
