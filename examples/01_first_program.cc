// A first program: wire blocks into a diagram, simulate it, read a log.
//
//   +--------------+      +----------+      +----------+      +-----+
//   | acceleration | ---> | velocity | ---> | position | ---> | log |
//   | a(t), m/s^2  |      |  1/s     |      |  1/s     |      |     |
//   +--------------+      +----------+      +----------+      +-----+
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

namespace systems = wyvern::systems;

int main() {
  const double amplitude = 2.0;  // m/s^2
  const double frequency = 3.0;  // rad/s

  systems::DiagramBuilder<double> builder;
  auto* acceleration = builder.AddSystem<systems::Sine<double>>(
      amplitude, frequency, 0.0 /* phase */, 1 /* size */);
  auto* velocity = builder.AddSystem<systems::Integrator<double>>(1);
  auto* position = builder.AddSystem<systems::Integrator<double>>(1);
  builder.Connect(acceleration->get_output_port(0), velocity->get_input_port());
  builder.Connect(*velocity, *position);
  auto* log = systems::LogVectorOutput(position->get_output_port(), &builder,
                                       0.5 /* period, s */);
  const auto diagram = builder.Build();

  systems::Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(5.0);

  const auto& samples = log->FindLog(simulator.get_context());
  double worst = 0.0;
  fmt::print("time [s]  position [m]\n");
  for (int k = 0; k < samples.num_samples(); ++k) {
    const double t = samples.sample_times()[k];
    const double x = samples.data()(0, k);
    fmt::print("{:8.1f}  {:12.6f}\n", t, x);
    // From rest, two integrals of A sin(wt) are A/w (t - sin(wt) / w).
    const double exact =
        amplitude / frequency * (t - std::sin(frequency * t) / frequency);
    worst = std::max(worst, std::abs(x - exact));
  }
  fmt::print("Largest deviation from the closed form: {:.1e} m\n", worst);
  return worst < 1e-3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
