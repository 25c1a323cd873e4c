"""Files of other tools: a module with `sniff` and `read` for each format; others' by entry points.

What they return is one long table: dataset, learner, run, fold, item, cluster, sample, n_train,
n_test, metric, value, as far as a format knows them.
"""

from twofold.readers.find_readers import find_converter, find_reader, list_readers
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart, Reader

__all__ = ["FileStart", "LongRows", "Reader", "find_converter", "find_reader", "list_readers"]
