"""The tables and figures of Demšar (2006)."""
