"""The tables and figures of Dietterich (1998)."""
