"""Figures of extended and unscented Kalman filters of a pendulum, for
tests/systems/estimators/nonlinear_filters_test.cc:

    pip install filterpy scipy
    python3 estimators.py > estimators.txt

`discrete` is filterpy's (2.0.0). `continuous` has the rates of mean and
covariance as the limit of filterpy's discrete filter with the step h, the
covariances V / h and W h, by extrapolation to h = 0. `sampled` has filterpy's
corrections, and between them scipy's solution of the equations of mean and
covariance in matrix form: Jazwinski (1970), and equation (34) of Sarkka (2007).

Lines of the output: a name, the mean and the columns of the covariance.
"""
import math

import numpy as np
from filterpy.kalman import (
    ExtendedKalmanFilter,
    MerweScaledSigmaPoints,
    UnscentedKalmanFilter,
)
from scipy.integrate import solve_ivp

PERIOD = 0.1
W = np.array([[0.02, 0.01], [0.01, 0.03]])
V = np.array([[0.04]])
MEAN = np.array([0.4, -0.2])
COVARIANCE = np.array([[0.3, 0.1], [0.1, 0.2]])


def rates(x, u):
    return np.array([x[1], -math.sin(x[0]) - 0.1 * x[1] + u])


def rates_jacobian(x):
    return np.array([[0, 1], [-math.cos(x[0]), -0.1]])


def output(x):
    return np.array([math.sin(x[0])])


def output_jacobian(x):
    return np.array([[math.cos(x[0]), 0]])


def sigma_points():
    return MerweScaledSigmaPoints(2, alpha=1.0, beta=2.0, kappa=0.0)


def correct(name, x, P, y, covariance):
    """Returns mean and covariance after a measurement."""
    if name == "ekf":
        ekf = ExtendedKalmanFilter(dim_x=2, dim_z=1)
        ekf.x, ekf.P, ekf.R = x.reshape(2, 1), P, covariance
        ekf.update(
            np.array([[y]]),
            lambda x: output_jacobian(x[:, 0]),
            lambda x: output(x[:, 0]).reshape(1, 1),
        )
        return ekf.x[:, 0], ekf.P
    ukf = make_unscented(x, P, 0, 0)
    ukf.R = covariance
    ukf.sigmas_f = ukf.points_fn.sigma_points(x, P)
    ukf.update(np.array([y]))
    return ukf.x, ukf.P


def make_unscented(x, P, u, h):
    ukf = UnscentedKalmanFilter(
        dim_x=2,
        dim_z=1,
        dt=h,
        hx=output,
        fx=lambda x, h: x + h * rates(x, u),
        points=sigma_points(),
    )
    ukf.x, ukf.P = x, P
    return ukf


def predict(name, x, P, u, h, covariance):
    """Returns mean and covariance after a step of Euler's method."""
    if name == "ekf":
        ekf = ExtendedKalmanFilter(dim_x=2, dim_z=1)
        ekf.x, ekf.P, ekf.Q = x.reshape(2, 1), P, covariance
        ekf.F = np.eye(2) + h * rates_jacobian(x)
        ekf.predict()
        # The covariance is filterpy's; its mean is that of a linear system.
        return x + h * rates(x, u), ekf.P
    ukf = make_unscented(x, P, u, h)
    ukf.Q = covariance
    ukf.predict()
    return ukf.x, ukf.P


def pack(x, P):
    return np.concatenate([x, P.T.ravel()])


def step_rates(name, u, y, h):
    x, P = correct(name, MEAN, COVARIANCE, y, V / h)
    x, P = predict(name, x, P, u, h, W * h)
    return (pack(x, P) - pack(MEAN, COVARIANCE)) / h


def extrapolate(name, u, y):
    # The errors of r(h) are a h + b h^2 + ...
    table = [step_rates(name, u, y, 1e-2 / 2**k) for k in range(6)]
    for order in range(1, 6):
        table = [
            (2**order * table[k + 1] - table[k]) / (2**order - 1)
            for k in range(len(table) - 1)
        ]
    return table[0]


def continuous_prediction(name, x, P, u):
    if name == "ekf":
        A = rates_jacobian(x)
        return rates(x, u), A @ P + P @ A.T + W
    points = sigma_points()
    X = points.sigma_points(x, P).T
    F = np.array([rates(column, u) for column in X.T]).T
    spread = np.eye(5) - np.outer(points.Wm, np.ones(5))
    weights = spread @ np.diag(points.Wc) @ spread.T
    cross = X @ weights @ F.T
    return F @ points.Wm, cross + cross.T + W


def propagate(name, x, P, u, duration):
    def f(t, state):
        m, C = state[:2], state[2:].reshape(2, 2)
        return pack(*continuous_prediction(name, m, C, u))

    end = solve_ivp(
        f, [0, duration], pack(x, P), method="DOP853", rtol=1e-12, atol=1e-14
    ).y[:, -1]
    return end[:2], end[2:].reshape(2, 2)


def show(name, numbers):
    print(name, *[f"{number:.17g}" for number in numbers])


for name in ["ekf", "ukf"]:
    x, P = MEAN, COVARIANCE
    for k in range(5):
        x, P = correct(name, x, P, 0.5 * math.cos(k), V)
        x, P = predict(name, x, P, math.sin(k), PERIOD, W)
    show(f"{name}_discrete", pack(x, P))
    show(f"{name}_continuous", extrapolate(name, 0.3, 0.5))
    x, P = MEAN, COVARIANCE
    for k in range(6):
        x, P = correct(name, x, P, 0.5, V)
        x, P = propagate(name, x, P, 0.3, PERIOD if k < 5 else 0.5 * PERIOD)
    show(f"{name}_sampled", pack(x, P))
