"""How Sphinx makes a site of the documentation: sphinx-build -c docs . site."""

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
    """Colour rule sheets as Lisp, which they are written like."""
    app.add_lexer("kif", CommonLispLexer)
