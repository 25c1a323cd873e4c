"""New results on the footing of the five papers."""
