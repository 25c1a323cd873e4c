"""Making scores: what is to be done, and where finished work is kept."""

from twofold.execution.backends import open_backend

__all__ = ["open_backend"]
