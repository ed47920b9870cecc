"""The MultibodyPlant."""

from wyvern._core.plant import *  # noqa: F403
