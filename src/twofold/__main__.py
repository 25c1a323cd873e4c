"""Lets `python -m twofold` do what `twofold` does."""

import sys

from twofold.cli import main

sys.exit(main())
