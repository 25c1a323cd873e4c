"""Learners: anything with fit and predict, and a few that do a whole cross-validation at once."""
