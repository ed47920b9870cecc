#include "wyvern/app/disturbance_source.h"

#include <algorithm>

#include "wyvern/multibody/parsing/directives/scoped_names.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::app {

DisturbanceSource::DisturbanceSource(
    const std::vector<Disturbance>& disturbances,
    const multibody::MultibodyPlant<double>& plant)
    : is_discrete_(plant.is_discrete()) {
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
    edges_.push_back(d.start);
    edges_.push_back(d.start + d.duration);
  }
  std::sort(edges_.begin(), edges_.end());
  if (!edges_.empty()) this->DeclareBreakTimes();
  this->DeclareAbstractOutputPort(
      "spatial_forces", &DisturbanceSource::CalcForces, {this->time_ticket()});
}

DisturbanceSource::~DisturbanceSource() = default;

void DisturbanceSource::DoCalcNextBreakTime(const systems::Context<double>&,
                                            const double& after,
                                            double* time) const {
  const auto next = std::upper_bound(edges_.begin(), edges_.end(), after);
  if (next != edges_.end()) *time = *next;
}

void DisturbanceSource::CalcForces(const systems::Context<double>& context,
                                   Forces* forces) const {
  forces->clear();
  double t = context.get_time();
  // A tick within rounding of the edge is the edge.
  if (is_discrete_) t += 1e-12 * std::max(1.0, t);
  for (const Window& window : windows_) {
    if (window.start <= t && t < window.end) forces->push_back(window.force);
  }
}

}  // namespace wyvern::app
