"""Kills the functions' processes at every point of a turn where something is written or sent, one point a run.

`points` names what a process does, `fuse` counts it and kills, `forker` runs the handlers in processes made for it,
`dispatch` stands in for Lambda, `desk` and `script` are the far ends, `scenarios` what is played, `bench` plays it,
`checks` says what must hold, `report` prints.
"""
