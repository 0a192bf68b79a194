"""An OpenAPI schema in, a plain page for people out."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["reference_page"]


def reference_page(schema: dict[str, Any]) -> str:
    """List every request of the interface, what it takes and what it gives.

    >>> "<h1>" in reference_page({"info": {"title": "T", "version": "1"}, "paths": {}})
    True
    """
    info = schema["info"]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        '<meta name=viewport content="width=device-width">',
        f"<title>{escape(info['title'])}: interface</title>",
        '<link rel=stylesheet href="/static/kibitz.css"><body class=reference>',
        f"<h1>{escape(info['title'])} {escape(info['version'])}: interface</h1>",
        '<p>The same as <a href="/openapi.json">OpenAPI</a>. '
        'Errors are <code>{"error": {"code", "message", "hint", "line", "column"}}</code>. '
        '<a href="/">To the page</a></p>',
    ]
    for path, methods in schema["paths"].items():
        for method, about in methods.items():
            parts.append(_request(method, path, about))
    models = schema.get("components", {}).get("schemas", {})
    parts.append("<h2>Types</h2>")
    for name, model in sorted(models.items()):
        parts.append(f"<h3 id={escape(name)}>{escape(name)}</h3>")
        parts.append(f"<p>{escape(model.get('description', ''))}</p>")
        rows = model.get("properties", {}).items()
        fields = ", ".join(f"<code>{escape(key)}</code> {_type(of)}" for key, of in rows)
        parts.append(f"<p>{fields}</p>")
    return "".join(parts)


def _request(method: str, path: str, about: dict[str, Any]) -> str:
    takes = [f"<code>{escape(p['name'])}</code>" for p in about.get("parameters", [])]
    body = about.get("requestBody", {}).get("content", {}).get("application/json", {})
    if body:
        takes.append(f"body {_type(body.get('schema', {}))}")
    good = about["responses"].get("200", {}).get("content", {})
    gives = [_type(found.get("schema", {})) or escape(kind) for kind, found in good.items()]
    return (
        f"<h3><code>{escape(method.upper())} {escape(path)}</code></h3>"
        f"<p>{escape(about.get('description') or about.get('summary', ''))} "
        f"Takes {', '.join(takes) or 'nothing'}; gives {', '.join(gives) or 'nothing'}.</p>"
    )


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(part) for part in schema[key])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("type", "")))
