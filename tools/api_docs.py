"""Write the reference of the Python API from the docstrings of what packages export.

The source is read, not run: a package's page has what it exports, with signatures,
docstrings and examples, and for classes their public attributes and methods.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["api_index", "api_page", "packages"]

SOURCE = Path(__file__).resolve().parent.parent / "src" / "kibitz"
_MODULES = (
    "errors", "budget", "charts", "doctor", "facade", "processes", "threads", "wording",
)  # fmt: skip
_LEFT_OUT = ("cli",)

Definition = ast.FunctionDef | ast.ClassDef


def packages() -> list[str]:
    """Give the packages and modules that have a page, in alphabetical order."""
    found = [path.parent.name for path in SOURCE.glob("*/__init__.py")]
    kept = [name for name in found if name not in _LEFT_OUT]
    return sorted([*kept, *(name for name in _MODULES if (SOURCE / f"{name}.py").exists())])


def api_index() -> str:
    """Write the list of pages."""
    rows = [f"| [`kibitz.{name}`]({name}.md) | {_summary(name)} |" for name in packages()]
    lines = [
        "# Python",
        "",
        "What each package exports, written from its docstrings. `import kibitz` offers "
        "[the verbs](facade.md), of which `kibitz.load` is the way in; "
        "[the architecture](../../../ARCHITECTURE.md) says how the packages hang together.",
        "",
        *_described(_definitions(SOURCE / "facade.py")["load"], level=2),
        "## Packages",
        "",
        "| package | |",
        "|---|---|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def api_page(name: str) -> str:
    """Write the page of a package."""
    path = _path(name)
    tree = ast.parse(path.read_text("utf-8"))
    lines = [f"# kibitz.{name}", "", *_docstring(ast.get_docstring(tree) or "")]
    for exported, where in _exports(tree, path):
        found = _definitions(where).get(exported)
        if found is not None:
            lines += _described(found, level=2)
        elif (value := _values(where).get(exported)) is not None:
            lines += [f"## {exported}", "", *value]
    lines += ["[All packages](index.md)", ""]
    return "\n".join(lines)


def _opening(path: Path) -> str:
    """Give the docstring that a module begins with; what follows it need not be parsed."""
    text = path.read_text("utf-8")
    return ast.get_docstring(ast.parse(text[: text.find('"""', 3) + 3])) or ""


def _first_sentence(doc: str) -> str:
    return " ".join(doc.partition("\n\n")[0].split())


def _path(name: str) -> Path:
    package = SOURCE / name / "__init__.py"
    return package if package.exists() else SOURCE / f"{name}.py"


def _summary(name: str) -> str:
    doc = _opening(_path(name))
    return _escaped(doc.partition("\n\n")[0].replace("\n", " "))


def _exports(tree: ast.Module, path: Path) -> Iterator[tuple[str, Path]]:
    """Give what a package exports, each with the file that defines it."""
    named: list[str] = []
    where: dict[str, Path] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            named = [str(name) for name in ast.literal_eval(node.value)]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz"):
            for alias in node.names:
                where[alias.asname or alias.name] = _file(node.module or "")
                if alias.asname == alias.name:
                    named.append(alias.name)
    for name in sorted(named, key=lambda n: (n.isupper(), n.lower())):
        yield name, where.get(name, path)


def _file(module: str) -> Path:
    base = SOURCE.parent.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _definitions(path: Path) -> dict[str, Definition]:
    tree = ast.parse(path.read_text("utf-8"))
    found = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:  # what is passed on from another module
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz"):
            for alias in node.names:
                file = _file(node.module or "")
                if alias.name not in found and file.exists() and path.name == "__init__.py":
                    other = _plain_definitions(file)
                    if alias.name in other:
                        found[alias.name] = other[alias.name]
    return found


def _plain_definitions(path: Path) -> dict[str, Definition]:
    tree = ast.parse(path.read_text("utf-8"))
    return {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}


def _values(path: Path) -> dict[str, list[str]]:
    """Give the constants and types of a module, with the docstring below each."""
    body = ast.parse(path.read_text("utf-8")).body
    found: dict[str, list[str]] = {}
    for place, node in enumerate(body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, ast.unparse(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            name, value = node.target.id, ast.unparse(node.value)
        else:
            continue
        after = body[place + 1] if place + 1 < len(body) else None
        doc = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            doc = inspect.cleandoc(str(after.value.value))
        short = value if len(value) <= 80 else "…"
        found[name] = [*_code(f"{name} = {short}"), *_docstring(doc)]
    return found


def _described(node: Definition, *, level: int) -> list[str]:
    lines = [f"{'#' * level} {node.name}", ""]
    if isinstance(node, ast.FunctionDef):
        return [*lines, *_code(_signature(node)), *_docstring(ast.get_docstring(node) or "")]
    bases = ", ".join(map(ast.unparse, node.bases))
    lines += _code(f"class {node.name}({bases})" if bases else f"class {node.name}")
    lines += _docstring(ast.get_docstring(node) or "")
    rows = []
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            if not part.target.id.startswith("_"):
                rows.append(f"| `{part.target.id}: {_cell(ast.unparse(part.annotation))}` | |")
        elif isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
            doc = (ast.get_docstring(part) or "").partition("\n\n")[0].replace("\n", " ")
            is_property = any("property" in ast.unparse(d) for d in part.decorator_list)
            called = part.name if is_property else _call(part)
            rows.append(f"| `{_cell(called)}` | {_escaped(doc)} |")
    if rows:
        lines += ["| | |", "|---|---|", *rows, ""]
    return lines


def _signature(node: ast.FunctionDef) -> str:
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    whole = f"{node.name}({ast.unparse(node.args)}){result}"
    if len(whole) <= 90:
        return whole
    parts = _arguments(node.args)
    return f"{node.name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"


def _arguments(args: ast.arguments) -> list[str]:
    text = ast.unparse(args)
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += char in "([{"
        depth -= char in ")]}"
        if char == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def _call(node: ast.FunctionDef) -> str:
    names = [part.partition(":")[0].partition("=")[0].strip() for part in _arguments(node.args)]
    kept = [name for name in names if name not in ("self", "cls", "")]
    return f"{node.name}({', '.join(kept)})"


def _docstring(doc: str) -> list[str]:
    """Write a docstring, examples and tables as they are, the rest as text."""
    lines: list[str] = []
    for block in re.split(r"\n\s*\n", doc):
        if not block.strip():
            continue
        if block.lstrip().startswith(">>>"):
            lines += ["```pycon", *block.splitlines(), "```", ""]
        elif block.startswith(("=", "    ")) or "::" in block.splitlines()[0][-2:]:
            lines += ["```text", *block.splitlines(), "```", ""]
        elif block.startswith("- "):
            lines += [*map(_escaped, block.splitlines()), ""]
        else:
            lines += [_escaped(" ".join(block.split())), ""]
    return lines


def _code(text: str) -> list[str]:
    return ["```text", text, "```", ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _escaped(text: str) -> str:
    """Keep Markdown from reading signs of its own, but within backticks."""
    parts = re.split(r"(``?[^`]+``?)", text)
    return "".join(
        part if index % 2 else re.sub(r"([\\*_\[\]<>|])", r"\\\1", part)
        for index, part in enumerate(parts)
    )
