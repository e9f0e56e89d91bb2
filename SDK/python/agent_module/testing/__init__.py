"""A host for unit tests of modules, in memory. A worker never imports it."""

from .host import FakeHost

__all__ = ["FakeHost"]
