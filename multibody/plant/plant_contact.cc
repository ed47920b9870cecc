#include "wyvern/multibody/plant/plant_contact.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* Settings of contact: how it is modelled, how steps approximate it, and what
stiffness and dissipation a geometry has that does not say. These follow from
the allowance for penetration d: k = m g / d of the heaviest body, and
critical damping at that depth (the derivation stands at the function). */

namespace wyvern::multibody {

namespace {

[[noreturn]] void ThrowNotAvailable(const char* function, const char* what) {
  throw std::logic_error(fmt::format(
      "MultibodyPlant::{}(): {} not available yet.", function, what));
}

}  // namespace

template <typename T>
void PlantContact<T>::set_contact_model(ContactModel model) {
  core_.tree().RequireNotFinalized("set_contact_model",
                                   "the contact model was set");
  config_.model = model;
}

template <typename T>
void PlantContact<T>::set_discrete_contact_approximation(
    DiscreteContactApproximation approximation) {
  core_.tree().RequireNotFinalized("set_discrete_contact_approximation",
                                   "the contact approximation was set");
  if (!core_.is_discrete()) {
    throw std::logic_error(
        "MultibodyPlant::set_discrete_contact_approximation(): the plant is "
        "continuous; give it a time step.");
  }
  config_.approximation = approximation;
}

template <typename T>
DiscreteContactSolver PlantContact<T>::get_discrete_contact_solver() const {
  return config_.approximation == DiscreteContactApproximation::kTamsi
             ? DiscreteContactSolver::kTamsi
             : DiscreteContactSolver::kSap;
}

template <typename T>
void PlantContact<T>::set_contact_surface_representation(
    geometry::HydroelasticContactRepresentation representation) {
  core_.tree().RequireNotFinalized("set_contact_surface_representation",
                                   "the contact surfaces' form was set");
  config_.surface_representation = representation;
}

template <typename T>
geometry::HydroelasticContactRepresentation
PlantContact<T>::GetDefaultContactSurfaceRepresentation(double time_step) {
  return time_step == 0 ? geometry::HydroelasticContactRepresentation::kTriangle
                        : geometry::HydroelasticContactRepresentation::kPolygon;
}

template <typename T>
void PlantContact<T>::set_sap_near_rigid_threshold(
    double near_rigid_threshold) {
  core_.tree().RequireNotFinalized("set_sap_near_rigid_threshold",
                                   "the near-rigid threshold was set");
  wyvern::internal::RequireNonNegative(
      "MultibodyPlant::set_sap_near_rigid_threshold", "near_rigid_threshold",
      near_rigid_threshold);
  config_.near_rigid_threshold = near_rigid_threshold;
}

template <typename T>
void PlantContact<T>::set_penetration_allowance(double penetration_allowance) {
  wyvern::internal::RequirePositive("MultibodyPlant::set_penetration_allowance",
                                    "penetration_allowance (m)",
                                    penetration_allowance);
  config_.penetration_allowance = penetration_allowance;
  if (!core_.tree().is_finalized()) return;
  FinalizeContact();
  core_.NoteSettingsChange();
}

template <typename T>
double PlantContact<T>::get_contact_penalty_method_time_scale() const {
  core_.tree().RequireFinalized("get_contact_penalty_method_time_scale");
  return config_.time_scale;
}

template <typename T>
void PlantContact<T>::set_stiction_tolerance(double v_stiction) {
  wyvern::internal::RequirePositive("MultibodyPlant::set_stiction_tolerance",
                                    "v_stiction (m/s)", v_stiction);
  config_.stiction_tolerance = v_stiction;
  core_.NoteSettingsChange();
}

template <typename T>
void PlantContact<T>::set_adjacent_bodies_collision_filters(bool value) {
  core_.tree().RequireNotFinalized("set_adjacent_bodies_collision_filters",
                                   "collision filters were set");
  config_.filters_adjacent_bodies = value;
}

template <typename T>
void PlantContact<T>::set_speculative_contact_margin(double margin) {
  constexpr const char* kFunction =
      "MultibodyPlant::set_speculative_contact_margin";
  core_.tree().RequireNotFinalized("set_speculative_contact_margin",
                                   "the margin of contact was set");
  wyvern::internal::RequireNonNegative(kFunction, "margin (m)", margin);
  if (margin > 0 && !core_.is_discrete()) {
    throw std::logic_error(fmt::format(
        "{}(): {} m was given, but the plant is continuous; a margin is for "
        "steps: give the plant a time step.",
        kFunction, margin));
  }
  config_.speculative_margin = margin;
}

template <typename T>
DeformableModel<T>& PlantContact<T>::mutable_deformable_model() {
  core_.tree().RequireNotFinalized("mutable_deformable_model",
                                   "its deformable model was asked for");
  return deformables_;
}

template <typename T>
void PlantContact<T>::SetDiscreteUpdateManager(
    std::unique_ptr<internal::DiscreteUpdateManager<T>>) {
  ThrowNotAvailable("SetDiscreteUpdateManager",
                    "update managers from outside are");
}

// The heaviest body m rests d deep on a point of stiffness k: k d = m g; it and
// the point swing with omega^2 = k / m = g / d, and the force of the damper at
// that depth, k d D v, is critical for D = 2 / (omega d). A pair of default
// geometries has half the stiffness of each and the dissipation of each.
template <typename T>
void PlantContact<T>::FinalizeContact() {
  double mass = 0;
  for (const RigidBody<T>* body : core_.tree().bodies().elements()) {
    if (body->index() != world_index()) {
      mass = std::max(mass, body->default_mass());
    }
  }
  if (mass == 0) mass = 1;
  const double gravity = core_.tree().gravity_field().gravity_vector().norm();
  const double g = gravity > 0 ? gravity : 9.81;
  const double depth = config_.penetration_allowance;
  ++config_.revision;
  config_.time_scale = std::sqrt(depth / g);
  config_.default_stiffness = 2 * mass * g / depth;
  config_.default_dissipation = 2 * config_.time_scale / depth;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantContact);
