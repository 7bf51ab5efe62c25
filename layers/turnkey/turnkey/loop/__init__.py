"""The tool loop's rules: what the model is sent, how its calls are read, what it sees of a result."""
