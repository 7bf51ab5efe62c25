"""What each finding looks like in a text: one file an idea, words in twelve languages in ../data."""
