"""Rotations and poses."""

from wyvern._core.math import *  # noqa: F403
