"""Bodies, frames, joints, actuators and forces."""

from wyvern._core.multibody_math import (  # noqa: F401
    RotationalInertia, SpatialInertia, UnitInertia)
from wyvern._core.tree import *  # noqa: F403

# Indices are plain integers.
BodyIndex = FrameIndex = JointIndex = int
JointActuatorIndex = ModelInstanceIndex = int
