"""The worker's side of the worker protocol (docs/protocol.md). Nothing here is for module authors."""
