"""twofold under attack: kills, damaged files, bad learners, lost databases. `make torture`."""
