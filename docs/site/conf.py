"""How Sphinx builds the site; `docs/site/build.py` calls it on a copy of the pages."""

import twofold

project = "twofold"
author = "The twofold developers"
copyright = author
version = release = twofold.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 5
root_doc = "index"
highlight_language = "none"
# CSV has no colours, and words of docstrings that happen to be names are no links.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

default_role = "literal"  # `name` in a docstring is code
autodoc_typehints = "signature"
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "Floats": "array"}
autodoc_preserve_defaults = True
maximum_signature_line_length = 80  # longer ones have a line for each parameter
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False  # types are words here ("array (runs, rows)"), not names to look up
napoleon_use_ivar = True

html_theme = "pydata_sphinx_theme"
html_title = "twofold"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = None
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
