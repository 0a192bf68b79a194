"""What the pages share: one style, light and dark, on screen and on paper, and the frame."""

from __future__ import annotations

import re

from kibitz.board import escape

__all__ = ["boards_without_style", "html_page_frame"]

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --paper: #fff; --card: #f8f6f1;
  --line: #d9d3c5; --mark: #0072b2; --good: #007a5a; --bad: #c44a00 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --soft: #a3adb8; --paper: #16191d;
  --card: #1f2328; --line: #3d444d; --mark: #56b4e9; --good: #1fb58a; --bad: #ff8040 } }
* { box-sizing: border-box }
body { font: 17px/1.55 Georgia, "Iowan Old Style", "Times New Roman", serif; color: var(--ink);
  background: var(--paper); margin: 3rem auto; max-width: 46rem; padding: 0 1.25rem }
h1, h2, h3, .number, .role, .small, button, .score, nav { font-family: system-ui, sans-serif }
h1 { font-size: 2.3rem; line-height: 1.1; margin: 0 0 1rem; letter-spacing: -.02em;
  overflow-wrap: anywhere }
h2 { font-size: 1.45rem; margin: 3rem 0 .75rem; border-top: 1px solid var(--line);
  padding-top: 1.5rem }
h3 { font-size: 1rem; margin: 2rem 0 .5rem }
p { margin: .5rem 0 }
a { color: var(--mark) }
.kind { font: 600 .8rem/1 system-ui, sans-serif; letter-spacing: .08em; text-transform: uppercase;
  color: var(--soft); margin: 0 0 .6rem }
.intro { display: flex; gap: 2rem; align-items: flex-start }
.intro > div { flex: 1 }
.intro svg { width: 11rem; height: auto; flex: none }
.worth { font-size: 1.2rem; border-left: 4px solid var(--good); padding: .1rem 0 .1rem 1rem;
  margin: 1.5rem 0 }
.small, .bound { font-size: .85rem; color: var(--soft) }
ol.rules { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .75rem }
ol.rules > li { display: grid; grid-template-columns: 2.5rem 1fr 8rem; gap: 1rem;
  align-items: center; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; padding: .9rem 1.1rem; break-inside: avoid }
.number { font-size: 1.6rem; font-weight: 700; color: var(--mark); text-align: center }
.says { font-size: 1.12rem; line-height: 1.4 }
ol.rules svg, .stencil svg { width: 100%; max-width: 8rem; height: auto; display: block;
  justify-self: end }
.figure { justify-self: end; text-align: center }
.figure small { display: block; font: .75rem/1 system-ui, sans-serif; color: var(--soft) }
.moves { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); gap: 1rem;
  padding: 0; margin: 1rem 0; list-style: none }
.moves li { break-inside: avoid; font: .8rem/1.35 system-ui, sans-serif }
.moves svg { width: 100%; height: auto; display: block; margin-bottom: .4rem }
.rule { display: inline-block; background: var(--mark); color: var(--paper); border-radius: 1rem;
  padding: 0 .5em; font-weight: 600 }
.role { color: var(--soft) }
pre { font-size: .82rem; line-height: 1.4; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap }
footer { margin-top: 4rem; font: .8rem/1.5 system-ui, sans-serif; color: var(--soft) }
@media (max-width: 36rem) { .intro { flex-direction: column }
  ol.rules > li { grid-template-columns: 2rem 1fr } ol.rules svg { grid-column: 2 } }
@page { size: A4; margin: 16mm }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff;
  --card: #fff; --line: #bbb }
  body { margin: 0; max-width: none; padding: 0; font-size: 11.5pt }
  h2 { margin: 6mm 0 2mm; padding-top: 4mm } h2, h3 { break-after: avoid } p { margin: 1mm 0 }
  ol.rules { gap: 2mm } ol.rules > li { padding: 1mm 4mm; grid-template-columns: 2rem 1fr 24mm }
  ol.rules svg, .figure svg { max-width: 24mm } footer { margin-top: 8mm }
  .moves, pre { break-inside: avoid } .rule { color: #000; border: 1px solid #777 }
  .screen { display: none } }
"""

_SVG_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def html_page_frame(title: str, body: str, *, style: str = "", script: str = "") -> str:
    """Make a page that needs nothing from elsewhere."""
    boards = _SVG_STYLE.search(body)
    shared = boards[0].removeprefix("<style>").removesuffix("</style>") if boards else ""
    told = f"<script>{script}</script>" if script else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{shared}{STYLE}{style}{_PRINTED}</style></head>\n"
        f"<body>\n{boards_without_style(body)}\n{told}</body></html>\n"
    )


_PRINTED = "@media print { .kb { --kb-ink: #000 } }"


def boards_without_style(body: str) -> str:
    """Leave the style out of boards that stand in one page; it is the same for all."""
    return _SVG_STYLE.sub("", body)
