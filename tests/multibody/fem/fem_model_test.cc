#include "wyvern/multibody/fem/fem_model.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "tests/multibody/fem/test_bodies.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::kMaterials;
using test::MakeBox;
using test::MakeConfig;
using test::MakeIrregularCube;
using wyvern::test::Near;
using wyvern::test::RandomPose;

// 162 elements: two lanes of the last batch are left over.
FemModel MakeModel(MaterialModel material) {
  return FemModel("cube", MakeIrregularCube(3), MakeConfig(material));
}

TEST(FemModel, ForcesAreTheGradientOfEnergyAndStiffnessThatOfForces) {
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeModel(material);
    const int n = 3 * model.num_vertices();
    const Matrix3d R(Eigen::AngleAxisd(0.5, Vector3d(1, 2, 3).normalized()));
    const VectorX<double> q0 =
        test::Move(model, R) + test::RandomVector(n, 0.01);
    VectorX<double> gradient(n), up(n), down(n);
    std::vector<Block> K(model.pattern().num_blocks());
    model.CalcElasticity(q0, q0, Wanted::kStiffness, &gradient, &K);
    const VectorX<double> dq = test::RandomVector(n, 1);
    const double h = 1e-6;
    EXPECT_NEAR(gradient.dot(dq),
                (model.CalcElasticEnergy(q0, q0 + h * dq) -
                 model.CalcElasticEnergy(q0, q0 - h * dq)) /
                    (2 * h),
                1e-5 * gradient.norm());
    model.CalcElasticity(q0, q0 + h * dq, Wanted::kForce, &up, nullptr);
    model.CalcElasticity(q0, q0 - h * dq, Wanted::kForce, &down, nullptr);
    VectorX<double> slope = VectorX<double>::Zero(n);
    AddProduct(model.pattern(), K, dq, &slope);
    const VectorX<double> difference = (up - down) / (2 * h);
    EXPECT_TRUE(Near(slope, difference, 1e-6 * slope.norm()));
    // A projected stiffness differs a little from the derivative.
    model.CalcElasticity(q0, q0, Wanted::kPositiveStiffness, &gradient, &K);
    slope.setZero();
    AddProduct(model.pattern(), K, dq, &slope);
    EXPECT_TRUE(Near(slope, difference, 2e-2 * slope.norm()));
  }
}

TEST(FemModel, ViscosityCostsNoRigidMotionAndHasNoMoment) {
  for (const MaterialModel material : kMaterials) {
    if (material == MaterialModel::kLinear) continue;
    const FemModel model = MakeModel(material);
    const int n = 3 * model.num_vertices();
    const Matrix3d R(Eigen::AngleAxisd(0.5, Vector3d(1, 2, 3).normalized()));
    // Strained by a third, some elements inside out.
    const VectorX<double> q = test::Move(model, R) + test::RandomVector(n, 0.1);
    std::vector<Block> C(model.pattern().num_blocks());
    model.CalcViscosity(q, &C);
    VectorX<double> rigid(n), f = VectorX<double>::Zero(n);
    const Vector3d w(1, -2, 3), v0(4, 5, 6);
    for (int i = 0; i < n; i += 3) {
      const Vector3d p = q.segment<3>(i);
      rigid.segment<3>(i) = v0 + w.cross(p);
    }
    const VectorX<double> v = test::RandomVector(n, 1);
    AddProduct(model.pattern(), C, v, &f);
    EXPECT_GT(v.dot(f), 0);
    EXPECT_LE(test::SumOf(f).norm(), 1e-12 * f.norm());
    EXPECT_LE(test::MomentOf(q, f).norm(), 1e-12 * f.norm());
    VectorX<double> of_rigid = VectorX<double>::Zero(n);
    AddProduct(model.pattern(), C, rigid, &of_rigid);
    EXPECT_LE(of_rigid.norm(), 1e-12 * f.norm());
  }
}

TEST(FemModel, ViscosityWithoutStrainIsTheStiffnessTurned) {
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeModel(material);
    const int n = 3 * model.num_vertices();
    Matrix3d R = Matrix3d::Identity();
    if (material != MaterialModel::kLinear) {
      R = Eigen::AngleAxisd(2, Vector3d(1, 2, 3).normalized());
    }
    const VectorX<double> q = test::Move(model, R);
    VectorX<double> gradient(n);
    std::vector<Block> C(model.pattern().num_blocks()), K = C;
    model.CalcViscosity(q, &C);
    model.CalcElasticity(q, q, Wanted::kStiffness, &gradient, &K);
    const VectorX<double> v = test::RandomVector(n, 1);
    VectorX<double> a = VectorX<double>::Zero(n), b = a;
    AddProduct(model.pattern(), C, v, &a);
    AddProduct(model.pattern(), K, v, &b);
    EXPECT_TRUE(Near(a, b, 1e-10 * b.norm())) << static_cast<int>(material);
  }
}

