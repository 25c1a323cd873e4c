"""Making scores: what is to be done, and where finished work is kept."""
