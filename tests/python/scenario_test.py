"""Scenarios and the program, from Python."""
import math
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
import wyvern
from conftest import SOURCE


def test_a_gain_changes_a_run():
    scenario = wyvern.load_scenario("arm_pd.yaml")
    soft = scenario.run(until=0.5)
    scenario["model_drivers.arm.kp"] = np.full(7, 2000.0)
    stiff = scenario.run(until=0.5)
    assert soft.ports == ["plant/arm_state", "plant/arm_net_actuation"]
    assert soft.times().tolist() == stiff.times().tolist()
    assert len(soft.times()) == 51
    assert soft.samples().shape == (51, 14) == (51, len(soft.names()))
    assert np.abs(soft.samples() - stiff.samples()).max() > 1e-3
    assert soft.summary.end_time == 0.5
    assert "duration" in soft.summary.reason
    assert soft.plant.num_positions() == 7
    with pytest.raises(KeyError, match="plant/arm_state"):
        soft.samples("plant/none")


def test_bad_values_are_refused_and_forgotten(tmp_path):
    scenario = wyvern.load_scenario("arm_pd.yaml")
    before = scenario.text()
    for path, value in (("no_such.key", 1), ("plant_config.time_step", "fast"),
                        ("plant_config.time_step", None), ("", 1)):
        with pytest.raises(RuntimeError):
            scenario[path] = value
    assert scenario.text() == before
    with pytest.raises((TypeError, ValueError)):
        scenario["plant_config.time_step"] = object()
    with pytest.raises(RuntimeError, match="no_such.yaml"):
        wyvern.load_scenario(tmp_path / "no_such.yaml")
    with pytest.raises((RuntimeError, TypeError)):
        scenario.run(until=math.nan)
    with pytest.raises(RuntimeError, match="no port"):
        scenario.run(until=0.1, ports="state")


def test_a_report_is_a_page(tmp_path):
    run = wyvern.load_scenario("pendulum_sensors.yaml").run(until=0.2)
    run.report(tmp_path / "report.html")
    assert "<html" in (tmp_path / "report.html").read_text().lower()


def test_a_frame_has_the_names_of_elements():
    pandas = pytest.importorskip("pandas")
    run = wyvern.load_scenario("arm_pd.yaml").run(until=0.1, period=0.05)
    frame = run.dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.index.name == "time" and len(frame) == 3
    assert frame.shape[1] == 14 + 7


def test_control_c_ends_a_run():
    scenario = wyvern.load_scenario("arm_pd.yaml")
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        scenario.run(until=1e5)
    timer.join()


def test_the_program_runs():
    def program(*arguments):
        return subprocess.run([sys.executable, "-m", "wyvern", *arguments],
                              capture_output=True, text=True, timeout=120)

    shown = program("inspect",
                    str(SOURCE / "app" / "scenarios" / "pendulum.urdf"))
    assert shown.returncode == 0 and "pin" in shown.stdout
    wrong = program("run", "no_such.yaml")
    assert wrong.returncode == 1 and "no_such.yaml" in wrong.stderr


def test_importing_is_light():
    code = ("import sys; import wyvern.multibody.plant; "
            "print([m for m in ('numpy', 'pandas', 'matplotlib') "
            "if m in sys.modules])")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True,
                           text=True, timeout=120, check=True)
    assert shown.stdout.strip() == "[]"
