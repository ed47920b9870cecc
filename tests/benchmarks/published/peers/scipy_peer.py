"""The initial value problems of tests/published by scipy's integrators."""

import time

import scipy.integrate

import problems


def main():
    for name, end, start, solution, scale, f in problems.load():
        stiff = name != "Arenstorf"
        for method in (("Radau", "BDF", "LSODA") if stiff else
                       ("RK45", "DOP853", "LSODA")):
            for digits in range(3, 11):
                r = 10.0**-digits
                begin = time.process_time()
                result = scipy.integrate.solve_ivp(
                    f, (0, end), start, method=method, rtol=r,
                    atol=[r * s for s in scale],
                    first_step=min(1e-6, 1e-8 * end))
                ms = 1e3 * (time.process_time() - begin)
                error = (problems.calc_error(solution, scale, result.y[:, -1])
                         if result.success else float("nan"))
                print(f"{name},scipy,{method},{r:.0e},{error:.3e},"
                      f"{result.nfev},{ms:.4f}", flush=True)


if __name__ == "__main__":
    main()
