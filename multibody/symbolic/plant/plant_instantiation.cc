// The plant and its facets, compiled once more for expressions: the same
// sources, but for what decides by a value or touches. Forces on one velocity
// are clamped by conditions that are expressions. v̇ comes from M by elimination
// (symbolic_equations.h). A discrete step is the one linear solve that it is
// where its forces are lines in v. Contact, rigid constraints, projection and
// deformable bodies are not there: who needs them is told so.

#include <cmath>
#include <limits>

#include "wyvern/multibody/symbolic/plant/symbolic_scalar_private.h"
#include "wyvern/multibody/symbolic/symbolic_equations.h"
#include "wyvern/systems/symbolic/expression_kinds.h"

namespace wyvern::multibody {
extern template class MultibodyPlant<double>;
extern template class internal::MultibodyTree<symbolic::Expression>;
extern template class internal::MultibodyTreeSystem<symbolic::Expression>;
}  // namespace wyvern::multibody

// Before it is used.
#include "wyvern/multibody/plant/parts/constrained_step.h"
#include "wyvern/multibody/plant/parts/continuous_accelerations.h"
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/parts/discrete_step.h"
#include "wyvern/multibody/plant/parts/free_rotation.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/plant/parts/solve_accelerations.h"
#include "wyvern/multibody/symbolic/plant/symbolic_parts_private.h"
//
#include "wyvern/geometry/scene_graph/kinematics_vector.cc"
#include "wyvern/multibody/plant/contact_results.cc"
#include "wyvern/multibody/plant/externally_applied_spatial_force_multiplexer.cc"
#include "wyvern/multibody/plant/multibody_plant.cc"
#include "wyvern/multibody/plant/parts/actuation_part.cc"
#include "wyvern/multibody/plant/parts/body_sets.cc"
#include "wyvern/multibody/plant/parts/dynamics_part.cc"
#include "wyvern/multibody/plant/parts/position_rates.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/plant/plant_actuation.cc"
#include "wyvern/multibody/plant/plant_building.cc"
#include "wyvern/multibody/plant/plant_constraints.cc"
#include "wyvern/multibody/plant/plant_contact.cc"
#include "wyvern/multibody/plant/plant_derivatives.cc"
#include "wyvern/multibody/plant/plant_dynamics.cc"
#include "wyvern/multibody/plant/plant_elements.cc"
#include "wyvern/multibody/plant/plant_energy.cc"
#include "wyvern/multibody/plant/plant_free_bodies.cc"
#include "wyvern/multibody/plant/plant_geometry.cc"
#include "wyvern/multibody/plant/plant_jacobians.cc"
#include "wyvern/multibody/plant/plant_kinematics.cc"
#include "wyvern/multibody/plant/plant_mass_properties.cc"
#include "wyvern/multibody/plant/plant_names.cc"
#include "wyvern/multibody/plant/plant_state.cc"
// Its names are also those of others.
#include "wyvern/multibody/plant/plant_ports.cc"

namespace wyvern::geometry {
template class KinematicsVector<FrameId,
                                math::RigidTransform<symbolic::Expression>>;
}  // namespace wyvern::geometry

namespace wyvern::multibody {

using symbolic::Expression;

std::unique_ptr<MultibodyPlant<Expression>> ToSymbolic(
    const MultibodyPlant<double>& plant) {
  return std::make_unique<MultibodyPlant<Expression>>(plant);
}

#define WYVERN_MEMBER(...) template __VA_ARGS__
// Functions of geometry that need no SceneGraph.
WYVERN_MEMBER(const std::vector<geometry::GeometryId>&
                  PlantGeometry<Expression>::GetVisualGeometriesForBody(
                      const RigidBody<Expression>&) const);
WYVERN_MEMBER(const std::vector<geometry::GeometryId>&
                  PlantGeometry<Expression>::GetCollisionGeometriesForBody(
                      const RigidBody<Expression>&) const);
WYVERN_MEMBER(
    const RigidBody<Expression>* PlantGeometry<Expression>::GetBodyFromFrameId(
        geometry::FrameId) const);
WYVERN_MEMBER(std::optional<geometry::FrameId>
                  PlantGeometry<Expression>::GetBodyFrameIdIfExists(BodyIndex)
                      const);
WYVERN_MEMBER(geometry::FrameId
                  PlantGeometry<Expression>::GetBodyFrameIdOrThrow(BodyIndex)
                      const);
// Functions of derivatives that symbolic_parts_private.h does not have.
WYVERN_MEMBER(void PlantDerivatives<Expression>::RequireSquare(
    const char*, const char*, int, EigenPtr<MatrixX<Expression>>) const);
WYVERN_MEMBER(
    MatrixX<Expression> PlantDerivatives<Expression>::CalcDerivativeInPositions(
        const Context<Expression>&, const MatrixX<Expression>&) const);
WYVERN_MEMBER(void PlantDerivatives<Expression>::CalcCentroidalMomentumMatrix(
    const Context<Expression>&, EigenPtr<Matrix6X<Expression>>) const);
WYVERN_MEMBER(SpatialMomentum<Expression>
                  PlantDerivatives<Expression>::CalcCentroidalMomentum(
                      const Context<Expression>&) const);
WYVERN_MEMBER(SpatialForce<Expression>
                  PlantDerivatives<Expression>::CalcCentroidalMomentumBias(
                      const Context<Expression>&) const);
#undef WYVERN_MEMBER

template class ContactResults<Expression>;
template class PlantActuation<Expression>;
template class PlantBuilding<Expression>;
template class PlantConstraints<Expression>;
template class PlantContact<Expression>;
template class PlantDynamics<Expression>;
template class PlantElements<Expression>;
template class PlantEnergy<Expression>;
template class PlantFreeBodies<Expression>;
template class PlantJacobians<Expression>;
template class PlantKinematics<Expression>;
template class PlantMassProperties<Expression>;
template class PlantNames<Expression>;
template class PlantPorts<Expression>;
template class PlantState<Expression>;
template class internal::ActuationPart<Expression>;
template class internal::DynamicsPart<Expression>;
template class MultibodyPlant<Expression>;
template MultibodyPlant<Expression>::MultibodyPlant(
    const MultibodyPlant<double>&);
template MultibodyPlant<double>::MultibodyPlant(
    const MultibodyPlant<Expression>&);
template class ExternallyAppliedSpatialForceMultiplexer<Expression>;

bool internal::OfferSymbolicPlant() {
  systems::SystemScalarConverter::OfferSymbolic<MultibodyPlant>();
  systems::SystemScalarConverter::OfferSymbolic<
      ExternallyAppliedSpatialForceMultiplexer>();
  return true;
}

}  // namespace wyvern::multibody
