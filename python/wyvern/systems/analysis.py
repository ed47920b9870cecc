"""The Simulator."""

from wyvern._core.analysis import *  # noqa: F403
