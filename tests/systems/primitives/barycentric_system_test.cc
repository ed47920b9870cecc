#include "wyvern/systems/primitives/barycentric_system.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using ::wyvern::test::Near;

// y = [x0 + 2 x1, -x0], affine.
BarycentricMeshSystem<double> Table() {
  const math::BarycentricMesh<double> mesh({{0.0, 1.0, 3.0}, {-1.0, 1.0}});
  const auto f = [](const Eigen::Ref<const Eigen::VectorXd>& x) {
    return Eigen::VectorXd(Vector2d(x[0] + 2 * x[1], -x[0]));
  };
  return BarycentricMeshSystem<double>(mesh, mesh.MeshValuesFrom(f));
}

TEST(BarycentricMeshSystem, Interpolates) {
  const auto table = Table();
  auto context = table.CreateDefaultContext();
  table.get_input_port().FixValue(context.get(), Vector2d(2.0, 0.5));
  EXPECT_TRUE(
      Near(table.get_output_port().Eval(*context), Vector2d(3, -2), 1e-15));
  EXPECT_EQ(table.get_mesh().get_num_mesh_points(), 6);
  EXPECT_EQ(table.get_output_values().cols(), 6);
}

TEST(BarycentricMeshSystem, ConvertsAndDifferentiates) {
  const auto table = Table();
  const auto ad = table.ToAutoDiffXd();
  auto context = ad->CreateDefaultContext();
  VectorX<AutoDiffXd> x(2);
  x << AutoDiffXd(2.0, 2, 0), AutoDiffXd(0.5, 2, 1);
  ad->get_input_port().FixValue(context.get(), x);
  const auto& y = ad->get_output_port().Eval(*context);
  EXPECT_TRUE(Near(y[0].derivatives(), Vector2d(1, 2), 1e-15));
  EXPECT_TRUE(Near(y[1].derivatives(), Vector2d(-1, 0), 1e-15));
}

TEST(BarycentricMeshSystem, RefusesValuesThatDoNotFit) {
  const math::BarycentricMesh<double> mesh({{0.0, 1.0}});
  using Table = BarycentricMeshSystem<double>;
  EXPECT_THROWS_MESSAGE(Table(mesh, MatrixXd::Zero(1, 3)), std::logic_error,
                        "columns of output_values");
  EXPECT_THROWS_MESSAGE(Table(mesh, MatrixXd{{0.0, NAN}}), std::logic_error,
                        "output_values");
}

}  // namespace
}  // namespace wyvern::systems
