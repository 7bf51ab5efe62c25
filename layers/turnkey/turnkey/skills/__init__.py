"""Skills: what a tenant has written down for a task, by the Agent Skills convention (https://agentskills.io).

A folder with SKILL.md: YAML front matter, then instructions in Markdown; further files beside it. `parsing` reads one
when a manifest is applied, `skill` is what is kept of it, `head` all that a turn sees of it before it is loaded.
"""
