"""Documents of a tenant or of one conversation: what they are, how they are changed, how they are given out. Rules
alone; they are kept by `turnkey.store.documents` and worked on by `turnkey.doing.documents`."""
