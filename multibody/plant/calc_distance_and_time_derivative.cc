#include "wyvern/multibody/plant/calc_distance_and_time_derivative.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::multibody {
namespace {

using geometry::GeometryId;

constexpr char kFunction[] = "CalcDistanceAndTimeDerivative";

const RigidBody<double>& BodyOf(
    const MultibodyPlant<double>& plant,
    const geometry::SceneGraphInspector<double>& inspector, GeometryId id) {
  const RigidBody<double>* body =
      plant.GetBodyFromFrameId(inspector.GetFrameId(id));
  if (body == nullptr) {
    throw std::logic_error(
        fmt::format("{}(): geometry '{}' is not on a body of the plant.",
                    kFunction, inspector.GetName(id)));
  }
  return *body;
}

// v_WP of the point P of a geometry G that is fixed to a body.
Vector3<double> PointVelocity(
    const systems::Context<double>& context,
    const geometry::SceneGraphInspector<double>& inspector,
    const RigidBody<double>& body, GeometryId id, const Vector3<double>& p_GP) {
  const Vector3<double> p_BP = inspector.GetPoseInFrame(id) * p_GP;
  const Vector3<double> p_BP_W =
      body.EvalPoseInWorld(context).rotation() * p_BP;
  return body.EvalSpatialVelocityInWorld(context).Shift(p_BP_W).translational();
}

}  // namespace

SignedDistanceWithTimeDerivative CalcDistanceAndTimeDerivative(
    const MultibodyPlant<double>& plant,
    const SortedPair<GeometryId>& geometry_pair,
    const systems::Context<double>& context) {
  const auto& inspector = plant.EvalSceneGraphInspector(context);
  const auto& query =
      plant.get_geometry_query_input_port().Eval<geometry::QueryObject<double>>(
          context);
  const geometry::SignedDistancePair<double> pair =
      query.ComputeSignedDistancePairClosestPoints(geometry_pair.first(),
                                                   geometry_pair.second());
  const auto& body_A = BodyOf(plant, inspector, pair.id_A);
  const auto& body_B = BodyOf(plant, inspector, pair.id_B);
  const Vector3<double> v_BA =
      PointVelocity(context, inspector, body_A, pair.id_A, pair.p_ACa) -
      PointVelocity(context, inspector, body_B, pair.id_B, pair.p_BCb);
  return {pair.distance, pair.nhat_BA_W.dot(v_BA)};
}

}  // namespace wyvern::multibody
