/** @file
Error against time of the problems in tests/published by Wyvern: rows of
measure.h. With --problems, prints the numbers of the problems as JSON instead,
for peers in Python. */

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/benchmarks/published/measure.h"
#include "tests/published/mechanisms.h"
#include "tests/published/problem_system.h"

namespace wyvern::test {
namespace {

template <typename CalcErrorFunction>
Outcome Run(double end, systems::Simulator<double>* simulator,
            const CalcErrorFunction& calc_error) {
  simulator->set_warning_handler(nullptr);
  simulator->Initialize();
  const Stopwatch watch;
  simulator->AdvanceTo(end);
  const double ms = watch.ms();
  return {calc_error(simulator->get_context()),
          simulator->get_integrator().get_num_derivative_evaluations(), ms};
}

void MeasureInitialValueProblems() {
  for (const auto& problem : GetInitialValueProblems()) {
    const ProblemSystem system(problem);
    const std::vector<std::string> methods =
        problem.is_stiff
            ? std::vector<std::string>{"runge_kutta3", "radau5", "rosenbrock4"}
            : std::vector<std::string>{"runge_kutta3", "runge_kutta5",
                                       "fehlberg78"};
    for (const std::string& method : methods) {
      for (int digits = 3; digits <= 10; ++digits) {
        const double r = std::pow(10, -digits);
        const bool goes_on = Measure(problem.name, "Wyvern", method, r, [&]() {
          systems::Simulator<double> simulator(system);
          ApplySimulatorConfig(MakeConfig(problem, method, r), &simulator);
          simulator.get_mutable_integrator().request_initial_step_size_target(
              std::min(1e-6, 1e-8 * problem.end));
          return Run(problem.end, &simulator, [&](const auto& context) {
            return system.CalcErrorOf(context);
          });
        });
        if (!goes_on) break;
      }
    }
  }
}

Outcome Run(const Mechanism& mechanism,
            const systems::SimulatorConfig& config) {
  systems::Simulator<double> simulator(*mechanism.system);
  mechanism.start(
      mechanism.GetMutablePlantContext(&simulator.get_mutable_context()));
  ApplySimulatorConfig(config, &simulator);
  return Run(mechanism.end, &simulator, [&](const auto& context) {
    return mechanism.calc_error(mechanism.GetPlantContext(context));
  });
}

void MeasureByAccuracy(const std::vector<Mechanism>& mechanisms,
                       const std::vector<std::string>& methods) {
  for (const Mechanism& mechanism : mechanisms) {
    for (const std::string& method : methods) {
      for (int digits = 2; digits <= 10; ++digits) {
        systems::SimulatorConfig config;
        config.integration_scheme = method;
        config.accuracy = std::pow(10, -digits);
        const bool goes_on =
            Measure(mechanism.name, "Wyvern", method, config.accuracy,
                    [&]() { return Run(mechanism, config); });
        if (!goes_on) break;
      }
    }
  }
}

void MeasureDiscreteContact() {
  for (const double h : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4}) {
    for (const Mechanism& mechanism : GetContactMechanisms(h)) {
      Measure(mechanism.name, "Wyvern", "discrete", h, [&]() {
        Outcome row = Run(mechanism, {});
        row.evaluations = std::lround(mechanism.end / h);
        return row;
      });
    }
  }
}

nlohmann::json ToJson(const PlanarMechanism& m) {
  nlohmann::json result{{"name", m.name},       {"end", m.end},
                        {"gravity", m.gravity}, {"torque", m.torque},
                        {"q_end", m.q_end},     {"v_end", m.v_end}};
  for (const PlanarBody& b : m.bodies) {
    result["bodies"].push_back({{"name", b.name},
                                {"parent", b.parent},
                                {"pin", {b.x, b.y}},
                                {"mass", b.mass},
                                {"center", {b.cx, b.cy}},
                                {"moment", b.moment},
                                {"q", b.q},
                                {"v", b.v}});
  }
  const auto point = [](const PlanarPoint& p) {
    return nlohmann::json{{"body", p.body}, {"p", {p.x, p.y}}};
  };
  result["loops"] = result["springs"] = nlohmann::json::array();
  for (const auto& loop : m.loops) {
    result["loops"].push_back({point(loop[0]), point(loop[1])});
  }
  for (const PlanarSpring& s : m.springs) {
    result["springs"].push_back({{"ends", {point(s.a), point(s.b)}},
                                 {"rest", s.rest},
                                 {"stiffness", s.stiffness}});
  }
  return result;
}

void PrintProblems() {
#ifdef NDEBUG
  nlohmann::json result{{"build", "optimized"}};
#else
  nlohmann::json result{{"build", "with assertions, not optimized"}};
#endif
  for (const auto& p : GetInitialValueProblems()) {
    result["initial_value"].push_back({{"name", p.name},
                                       {"end", p.end},
                                       {"start", p.start},
                                       {"solution", p.solution},
                                       {"scale", p.scale},
                                       {"is_stiff", p.is_stiff}});
  }
  for (const PlanarMechanism& m : GetPlanarMechanisms()) {
    result["planar"].push_back(ToJson(m));
  }
  std::puts(result.dump().c_str());
}

}  // namespace
}  // namespace wyvern::test

int main(int argc, char** argv) {
  using namespace wyvern::test;  // NOLINT
  if (argc > 1 && std::string(argv[1]) == "--problems") {
    PrintProblems();
    return 0;
  }
  MeasureInitialValueProblems();
  MeasureByAccuracy(GetMechanisms(),
                    {"runge_kutta3", "runge_kutta5", "radau5"});
  MeasureByAccuracy(GetContactMechanisms(0), {"runge_kutta3", "convex"});
  MeasureDiscreteContact();
}
