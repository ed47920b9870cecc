#pragma once

#include <memory>

#include "wyvern/multibody/plant/deformable_model.h"
#include "wyvern/multibody/plant/parts/contact_config.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

namespace internal {
/** A hook of Drake's for solvers of deformable bodies; see
PlantContact::SetDiscreteUpdateManager(). */
template <typename T>
class DiscreteUpdateManager {
 public:
  virtual ~DiscreteUpdateManager() = default;
};
}  // namespace internal

/** The part of a MultibodyPlant that says how contact is modelled. Setters
throw std::logic_error after Finalize(), unless they say otherwise.

A contact point between geometries A and B with depth x >= 0 and rate x' has
the normal force k x max(0, 1 + d x') (Hunt and Crossley), or
max(0, k (x + tau x')) for the approximation kSap (Kelvin and Voigt), with

    k = kA kB / (kA + kB), d = (kB dA + kA dB) / (kA + kB), tau = tauA + tauB,

and friction up to mu = 2 muA muB / (muA + muB) times it. Discrete plants go by
the coefficients of dynamic friction. In continuous ones the coefficient depends
on the slip speed s (Stribeck's curve):

    mu(s) = (mu_d + (mu_s - mu_d) w(s)) s / sqrt(s^2 + v_s^2),

v_s the stiction tolerance, w = 1 up to 10 v_s and falling to 0 at 30 v_s. So
static friction mu_s holds to half a per cent, and equal coefficients give the
law of discrete plants. These are proximity properties of the group "material".
One that a geometry does not have comes from the SceneGraph's
DefaultProximityProperties; where those leave it away, there is:

| property                  | unit | SceneGraph | else                         |
|---------------------------|------|------------|------------------------------|
| coulomb_friction          | -    | 0.5, 0.5   | an error                     |
| point_contact_stiffness   | N/m  | 1e6        | set_penetration_allowance()  |
| hunt_crossley_dissipation | s/m  | 50         | set_penetration_allowance()  |
| relaxation_time           | s    | 0.1        | with kSap an error           |

A continuous plant always takes the law of Hunt and Crossley. Finalize() writes
a warning to stderr of properties that have no effect: a dissipation of the kind
that the model does not use where the other is missing, static friction that
differs from the dynamic one in a discrete plant, "material" properties of other
names, and the group "hydroelastic" with the model kPoint.

Of two geometries with a hydroelastic compliance type each face of their contact
surface, with area A and pressure p at its centroid, has the same law, with

    k = A g,   k x = A p,   1 / g = 1 / gA + 1 / gB,
    d = (EB dA + EA dB) / (EA + EB),

g a geometry's gradient of pressure along the normal [Pa/m], E its modulus [Pa];
of one that is rigid both are infinite. */
template <typename T>
class PlantContact {
 public:
  /** With kHydroelastic, a pair that touches and can have no contact surface is
  an error, when it touches, that says what the pair lacks. */
  void set_contact_model(ContactModel model);
  /** The model of contact. */
  ContactModel get_contact_model() const { return config_.model; }
  /** Sets the approximation of contact that discrete steps solve.
  @throws std::logic_error also if the plant is continuous. */
  void set_discrete_contact_approximation(
      DiscreteContactApproximation approximation);
  /** The approximation of contact in steps. */
  DiscreteContactApproximation get_discrete_contact_approximation() const {
    return config_.approximation;
  }
  /** The solver that goes with the approximation: kTamsi with kTamsi, kSap with
  all others. */
  DiscreteContactSolver get_discrete_contact_solver() const;
  /** Sets whether contact surfaces consist of polygons or triangles. */
  void set_contact_surface_representation(
      geometry::HydroelasticContactRepresentation representation);
  /** The form of contact surfaces. */
  geometry::HydroelasticContactRepresentation
  get_contact_surface_representation() const {
    return config_.surface_representation;
  }
  /** kPolygon for discrete plants, kTriangle for continuous ones. */
  static geometry::HydroelasticContactRepresentation
  GetDefaultContactSurfaceRepresentation(double time_step);

