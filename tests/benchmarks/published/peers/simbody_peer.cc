/** @file
The planar mechanisms of tests/published by Simbody, in continuous time: pins,
ball constraints for loops, the Runge-Kutta-Merson and Runge-Kutta-Fehlberg
integrators. Rows of measure.h. Made and run by compare.py. */

#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include <Simbody.h>

#include "tests/benchmarks/published/measure.h"
#include "tests/published/planar_mechanisms.h"

namespace {

using namespace SimTK;  // NOLINT
using wyvern::test::PlanarMechanism;
using wyvern::test::PlanarPoint;

struct Model {
  explicit Model(const PlanarMechanism& m)
      : matter(system),
        forces(system),
        gravity(forces, matter, Vec3(0, -m.gravity, 0)) {
    const auto body_of = [this](int i) -> MobilizedBody& {
      return i < 0 ? static_cast<MobilizedBody&>(matter.updGround()) : pins[i];
    };
    for (const auto& b : m.bodies) {
      const Vec3 center(b.cx, b.cy, 0);
      const Body::Rigid body(MassProperties(
          b.mass, center,
          Inertia(b.moment).shiftFromMassCenter(center, b.mass)));
      pins.emplace_back(body_of(b.parent), Transform(Vec3(b.x, b.y, 0)), body,
                        Transform());
    }
    const auto p = [](const PlanarPoint& a) { return Vec3(a.x, a.y, 0); };
    for (const auto& loop : m.loops) {
      // A ball would constrain z, too, which no body can leave.
      const auto add = [&](const UnitVec3& normal) {
        Constraint::PointInPlane(body_of(loop[0].body), normal,
                                 dot(p(loop[0]), normal), body_of(loop[1].body),
                                 p(loop[1]));
      };
      add(UnitVec3(1, 0, 0));
      add(UnitVec3(0, 1, 0));
    }
    for (const auto& s : m.springs) {
      Force::TwoPointLinearSpring(forces, body_of(s.a.body), p(s.a),
                                  body_of(s.b.body), p(s.b), s.stiffness,
                                  s.rest);
    }
    if (m.torque != 0) {
      Force::MobilityConstantForce(forces, pins[0], 0, m.torque);
    }
    state = system.realizeTopology();
    for (size_t i = 0; i < pins.size(); ++i) {
      pins[i].setAngle(state, m.bodies[i].q);
      pins[i].setRate(state, m.bodies[i].v);
    }
  }

  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  Force::UniformGravity gravity;
  std::deque<MobilizedBody::Pin> pins;
  State state;
};

template <typename IntegratorType>
wyvern::test::Outcome Run(const PlanarMechanism& m, Model* model,
                          double accuracy) {
  IntegratorType integrator(model->system);
  integrator.setAccuracy(accuracy);
  integrator.setFinalTime(m.end);
  integrator.initialize(model->state);
  const wyvern::test::Stopwatch watch;
  // It also returns at the start of an interval, at events and for reports.
  while (!integrator.isSimulationOver() && integrator.getTime() < m.end) {
    integrator.stepTo(m.end);
  }
  wyvern::test::Outcome row{std::nan(""), integrator.getNumRealizations(),
                            watch.ms()};
  const State& state = integrator.getState();
  if (state.getTime() < m.end) return row;
  std::vector<double> q, v;
  for (const auto& pin : model->pins) {
    q.push_back(pin.getAngle(state));
    v.push_back(pin.getRate(state));
  }
  row.error = CalcError(m, q, v);
  return row;
}

template <typename IntegratorType>
void MeasureAll(const char* method) {
  for (const auto& m : wyvern::test::GetPlanarMechanisms()) {
    Model model(m);
    for (int digits = 2; digits <= 10; ++digits) {
      const double accuracy = std::pow(10, -digits);
      const bool goes_on = wyvern::test::Measure(
          m.name, "Simbody", method, accuracy,
          [&]() { return Run<IntegratorType>(m, &model, accuracy); });
      if (!goes_on) break;
    }
  }
}

}  // namespace

int main() {
  MeasureAll<RungeKuttaMersonIntegrator>("Merson");
  MeasureAll<RungeKuttaFeldbergIntegrator>("Fehlberg");
}
