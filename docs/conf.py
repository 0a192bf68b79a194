"""Make a site of the documentation: sphinx-build -c docs . site."""

import sys
from pathlib import Path

from pygments.lexers.lisp import CommonLispLexer
from sphinx.application import Sphinx

project = "Kibitz"
author = project_copyright = "The Kibitz authors"
root_doc = "docs/contents"
include_patterns = ["*.md", "docs/**", "benchmarks/*.md"]
exclude_patterns = [".*", "src", "tests", "docs/conf.py"]
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_title = "Kibitz"
html_theme = "furo"
html_theme_options = {"source_edit_link": None}
html_copy_source = False
html_show_sourcelink = False


def setup(app: Sphinx) -> None:
    """Write the pages made from docstrings and --help; colour rule sheets as Lisp."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from tools.write_docs import site_pages

    for path, text in site_pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    app.add_lexer("kif", CommonLispLexer)
