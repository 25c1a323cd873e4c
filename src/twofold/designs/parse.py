"""Designs from text, as users write them, and from scikit-learn's splitters."""

from __future__ import annotations

from twofold.designs.design import Design
from twofold.designs.kinds import design_classes
from twofold.designs.kinds.splitter import SplitterDesign, is_splitter
from twofold.errors import InputError, suggest


def parse_design(design: object) -> Design:
    """Return the design that a text describes, or that a scikit-learn splitter stands for.

    >>> parse_design("10x10").parts
    10
    >>> str(parse_design("holdout:33%"))
    'holdout:0.33'
    """
    if isinstance(design, Design):
        return design
    if isinstance(design, type) and is_splitter(design):
        raise InputError(
            f"`{design.__name__}` is a class, not a splitter.",
            f"Pass an object of it, as in {design.__name__}().",
        )
    if is_splitter(design):
        return SplitterDesign.wrap(design)
    name, *parameters = [part.strip() for part in str(design).lower().split(":")]
    if isinstance(design, str):
        for kind in design_classes():
            parsed = kind.parse(name, parameters, design)
            if parsed is not None:
                return parsed
    examples = sorted(example for kind in design_classes() for example in kind.examples)
    text = repr(design)
    if "\n" in text or len(text) > 60:
        text = f"A {type(design).__name__}"
    raise InputError(
        f"{text} is not a design.",
        suggest(text, examples, f"Write {', '.join(examples[:-1])} or {examples[-1]}.", 0.6),
    )
