"""The one-machine stack: template.yaml, its state machine and its handlers, run whole by `turnkey up`."""
