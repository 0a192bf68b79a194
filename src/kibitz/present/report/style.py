"""How the page of a report looks."""

__all__ = ["STYLE"]

_LIGHT = """--paper: #ffffff; --ground: #f6f5f2; --ink: #1f2328; --soft: #59636e;
  --line: #d9d6ce; --accent: #005f94; --good: #007a5a; --bad: #b54400; --warn: #fdf3d7;
  --role0: #0072b2; --role1: #d55e00; --role2: #009e73; --role3: #cc79a7; --role4: #8c6d00;
  --role5: #4a4a9c; --even: #a9b0b8; --mix: #c9b458; --open: #dfe3e7; --on: #ffffff;"""
_DARK = """--paper: #16191d; --ground: #1d2126; --ink: #e6e6e6; --soft: #a3adb8;
  --line: #3b424a; --accent: #56b4e9; --good: #1fb58a; --bad: #ff8040; --warn: #3a3015;
  --role0: #4aa8dd; --role1: #f08a3c; --role2: #2cc295; --role3: #e0a0c4; --role4: #d9b84a;
  --role5: #9a9af0; --even: #6d7680; --mix: #a08f3c; --open: #343b43; --on: #10161c;"""

STYLE = (
    f":root {{ color-scheme: light dark; {_LIGHT} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}\n"
    f"@media print {{ :root {{ color-scheme: light; {_LIGHT} }} }}\n"
    """
@page { size: A4; margin: 15mm }
* { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
h1, h2 { font-size: 2rem; line-height: 1.15; margin: 0; letter-spacing: -.02em;
  overflow-wrap: anywhere }
h3 { font-size: 1.15rem; margin: 0 0 .6rem; letter-spacing: -.01em; break-after: avoid }
p { margin: .5rem 0; max-width: 46rem }
a { color: var(--accent) }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace;
  font-size: .86em; overflow-wrap: anywhere }
pre { background: var(--ground); padding: .75rem 1rem; border-radius: .5rem; overflow-x: auto }
small, .soft { color: var(--soft); font-size: .86rem }
article + article, .charts + article { margin-top: 3.5rem; padding-top: 2rem;
  border-top: 2px solid var(--ink) }
header.game { display: flex; gap: 2rem; align-items: flex-start; justify-content: space-between }
.who { color: var(--soft); margin: .35rem 0 0 }
.verdict { font-size: 1.25rem; line-height: 1.35; font-weight: 600; margin: .9rem 0 0 }
.board svg { width: min(15rem, 34vw); height: auto; max-height: 15rem; display: block }
.warn { background: var(--warn); padding: .5rem .8rem; border-radius: .5rem }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.6rem, 1fr)); gap: .6rem;
  margin: 1.6rem 0 0 }
.tiles div { background: var(--ground); border-radius: .6rem; padding: .65rem .85rem;
  display: flex; flex-direction: column-reverse; justify-content: flex-end }
.tiles dt { color: var(--soft); font-size: .82rem; line-height: 1.25 }
.tiles dd { margin: 0; font-size: 1.3rem; font-weight: 650; letter-spacing: -.03em;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.tiles dd.long { font-size: 1rem; line-height: 1.95rem }
section { margin: 2.2rem 0 0 }
header, .tiles, tr, .shares, svg.chart, table.bars, details, footer { break-inside: avoid }
.legend, svg.chart + p { break-before: avoid }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap }
th { font-weight: 550 }
thead th { color: var(--soft); font-size: .84rem; vertical-align: bottom }
th.name, td.name { text-align: left; padding-left: 0 }
table.bars { width: 100% } td.bar { width: 60%; min-width: 14rem }
.matrix td[style] { background: color-mix(in srgb, var(--role0) calc(var(--v) * 42%), transparent) }
.keep { color: var(--good) } .bad { color: var(--bad) }
.shares { display: flex; height: 1.55rem; border-radius: .35rem; overflow: hidden;
  min-width: 12rem }
.shares span { flex: 1 1 0; min-width: 0; overflow: hidden; text-align: center; color: var(--on);
  font-size: .78rem; line-height: 1.55rem; font-weight: 600; white-space: nowrap }
.shares span + span { border-left: 1px solid var(--paper) }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .86rem;
  color: var(--soft); max-width: none }
.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem;
  margin-right: .4rem; vertical-align: -.08rem }
.role0 { background: var(--role0) } .role1 { background: var(--role1) }
.role2 { background: var(--role2) } .role3 { background: var(--role3) }
.role4 { background: var(--role4) } .role5 { background: var(--role5) }
.even { background: var(--even) } .mix { background: var(--mix) } .open { background: var(--open) }
svg.chart { width: 100%; height: auto; display: block; margin: .9rem 0 0 }
svg.chart rect { fill: var(--role0) }
svg.chart text { font-size: 11px; fill: var(--soft); text-anchor: middle }
svg.chart text.top { font-size: 9.5px }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1.2rem }
figure { margin: 0 }
.hard { background: var(--ground); border-radius: .6rem; padding: 1rem; break-inside: avoid }
.hard svg { max-width: 100%; max-height: 15rem; height: auto; display: block; margin: 0 auto .6rem }
.hard figcaption { font-size: .88rem }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr));
  gap: 1.6rem 2.4rem; margin: 2rem 0 0 }
figure.bars { break-inside: avoid }
figure.bars figcaption { font-weight: 600; font-size: .92rem; margin-bottom: .35rem }
figure.bars div { display: grid; grid-template-columns: auto 1fr auto; gap: .25rem .6rem;
  align-items: center; font-size: .84rem }
figure.bars span { overflow-wrap: anywhere }
figure.bars i { position: relative; height: .95rem; background: var(--ground);
  border-radius: .2rem }
figure.bars b { position: absolute; top: 0; bottom: 0; background: var(--role0);
  border-radius: .2rem; min-width: 2px }
figure.bars em { font-style: normal; font-variant-numeric: tabular-nums; color: var(--soft) }
ul { padding-left: 1.2rem; margin: .5rem 0 } li { margin: .35rem 0 }
details { margin: .4rem 0 } summary { cursor: pointer }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line);
  color: var(--soft); font-size: .86rem }
@media (max-width: 40rem) { header.game { flex-direction: column } .board svg { width: 60vw }
  th, td { padding: .3rem .45rem } th.name, td.name { white-space: normal; min-width: 5.5rem }
  table.matrix, table.compared { font-size: .8rem } td.bar, .shares { min-width: 9rem }
  .tiles dd.long { font-size: .88rem } }
@media print { body { font-size: 10.5pt } main { max-width: none; padding: 0 }
  article + article, .charts + article { break-before: page; margin-top: 0; border: 0; padding: 0 }
  section { margin-top: 6mm } h1, h2 { font-size: 20pt } h3 { font-size: 12.5pt }
  .wide { overflow: visible } table { font-size: 8.5pt; break-inside: auto }
  th, td { padding: .2rem .4rem } .cards { grid-template-columns: repeat(3, 1fr); gap: 4mm }
  .hard { padding: 3mm } .hard svg { max-height: 38mm } .hard figcaption { font-size: 8.5pt }
  details::details-content { content-visibility: visible; display: block; height: auto }
  p.soft, footer { break-before: avoid } footer { margin-top: 6mm; font-size: 8.5pt }
  a { color: inherit; text-decoration: none } }
"""
)
