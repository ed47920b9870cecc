#!/usr/bin/env python3
"""The height of the slider of IFToMM's A05, the stiff flyball governor, after
10 s, from Lagrange's equations of its three coordinates: the spin, the angle b
of both rods below the horizontal, and the height s. Needs scipy. Prints

    height of the slider after 10 s [m]
"""

import math

import scipy.integrate

G, K, C, REST = 9.81, 8e5, 4e4, 0.5
ROD, BALL, SLIDER, SHAFT = 0.3, 5.0, 3.0, 0.3
W, LENGTH, RADIUS = 0.01, 1.0, 0.05
ALONG = ROD * 2 * W**2 / 12
ACROSS = ROD * (LENGTH**2 + W**2) / 12


def spin_inertia(b):
    """About the shaft, and its derivative by b."""
    J = SHAFT * 2 * W**2 / 12 + SLIDER * 2 * 0.1**2 / 12
    dJ = 0.0
    for mass, r in ((ROD, LENGTH / 2), (BALL, LENGTH)):
        rho = RADIUS + r * math.cos(b)
        J += 2 * mass * rho**2
        dJ -= 4 * mass * rho * r * math.sin(b)
    J += 2 * (ALONG * math.sin(b)**2 + ACROSS * math.cos(b)**2)
    dJ += 4 * (ALONG - ACROSS) * math.sin(b) * math.cos(b)
    return J, dJ


MOMENTUM = spin_inertia(math.pi / 6)[0] * 2 * math.pi


def derivatives(t, y):
    b, s, db, ds = y
    J, dJ = spin_inertia(b)
    spin = MOMENTUM / J
    across, down = 0.5 * math.cos(b), 1 - 0.5 * math.sin(b) - s
    length = math.hypot(across, down)
    by_b = (-across * 0.5 * math.sin(b) - down * 0.5 * math.cos(b)) / length
    by_s = -down / length
    force = K * (length - REST) + C * (by_b * db + by_s * ds)
    inertia = 2 * (ROD * LENGTH**2 / 4 + ACROSS + BALL * LENGTH**2)
    ddb = (0.5 * dJ * spin**2 +
           2 * G * (ROD * LENGTH / 2 + BALL * LENGTH) * math.cos(b) -
           2 * force * by_b) / inertia
    dds = -G - 2 * force * by_s / SLIDER
    return [db, ds, ddb, dds]


def main():
    for tolerance in (1e-10, 1e-12, 1e-13):
        result = scipy.integrate.solve_ivp(
            derivatives, (0, 10), [math.pi / 6, 0.5, 0, 0], method="Radau",
            rtol=tolerance, atol=tolerance)
        print(f"{result.y[1, -1]:.12f}  at {tolerance:.0e}")


if __name__ == "__main__":
    main()
