"""Sensors on a plant, encoders, and errors of measurement."""

from wyvern._core.sensors import *  # noqa: F403
