"""Learners compiled by numba that do a whole cross-validation at once.

Only these files may import numba at the top; everything else imports them where they are used.
"""
