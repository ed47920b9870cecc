"""Controllers."""

from wyvern._core.controllers import *  # noqa: F403
