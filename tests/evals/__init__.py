"""Evaluations: runs over files of cases that print how many pass."""
