"""Shapes and the SceneGraph."""

from wyvern._core.geometry import *  # noqa: F403
