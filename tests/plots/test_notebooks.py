"""A picture does not undo what a notebook sets up when the first figure is made."""

import pytest

from twofold import compare

matplotlib = pytest.importorskip("matplotlib")


def test_the_first_picture_leaves_the_session_interactive(monkeypatch):
    from matplotlib import pyplot

    loaded = []

    def draw_if_interactive():
        if not loaded:
            matplotlib.interactive(True)
            loaded.append("the backend")  # of a notebook, by the first of these two calls

    def open_figure(*args, **options):
        draw_if_interactive()
        return figure(*args, **options)

    figure = pyplot.figure
    monkeypatch.setattr(pyplot, "draw_if_interactive", draw_if_interactive)
    monkeypatch.setattr(pyplot, "figure", open_figure)
    with matplotlib.rc_context({"interactive": False}):
        ax = compare({"A": [0.8, 0.7, 0.9, 0.6], "B": [0.7, 0.6, 0.8, 0.5]}, rows="datasets").plot()
        assert loaded
        assert matplotlib.is_interactive()
    pyplot.close(ax.figure)
