"""The tables and figures of Bouckaert and Frank (2004)."""
