#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/plant/parts/dynamics_part.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/plant/plant_actuation.h"
#include "wyvern/multibody/plant/plant_building.h"
#include "wyvern/multibody/plant/plant_constraints.h"
#include "wyvern/multibody/plant/plant_contact.h"
#include "wyvern/multibody/plant/plant_derivatives.h"
#include "wyvern/multibody/plant/plant_dynamics.h"
#include "wyvern/multibody/plant/plant_elements.h"
#include "wyvern/multibody/plant/plant_energy.h"
#include "wyvern/multibody/plant/plant_free_bodies.h"
#include "wyvern/multibody/plant/plant_geometry.h"
#include "wyvern/multibody/plant/plant_jacobians.h"
#include "wyvern/multibody/plant/plant_kinematics.h"
#include "wyvern/multibody/plant/plant_mass_properties.h"
#include "wyvern/multibody/plant/plant_names.h"
#include "wyvern/multibody/plant/plant_ports.h"
#include "wyvern/multibody/plant/plant_state.h"
#include "wyvern/multibody/plant/plant_with_scene_graph.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/framework/implicit_step.h"

namespace wyvern::multibody {

namespace internal {

/** Data that the plant's facets refer to; a base class, so that it is
constructed before them. */
template <typename T>
struct PlantParts {
  explicit PlantParts(const MultibodyTreeSystem<T>& core)
      : dynamics_part(core, port_indices, constraint_registry, geometry_binding,
                      contact_config, deformables),
        deformables(core) {}
  PortIndices port_indices;
  ConstraintRegistry constraint_registry;
  GeometryBinding geometry_binding;
  ContactConfig contact_config;
  DynamicsPart<T> dynamics_part;
  DeformableModel<T> deformables;
};

}  // namespace internal

/** A multibody system as a block of a diagram: bodies, the joints between them,
motors and gravity. Add elements, call Finalize(), then simulate it or ask it.

@code
MultibodyPlant<double> plant(0.001);  // Steps of 1 ms; 0 for continuous time.
const auto& arm = plant.AddRigidBody("arm", M_AAo_A);
plant.AddJoint<RevoluteJoint>("shoulder", plant.world_body(), {}, arm, {},
                              Vector3<double>::UnitY());
plant.Finalize();
@endcode

State is x = [q; v]. A continuous plant has ẋ = f(t, x, u);
CalcImplicitTimeDerivativesResidual() gives, for proposed derivatives q̇ and v̇,
[q̇ - N(q) v; M v̇ + C v - f] with all forces f, in that order. A discrete one is
advanced by semi-implicit Euler steps, v first and then q with the new v,
implicit in joint damping, PD controllers and joint limits, so that it is stable
for any of their coefficients.

Joints may close loops. Finalize() cuts these at the joints of GetLoopJoints()
and closes them by a constraint: a loop joint's child (its parent, if the child
is the world) is split into two halves of its mass, the body itself and one that
hangs on the loop joint, and these are kept together. All joints have their
positions and velocities in the state, so that a loop's are not independent: set
them to agree, or near it and call ProjectOntoConstraints(). There are as many
bodies and joints as were added; forces on a body act on the body itself. What
has no constraint forces in it, M, C v, tau_g and inverse dynamics, is of the
model that is cut. In a discrete plant the halves part a little, so that the
laws of motion of a split body hold to the order of the step.

Ports: plant_ports.h. All else that can be asked is in the facets this class
derives from.

@tparam T the scalar: double or AutoDiffXd. */
template <typename T>
class MultibodyPlant final : public internal::MultibodyTreeSystem<T>,
                             private internal::PlantParts<T>,
                             public PlantBuilding<T>,
                             public PlantElements<T>,
                             public PlantState<T>,
                             public PlantNames<T>,
                             public PlantFreeBodies<T>,
                             public PlantKinematics<T>,
                             public PlantJacobians<T>,
                             public PlantDynamics<T>,
                             public PlantDerivatives<T>,
                             public PlantEnergy<T>,
                             public PlantMassProperties<T>,
                             public PlantActuation<T>,
                             public PlantConstraints<T>,
                             public PlantContact<T>,
                             public PlantGeometry<T>,
                             public PlantPorts<T>,
                             public systems::ImplicitStep<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MultibodyPlant);

  /** A plant with the world and gravity.
  @param time_step of a discrete plant, [s]; zero for a continuous one.
  @throws std::logic_error if it is negative or not finite. */
  explicit MultibodyPlant(double time_step);
  /** A copy on another scalar, of the plant as it is: finalized or not. */
  template <typename U>
  explicit MultibodyPlant(const MultibodyPlant<U>& other);
  ~MultibodyPlant() override;

  /** Finishes the model: adds joints to free bodies, orders the bodies, and
  declares state, parameters, ports and events. A joint that moves no inertia
  supports kinematics only; functions that need its acceleration throw an error
  that names it. Limits on a quaternion cannot act: a warning names the joint.
  The inertia of a body may be SpatialInertia::NaN() here; a Context must give
  it before dynamics or mass properties are computed.
  @throws std::logic_error if called twice. */
  void Finalize();
  /** True after Finalize(). */
  bool is_finalized() const { return this->tree().is_finalized(); }

  /** Whether dynamic output ports of a discrete plant show the last step (the
  default) or are computed anew from the present state and inputs.
  @throws std::logic_error after Finalize(), or to sample a continuous plant. */
  void SetUseSampledOutputPorts(bool use_sampled_output_ports);
  /** True if dynamic output ports show the last step of a discrete plant. */
  bool has_sampled_output_ports() const {
    return use_sampled_output_ports_ && this->is_discrete();
  }

  /** True of a finalized continuous plant: ConvexIntegrator then advances it.
   */
  bool TakesImplicitSteps() const override {
    return is_finalized() && !this->is_discrete();
  }
  /** A step of a continuous plant: see systems::ImplicitStep. Limits, friction
  of joints, PD controllers, constraints and contact are implicit, all other
  forces explicit.
  @throws std::logic_error if the plant is discrete or not finalized, x_next is
    null, or h is not positive and finite. */
  double CalcImplicitStep(const systems::Context<T>& context, double h,
                          const VectorX<T>* guess,
                          VectorX<T>* x_next) const override;

  const std::vector<SpatialAcceleration<T>>& EvalBodyAccelerations(
      const systems::Context<T>& context) const override;

  /** Positions of joints and deformable bodies as their defaults say, at rest.
   */
  void SetDefaultState(const systems::Context<T>& context,
                       systems::State<T>* state) const override;
  /** The default state, but for positions that were given a distribution: see
  the joints' set_random_... and the plant's SetFreeBodyRandom... functions. */
  void SetRandomState(const systems::Context<T>& context,
                      systems::State<T>* state,
                      RandomGenerator* generator) const override;

  // Names that a base has as well.
  using PlantConstraints<T>::num_constraints;
  using PlantDynamics<T>::CalcMassMatrix;
  using PlantKinematics<T>::MapVelocityToQDot;
  using PlantKinematics<T>::MapQDotToVelocity;
  using systems::System<T>::MapVelocityToQDot;
  using systems::System<T>::MapQDotToVelocity;

 private:
  template <typename>
  friend class MultibodyPlant;
  friend class ForceDensityField<T>;  // Declares its ports.
  using Core = internal::MultibodyTreeSystem<T>;
  using Parts = internal::PlantParts<T>;
  using Begin = typename PlantPorts<T>::Begin;

  // Without even the world.
  struct Empty {};
  MultibodyPlant(double time_step, Empty);
  // For the constructor, where the bases after it are not made yet and no
  // other function of this class may be called.
  static Core& CoreOf(Core* plant) { return *plant; }

  void AfterAddingBody(const RigidBody<T>& body) override {
    this->RegisterFrame(body);
  }
  void AfterRenamingModelInstance(ModelInstanceIndex model_instance,
                                  const std::string& old_name) override {
    this->RenameGeometry(model_instance, old_name);
  }

  // The steps of Finalize().
  void FinalizeStructure();
  void DeclareUpdate();

  systems::EventStatus UpdateDiscrete(
      const systems::Context<T>& context,
      systems::DiscreteValues<T>* discrete_state) const;
  systems::EventStatus UpdateUnrestricted(const systems::Context<T>& context,
                                          systems::State<T>* state) const;

  systems::EventStatus ProjectState(const systems::Context<T>& context,
                                    systems::State<T>* state) const;

  void DoCalcTimeDerivatives(
      const systems::Context<T>& context,
      systems::ContinuousState<T>* derivatives) const override;
  void DoCalcImplicitTimeDerivativesResidual(
      const systems::Context<T>& context,
      const systems::ContinuousState<T>& proposed_derivatives,
      EigenPtr<VectorX<T>> residual) const override;
  void DoMapVelocityToQDot(const systems::Context<T>& context,
                           const Eigen::Ref<const VectorX<T>>& v,
                           systems::VectorBase<T>* qdot) const override;
  void DoMapQDotToVelocity(const systems::Context<T>& context,
                           const Eigen::Ref<const VectorX<T>>& qdot,
                           systems::VectorBase<T>* v) const override;
  std::string DoDescribeDifficulties(const systems::Context<T>& context,
                                     systems::Difficulty least) const override;
  T DoCalcPotentialEnergy(const systems::Context<T>& context) const override;
  T DoCalcKineticEnergy(const systems::Context<T>& context) const override;
  T DoCalcConservativePower(const systems::Context<T>& context) const override;
  T DoCalcNonConservativePower(
      const systems::Context<T>& context) const override;

  bool use_sampled_output_ports_{true};
  systems::AbstractStateIndex sample_;
};

}  // namespace wyvern::multibody
