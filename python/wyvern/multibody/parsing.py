"""Readers of URDF, SDFormat, MJCF and model directives."""

from wyvern._core.parsing import *  # noqa: F403
