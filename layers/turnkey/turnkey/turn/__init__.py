"""A turn: everything from the first unanswered message to the reply.

Rules: `journal` (what comes next), `record`, `reference`. Stages, one a state of the machine: `receive` (webhook),
`route`, `tool_loop`, `compose`, `deliver`, `apologise`.
"""