  /** How stiff a contact can be before the approximation kSap softens it, as a
  share of what a step resolves; zero for never.
  @throws std::logic_error if it is negative or not finite. */
  void set_sap_near_rigid_threshold(
      double near_rigid_threshold =
          MultibodyPlantConfig{}.sap_near_rigid_threshold);
  /** The threshold of set_sap_near_rigid_threshold(). */
  double get_sap_near_rigid_threshold() const {
    return config_.near_rigid_threshold;
  }
  /** Sets how deep, [m], the heaviest body rests on one contact point of
  default stiffness. After Finalize() it acts at once in every Context.
  @throws std::logic_error unless it is positive and finite. */
  void set_penetration_allowance(
      double penetration_allowance =
          MultibodyPlantConfig{}.penetration_allowance);
  /** The time in which a contact of default stiffness stops the heaviest body,
  [s]. @throws std::logic_error before Finalize(). */
  double get_contact_penalty_method_time_scale() const;
  /** Sets the slip speed [m/s] at which friction has 1/sqrt(2) of its full
  size; much slower slip is practically rest. The default is 1e-3 for a plant
  made by its constructor. A plant made from a MultibodyPlantConfig uses the
  config's value, which is 1e-4 unless set. After Finalize() it acts at once in
  every Context.
  @throws std::logic_error unless it is positive and finite. */
  void set_stiction_tolerance(
      double v_stiction = MultibodyPlantConfig{}.stiction_tolerance);
  /** The slip speed of set_stiction_tolerance(), [m/s]. */
  double stiction_tolerance() const { return config_.stiction_tolerance; }

  /** Whether bodies that a joint connects, other than to the world, pass
  through each other; true unless set. Bodies welded to each other always do. */
  void set_adjacent_bodies_collision_filters(bool value);
  /** The choice of set_adjacent_bodies_collision_filters(). */
  bool get_adjacent_bodies_collision_filters() const {
    return config_.filters_adjacent_bodies;
  }

  /** How near, [m], two geometries of a discrete plant must be for a step to
  see to it that they do not pass through each other; 0, never, unless set. By
  default a step has the contacts of its beginning: a small body that goes
  farther in a step than another is thick passes through it. With a margin,
  points that are apart by less are contacts too, that push only as far as the
  step would bring them to overlap, and without friction; from the next step on
  they are like all others. So the margin should be what the fastest body goes
  in a step. Each such point costs what a contact does. Contact surfaces have a
  margin of their own, the property ("hydroelastic", "margin").
  @throws std::logic_error if it is negative or not finite, or is not zero and
  the plant is continuous. */
  void set_speculative_contact_margin(double margin);
  /** The margin of set_speculative_contact_margin(), [m]. */
  double get_speculative_contact_margin() const {
    return config_.speculative_margin;
  }

  /** The plant's deformable bodies. */
  const DeformableModel<T>& deformable_model() const { return deformables_; }
  /** Returns the plant's deformable bodies, to be added to.
  @throws std::logic_error after Finalize(). */
  DeformableModel<T>& mutable_deformable_model();

  /** Not available: throws std::logic_error. */
  void SetDiscreteUpdateManager(
      std::unique_ptr<internal::DiscreteUpdateManager<T>> manager);

 protected:
  PlantContact(const internal::MultibodyTreeSystem<T>& core,
               internal::ContactConfig& config, DeformableModel<T>& deformables)
      : core_(core), config_(config), deformables_(deformables) {
    config_.surface_representation =
        GetDefaultContactSurfaceRepresentation(core.time_step());
  }
  ~PlantContact() = default;

  /** Computes the defaults; the tree is finalized. */
  void FinalizeContact();

 private:
  const internal::MultibodyTreeSystem<T>& core_;
  internal::ContactConfig& config_;
  DeformableModel<T>& deformables_;
};

}  // namespace wyvern::multibody
