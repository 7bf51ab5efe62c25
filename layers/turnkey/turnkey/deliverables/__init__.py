"""Deliverables: what is handed to the customer beside prose. Cards, charts, documents, sources; they stay on the
server, the model gets counts and a few lines."""

from turnkey.deliverables.deliverable import Card, Cards, Chart, Deliverable, Document, Source, Sources

__all__ = ["Card", "Cards", "Chart", "Deliverable", "Document", "Source", "Sources"]
