"""Bundle the modules of the page into one plain script, which browsers also run from a file.

A browser loads no modules from files. Each module becomes a function that returns what it exports,
called once, after those that it imports from.
"""

from __future__ import annotations

import re
from pathlib import Path

from kibitz.errors import InputError

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class) (\w+))", re.MULTILINE)
_EXPORTS = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)


def bundle(folder: Path, main: str) -> str:
    """Join a module with all that it imports.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     _ = (Path(name) / "a.js").write_text("export const a = 1;")
    ...     _ = (Path(name) / "b.js").write_text('import { a } from "./a.js";\\nalert(a);')
    ...     print(bundle(Path(name), "b"))
    "use strict";
    const module_a = (() => {
    const a = 1;
    return { a };
    })();
    const module_b = (() => {
    const { a } = module_a;
    alert(a);
    return {  };
    })();
    """
    done: dict[str, str] = {}

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise InputError(f"modules import one another: {' '.join([*above, name])}")
        if name in done:
            return
        text = (folder / f"{name}.js").read_text("utf-8")
        for _, other in _IMPORT.findall(text):
            add(other, (*above, name))
        done[name] = _wrapped(name, text)

    add(main, ())
    return "\n".join(['"use strict";', *done.values()])


def _wrapped(name: str, text: str) -> str:
    names = [
        *_EXPORT.findall(text),
        *(n for some in _EXPORTS.findall(text) for n in some.split(",")),
    ]
    body = _IMPORT.sub(lambda m: f"const {{{m[1]}}} = module_{m[2]};\n", text)
    body = _EXPORTS.sub("", _EXPORT.sub("", body)).rstrip()
    exported = ", ".join(one.strip() for one in names)
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"
