// The plant and its facets, compiled once more for expressions, except what
// decides by a value or touches. Forces on one velocity are clamped by
// conditions that are expressions. v̇ comes from M by elimination
// (symbolic_equations.h). A discrete step is the one linear solve that it is
// where its forces are lines in v. Contact, rigid constraints, projection and
// deformable bodies are not there: errors say so.

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
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/plant/step/constrained_step.h"
#include "wyvern/multibody/plant/step/continuous_accelerations.h"
#include "wyvern/multibody/plant/step/discrete_step.h"
#include "wyvern/multibody/plant/step/free_rotation.h"
#include "wyvern/multibody/plant/step/solve_accelerations.h"
#include "wyvern/multibody/symbolic/plant/symbolic_parts_private.h"
//
#include <wyvern_plant_sources.inc>

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

template MultibodyPlant<Expression>::MultibodyPlant(
    const MultibodyPlant<double>&);
template MultibodyPlant<double>::MultibodyPlant(
    const MultibodyPlant<Expression>&);

bool internal::OfferSymbolicPlant() {
  systems::SystemScalarConverter::OfferSymbolic<MultibodyPlant>();
  systems::SystemScalarConverter::OfferSymbolic<
      ExternallyAppliedSpatialForceMultiplexer>();
  return true;
}

}  // namespace wyvern::multibody
