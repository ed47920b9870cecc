#include "wyvern/app/disturbance_source.h"

#include <cmath>
#include <limits>
#include <set>

#include "wyvern/multibody/parsing/directives/scoped_names.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::app {

namespace {

// A period that no run lasts: an event that happens once.
constexpr double kOnce = 1e15;

}  // namespace

DisturbanceSource::DisturbanceSource(
    const std::vector<Disturbance>& disturbances,
    const multibody::MultibodyPlant<double>& plant, double start_time)
    : is_discrete_(plant.is_discrete()) {
  std::set<double> edges;
  for (const Disturbance& d : disturbances) {
    const internal::Caller who("Disturbance");
    internal::RequireFinite(who, "start", d.start);
    internal::RequireNonNegative(who, "start", d.start);
    internal::RequirePositive(who, "duration", d.duration);
    internal::RequireFinite(who, "force", d.force);
    internal::RequireFinite(who, "torque", d.torque);
    internal::RequireFinite(who, "point", d.point);
    const auto& body =
        multibody::parsing::GetScopedFrameByName(plant, d.body).body();
    windows_.push_back({d.start,
                        d.start + d.duration,
                        {body.index(), d.point,
                         multibody::SpatialForce<double>(d.torque, d.force)}});
    edges.insert(d.start);
    if (std::isfinite(windows_.back().end)) edges.insert(windows_.back().end);
  }
  // The last edge passed; it alone changes what acts in continuous time.
  double passed = -1;
  if (!is_discrete_) {
    for (const double edge : edges) {
      if (edge <= start_time) passed = edge;
    }
    this->DeclareDiscreteState(Vector1<double>(passed));
    for (const double edge : edges) {
      this->DeclarePeriodicEvent(
          kOnce, edge,
          systems::DiscreteUpdateEvent<double>(
              [edge](const systems::System<double>&,
                     const systems::Context<double>&,
                     const systems::DiscreteUpdateEvent<double>&,
                     systems::DiscreteValues<double>* next) {
                next->get_mutable_value()[0] = edge;
                return systems::EventStatus::Succeeded();
              }));
    }
  }
  this->DeclareAbstractOutputPort(
      "spatial_forces", &DisturbanceSource::CalcForces,
      {is_discrete_ ? this->time_ticket() : this->xd_ticket()});
}

DisturbanceSource::~DisturbanceSource() = default;

void DisturbanceSource::CalcForces(const systems::Context<double>& context,
                                   Forces* forces) const {
  forces->clear();
  double t = context.get_time();
  if (is_discrete_) {
    // A tick that is the edge but for rounding is the edge.
    t += 1e-12 * std::max(1.0, t);
  } else {
    t = context.get_discrete_state_vector()[0];
  }
  for (const Window& window : windows_) {
    if (window.start <= t && t < window.end) forces->push_back(window.force);
  }
}

}  // namespace wyvern::app
