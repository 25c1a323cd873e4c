"""The page: tables and answers in a browser on one's own machine, or as static files."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand

__all__ = ["ServeOptions", "serve", "write_bundle"]

if TYPE_CHECKING:
    from twofold.page.server import ServeOptions, serve
    from twofold.page.static_bundle import write_bundle
else:
    __getattr__ = load_on_demand(
        __name__, {"server": "ServeOptions serve", "static_bundle": "write_bundle"}
    )
