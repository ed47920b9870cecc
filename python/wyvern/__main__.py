"""The program wyvern: `wyvern run arm.yaml`."""

import sys

from wyvern._core.scenario import run_command


def main():
    """Runs the program with the arguments of the command line."""
    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
