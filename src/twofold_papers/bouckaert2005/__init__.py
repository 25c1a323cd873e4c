"""The tables and figures of Bouckaert (2005)."""
