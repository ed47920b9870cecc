"""Systems, ports, Contexts, Diagrams."""

from wyvern._core.framework import *  # noqa: F403
