"""Spatial vectors and inertias."""

from wyvern._core.multibody_math import *  # noqa: F403
