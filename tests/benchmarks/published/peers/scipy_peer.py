"""The initial value problems of tests/published by scipy's integrators. Their
derivatives are Python here."""

import time

import scipy.integrate
from math import cos, hypot, sin, sqrt

import measure


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


def car_axis(t, y):
    s, phi, ds, dphi = y
    mass = 5e-4
    b_y = 0.1 * sin(10 * t)
    b_x = sqrt(1 - b_y * b_y)
    turn = cos(10 * t) / b_x
    turn2 = b_y * (turn * turn - 100) / b_x
    u_x, u_y = cos(phi), sin(phi)
    l_x, l_y = -s * b_y, s * b_x
    r_x, r_y = l_x + u_x - b_x, l_y + u_y - b_y
    left, right = 0.5 / hypot(l_x, l_y) - 1, 0.5 / hypot(r_x, r_y) - 1
    fl_x, fl_y = left * l_x / mass, left * l_y / mass - 1
    fr_x, fr_y = right * r_x / mass, right * r_y / mass - 1
    a_b, a_n = -2 * ds * turn - s * turn2, -s * turn * turn
    a_x, a_y = a_b * b_x - a_n * b_y, a_b * b_y + a_n * b_x
    c = u_y * b_y + u_x * b_x
    bar = -u_y * (fr_x - a_x) + u_x * (fr_y - a_y)
    dds = (-b_y * (fl_x + fr_x) + b_x * (fl_y + fr_y) - 2 * a_n - c * bar +
           dphi * dphi * (u_y * b_x - u_x * b_y)) / (2 - c * c)
    return [ds, dphi, dds, bar - c * dds]


def arenstorf(t, y):
    mu = 0.012277471
    d1 = ((y[0] + mu)**2 + y[1]**2)**1.5
    d2 = ((y[0] - 1 + mu)**2 + y[1]**2)**1.5
    return [y[2], y[3],
            y[0] + 2 * y[3] - (1 - mu) * (y[0] + mu) / d1 -
            mu * (y[0] - 1 + mu) / d2,
            y[1] - 2 * y[2] - (1 - mu) * y[1] / d1 - mu * y[1] / d2]


FUNCTIONS = {"van der Pol": van_der_pol, "OREGO": oregonator,
             "ROBER": robertson, "HIRES": hires, "car axis": car_axis,
             "Arenstorf": arenstorf}


def main():
    for problem in measure.load_problems()["initial_value"]:
        for method in (("Radau", "LSODA") if problem["is_stiff"] else
                       ("DOP853", "LSODA")):

            def run(r):
                start = time.thread_time()
                result = scipy.integrate.solve_ivp(
                    FUNCTIONS[problem["name"]], (0, problem["end"]),
                    problem["start"], method=method, rtol=r,
                    atol=[r * s for s in problem["scale"]],
                    first_step=min(1e-6, 1e-8 * problem["end"]))
                end = time.thread_time()
                if not result.success:
                    raise RuntimeError(result.message)
                error = max(abs(a - b) / max(abs(b), s) for a, b, s in
                            zip(result.y[:, -1], problem["solution"],
                                problem["scale"]))
                return error, result.nfev, start, end

            measure.measure(problem["name"], "scipy", method,
                            measure.tolerances(3, 10), run)


if __name__ == "__main__":
    main()
