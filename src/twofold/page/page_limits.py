"""What the page takes at most: sizes, numbers and seconds."""

from __future__ import annotations

MOST_UPLOADED = 20_000_000
"""Bytes of one upload, counted while it comes in."""

MOST_FILES = 2000
"""Files of one upload, with those in folders."""

MOST_LEVELS = 12
"""Folders within folders; files that lie deeper are left out."""

MOST_CELLS = 1_000_000
"""Cells of a table; on the command line there may be more."""

MOST_UNPACKED = 200_000_000
"""Bytes that a packed file may unpack to."""

MOST_KEPT = 200_000_000
"""Bytes of all uploaded tables; the oldest go first."""

MOST_ANSWERS = 60_000_000
"""Bytes of answers that are kept so that reloading costs nothing."""

ANSWER_SECONDS = 30.0
"""After which a worker that still computes is killed."""

LOADING_SECONDS = 60.0
"""That a new worker may take to load its libraries."""

WAITING_SECONDS = 60.0
"""That a request waits for a free worker."""

SILENT_SECONDS = 20.0
"""After which a client that sends nothing is cut off."""

UPLOAD_SECONDS = 300.0
"""That an upload may take as a whole."""

LONGEST_NAME = 80
"""Letters of a file name."""

LONGEST_QUERY = 20_000
"""Bytes of an address."""

MOST_WAITING = 20
"""Experiments that wait for the one that runs."""

MOST_ENDED = 50
"""Experiments that have ended and are remembered, with their answers."""

STOPPING_SECONDS = 20.0
"""That an experiment has for ending in order before it is killed."""