void ExpectElements(const Elasticity& elasticity, const ElementBatch& batch,
                    const VectorX<double>& q, Wanted wanted,
                    const BatchElasticity& got) {
  GradientLanes lanes;
  CalcDeformationGradients(batch, q, &lanes);
  for (int l = 0; l < kLanes; ++l) {
    Matrix3d F;
    for (int k = 0; k < 9; ++k) F.data()[k] = lanes[k][l];
    Stress stress = CalcStress(elasticity, F, CalcRotation(F));
    const double scale = 1e-9 * batch.volume[l] * 1e7;
    EXPECT_NEAR(got.energy[l], batch.volume[l] * stress.energy, scale);
    std::array<Vector3d, 4> g;
    for (int i = 0; i < 4; ++i) {
      for (int a = 0; a < 3; ++a) g[i][a] = batch.gradient[i][a][l];
      const Vector3d force = batch.volume[l] * stress.P * g[i];
      for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(got.force[i][a][l], force[a], scale);
      }
    }
    if (wanted == Wanted::kPositiveStiffness) ProjectToPositive(&stress);
    int pair = 0;
    for (int i = 0; i < 4; ++i) {
      for (int j = i; j < 4; ++j, ++pair) {
        const Matrix3d K = CalcStiffnessBlock(stress, batch.volume[l],
                                              stress.V.transpose() * g[j],
                                              stress.V.transpose() * g[i]);
        for (int k = 0; k < 9; ++k) {
          EXPECT_NEAR(got.stiffness[pair][k][l], K.data()[k], 100 * scale);
        }
      }
    }
  }
}

// The result of a batch equals the results of its elements one by one.
TEST(FemModel, BatchesAgreeWithOneElementAfterTheOther) {
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeModel(material);
    const int n = 3 * model.num_vertices();
    // Some elements are inside out.
    const VectorX<double> q =
        model.reference_positions() + test::RandomVector(n, 0.15);
    for (const Wanted wanted :
         {Wanted::kStiffness, Wanted::kPositiveStiffness}) {
      for (const ElementBatch& batch : model.batches()) {
        BatchElasticity got;
        CalcBatch(model.elasticity(), batch, q, q, wanted, &got);
        ExpectElements(model.elasticity(), batch, q, wanted, got);
      }
    }
  }
}

TEST(FemModel, UniformStrainLeavesInnerVerticesWithoutForce) {
  const Matrix3d F =
      Matrix3d(Eigen::AngleAxisd(0.3, Vector3d::UnitY())) *
      (Matrix3d() << 1.1, 0.05, 0, 0.05, 0.95, -0.02, 0, -0.02, 1.02)
          .finished();
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeModel(material);
    const VectorX<double> q = test::Move(model, F, Vector3d(1, 2, 3));
    VectorX<double> f(q.size());
    model.CalcElasticity(q, q, Wanted::kForce, &f, nullptr);
    const Stress stress = CalcStress(model.elasticity(), F, CalcRotation(F));
    int num_inner = 0;
    for (int v = 0; v < model.num_vertices(); ++v) {
      const Vector3d p = model.reference_positions().segment<3>(3 * v);
      const Vector3d force = f.segment<3>(3 * v);
      if (p.lpNorm<Eigen::Infinity>() < 0.499) {
        EXPECT_TRUE(Near(force, Vector3d::Zero(), 1e-10 * stress.P.norm()));
        ++num_inner;
      }
      // Vertices of the face x = 1/2 carry traction. Edges belong to other
      // faces, too.
      if (p.x() > 0.499 && p.tail<2>().lpNorm<Eigen::Infinity>() < 0.499) {
        const Vector3d pull = stress.P.col(0) / 9;
        EXPECT_TRUE(Near(force, pull, 1e-10 * stress.P.norm()));
      }
    }
    EXPECT_EQ(num_inner, 8);
    EXPECT_NEAR(model.CalcElasticEnergy(q, q), stress.energy,
                1e-10 * stress.energy);
  }
}

TEST(FemModel, RigidMotionMakesNoForce) {
  RandomPose random;
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeModel(material);
    const Matrix3d R = material == MaterialModel::kLinear
                           ? Matrix3d::Identity()
                           : random.Rotation().matrix();
    const VectorX<double> q = test::Move(model, R, random.Vector3(10));
    VectorX<double> f(q.size());
    model.CalcElasticity(q, q, Wanted::kForce, &f, nullptr);
    EXPECT_TRUE(Near(f, VectorX<double>::Zero(f.size()), 1e-8));
  }
}

TEST(FemModel, ForcesOfElementsHaveNoSumAndNoMoment) {
  for (const MaterialModel material : kMaterials) {
    if (material == MaterialModel::kLinear) continue;  // Of small rotations.
    const FemModel model = MakeModel(material);
    const VectorX<double> q = model.reference_positions() +
                              test::RandomVector(3 * model.num_vertices(), 0.1);
    VectorX<double> f(q.size());
    model.CalcElasticity(q, q, Wanted::kForce, &f, nullptr);
    EXPECT_TRUE(Near(test::SumOf(f), Vector3d::Zero(), 1e-12 * f.norm()));
    EXPECT_TRUE(Near(test::MomentOf(q, f), Vector3d::Zero(), 1e-12 * f.norm()));
  }
}

