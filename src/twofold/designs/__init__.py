"""How one data set is split: repeated cross-validation, random splits, leave one out and others."""

from twofold.designs.design import Design
from twofold.designs.design_checks import notes_on
from twofold.designs.parse import parse_design
from twofold.designs.run import Run

__all__ = ["Design", "Run", "notes_on", "parse_design"]
