"""Blocks."""

from wyvern._core.primitives import *  # noqa: F403
