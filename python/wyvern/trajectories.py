"""Functions of time."""

from wyvern._core.trajectories import *  # noqa: F403
