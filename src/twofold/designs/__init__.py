"""How one data set is split: cross-validation, random splits, bootstrap, time series and others."""

from twofold.designs.design import Design
from twofold.designs.parse import parse_design
from twofold.designs.run import Run, Split

__all__ = ["Design", "Run", "Split", "parse_design"]
