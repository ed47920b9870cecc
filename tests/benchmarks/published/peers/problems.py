"""The initial value problems of tests/published, for Python programs.

The numbers are read from tests/published/initial_value_problems.h, so that
they are written once. The derivatives are those of the header.
"""

import ast
import pathlib
import re

HEADER = (pathlib.Path(__file__).resolve().parents[3] /
          "published/initial_value_problems.h")


def van_der_pol(t, y):
    return [y[1], ((1 - y[0] * y[0]) * y[1] - y[0]) * 1e6]


def oregonator(t, y):
    return [77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1])),
            (y[2] - (1 + y[0]) * y[1]) / 77.27, 0.161 * (y[0] - y[2])]


def robertson(t, y):
    slow, back, fast = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
    return [back - slow, slow - back - fast, fast]


def hires(t, y):
    six = (-280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] +
           0.69 * y[6])
    seven = 280 * y[5] * y[7] - 1.81 * y[6]
    return [-1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007,
            1.71 * y[0] - 8.75 * y[1],
            -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4],
            8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3],
            -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6], six, seven, -seven]


def e5(t, y):
    a, b = 7.89e-10 * y[0], 1.1e7 * y[0] * y[2]
    c, d = 1.13e9 * y[1] * y[2], 1.13e3 * y[3]
    return [-a - b, a - c, (a - c) - (b - d), b - d]


def arenstorf(t, y):
    mu = 0.012277471
    d1 = ((y[0] + mu)**2 + y[1]**2)**1.5
    d2 = ((y[0] - 1 + mu)**2 + y[1]**2)**1.5
    return [y[2], y[3],
            y[0] + 2 * y[3] - (1 - mu) * (y[0] + mu) / d1 -
            mu * (y[0] - 1 + mu) / d2,
            y[1] - 2 * y[2] - (1 - mu) * y[1] / d1 - mu * y[1] / d2]


FUNCTIONS = {"VanDerPol": van_der_pol, "Oregonator": oregonator,
             "Robertson": robertson, "Hires": hires, "E5": e5,
             "Arenstorf": arenstorf}


def load():
    """Returns a list of (name, end, start, solution, scale, function)."""
    text = HEADER.read_text()
    text = text[text.index("GetInitialValueProblems() {"):]
    text = re.sub(r"std::vector<double>\((\d+), ([^)]*)\)",
                  lambda m: "{" + ", ".join([m[2]] * int(m[1])) + "}", text)
    table = re.search(r"return (\{.*\});", text, re.S)[1]
    table = re.sub(r"\b(" + "|".join(FUNCTIONS) + r")\b(?=\})", r'"\1"', table)
    rows = ast.literal_eval(table.replace("{", "[").replace("}", "]"))
    return [(*row[:-1], FUNCTIONS[row[-1]]) for row in rows]


def calc_error(solution, scale, y):
    return max(abs(a - b) / max(abs(b), s)
               for a, b, s in zip(y, solution, scale))
