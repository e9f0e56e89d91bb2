"""The worker's side of the worker protocol (docs/protocol.md). Module authors don't use it."""