TEST(FemModel, MassesAreThoseOfTheVolume) {
  for (const MassKind kind : {MassKind::kConsistent, MassKind::kLumped}) {
    const FemModel model("cube", MakeIrregularCube(3),
                         MakeConfig(MaterialModel::kLinear), kind);
    EXPECT_NEAR(model.total_mass(), 1000, 1e-9);
    const VectorX<double> f = test::Gravity(model, Vector3d(0, 0, -9.81));
    EXPECT_TRUE(Near(test::SumOf(f), Vector3d(0, 0, -9810), 1e-9));
    const VectorX<double> v =
        test::Move(model, Matrix3d::Zero(), Vector3d(1, 2, 3));
    VectorX<double> p = VectorX<double>::Zero(v.size());
    model.AddMassProduct(v, &p);
    EXPECT_NEAR(0.5 * v.dot(p), 0.5 * 1000 * 14, 1e-8);
    // For a field that is linear in x, the consistent mass matrix is exact:
    // the integral of rho x² over the cube.
    const VectorX<double> turning =
        test::Move(model, Vector3d(1, 0, 0).asDiagonal());
    p.setZero();
    model.AddMassProduct(turning, &p);
    if (kind == MassKind::kConsistent) {
      EXPECT_NEAR(turning.dot(p), 1000.0 / 12, 1e-10);
    } else {
      EXPECT_GT(turning.dot(p), 1000.0 / 12);
    }
  }
}

TEST(FemModel, ForceDensitiesActPerVolumeAsItIsOrWas) {
  const FemModel model = MakeModel(MaterialModel::kLinearCorotated);
  const VectorX<double> q = test::Move(model, 2 * Matrix3d::Identity());
  const auto density = [](const Vector3d& p) { return Vector3d(3, p.x(), 0); };
  VectorX<double> f = VectorX<double>::Zero(q.size());
  model.AddForceDensity(q, density, DensityOf::kReferenceVolume, &f);
  EXPECT_TRUE(Near(test::SumOf(f), Vector3d(3, 0, 0), 1e-12));
  f.setZero();
  model.AddForceDensity(q, density, DensityOf::kCurrentVolume, &f);
  EXPECT_TRUE(Near(test::SumOf(f), Vector3d(24, 0, 0), 1e-12));
  EXPECT_THROWS_MESSAGE(
      model.AddForceDensity(
          q, [](const Vector3d&) { return Vector3d(0, std::nan(""), 0); },
          DensityOf::kReferenceVolume, &f),
      std::runtime_error, "Deformable body 'cube': force of an external");
}

TEST(FemModel, VerticesBehindAWallAreFixed) {
  FemModel model("bar", MakeBox({1, 0.5, 0.5}, 0.5),
                 MakeConfig(MaterialModel::kLinear));
  EXPECT_EQ(test::FixBehindWall({-0.5, 0, 0}, {2, 0, 0}, &model), 0);
  EXPECT_EQ(test::FixBehindWall({-0.49, 0, 0}, {2, 0, 0}, &model), 4);
  EXPECT_EQ(test::FixBehindWall({-0.49, 3, 0}, {1e-200, 0, 0}, &model), 4);
  EXPECT_EQ(std::ranges::count(model.is_fixed(), 1), 4);
  EXPECT_THROWS_MESSAGE(model.FindBehindWall({0, 0, 0}, {0, 0, 0}),
                        std::logic_error,
                        "Deformable body 'bar': the length of n_W is 0");
  EXPECT_THROWS_MESSAGE(model.FindBehindWall({0, NAN, 0}, {1, 0, 0}),
                        std::logic_error, "Deformable body 'bar': p_WQ");
  EXPECT_THROWS_MESSAGE(model.FixVertex(12), std::out_of_range, "'bar'");
}

TEST(FemModel, RefusesMeshesThatAreNoBodyByItsName) {
  const auto config = MakeConfig(MaterialModel::kLinear);
  const std::vector<Vector3d> p{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}};
  EXPECT_THROWS_MESSAGE(
      FemModel("two", {{{0, 1, 2, 3}, {4, 5, 6, 7}}, p}, config),
      std::logic_error,
      "body 'two': vertex 4 of its mesh is not connected with vertex 0");
  EXPECT_THROWS_MESSAGE(FemModel("one", {{{0, 1, 2, 3}}, p}, config),
                        std::logic_error, "body 'one': vertex 4");
  EXPECT_THROWS_MESSAGE(FemModel("big", MakeBox({1, 1, 1}, 1.0 / 26), config),
                        std::logic_error,
                        "body 'big': its mesh has 105456 tetrahedra");
}

}  // namespace
}  // namespace wyvern::multibody::fem::internal
