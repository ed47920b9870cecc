// A ball rolls over a box that stands on the ground; where is it, and how far?
//
//                    .-.
//                   ( A )  radius 0.1 m, moved along x
//                    '-'  <- signed distance d(x)
//          +---------------------+
//          |          B          |  box 1.0 x 1.0 x 0.4 m, tilted by 10 degree
//   _______+_____________________+_______ z = 0
//
// For the ball's centre C in the box's frame, with q = max(|C| - h, 0) the part
// of it beyond the half sizes h, d = |q| - radius, as long as C is outside.

#include <cmath>
#include <cstdio>
#include <numbers>

#include "wyvern/geometry/scene_graph/scene_graph.h"

using namespace wyvern;  // NOLINT
using Eigen::Vector3d;
using math::RigidTransformd;

int main() {
  const double radius = 0.1;
  const Vector3d size(1.0, 1.0, 0.4);
  const RigidTransformd X_WB(
      math::RotationMatrixd::MakeYRotation(10 * std::numbers::pi / 180),
      Vector3d(0, 0, 0.3));

  // A source owns geometry and gives the poses of its frames.
  geometry::SceneGraph<double> graph;
  const auto source = graph.RegisterSource("example");
  const auto frame = graph.RegisterFrame(source, geometry::GeometryFrame("A"));
  const auto add = [&](geometry::FrameId to, const RigidTransformd& X_FG,
                       const geometry::Shape& shape, const char* name) {
    auto instance =
        std::make_unique<geometry::GeometryInstance>(X_FG, shape, name);
    instance->set_proximity_properties(geometry::ProximityProperties());
    return graph.RegisterGeometry(source, to, std::move(instance));
  };
  const auto world = graph.world_frame_id();
  const auto ball = add(frame, {}, geometry::Sphere(radius), "ball");
  const auto box = add(world, X_WB, geometry::Box(size), "box");
  add(world, {}, geometry::HalfSpace(), "ground");

  auto context = graph.CreateDefaultContext();
  double worst = 0;
  std::printf("   x [m]   distance [m]   closed form [m]   contacts\n");
  for (double x = -1; x <= 1.001; x += 0.25) {
    const RigidTransformd X_WA(Vector3d(x, 0.2, 0.58));
    graph.get_source_pose_port(source).FixValue(
        context.get(), geometry::FramePoseVector<double>{{frame, X_WA}});
    const auto& query =
        graph.get_query_output_port().Eval<geometry::QueryObject<double>>(
            *context);
    const double distance =
        query.ComputeSignedDistancePairClosestPoints(ball, box).distance;

    const Vector3d p_BC = X_WB.inverse() * X_WA.translation();
    const Vector3d beyond = (p_BC.cwiseAbs() - size / 2).cwiseMax(0);
    const double expected = beyond.norm() - radius;
    worst = std::max(worst, std::abs(distance - expected));
    std::printf("%8.2f %14.6f %17.6f %10zu\n", x, distance, expected,
                query.ComputeContactManifolds().size());
  }
  std::printf("largest difference: %.1e m\n", worst);
  return worst < 1e-14 ? 0 : 1;
}
