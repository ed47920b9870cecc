// Bodies that are aligned with each other's axes, in continuous time: pairs of
// all shapes, where surfaces have parts without area. The surfaces are tested
// in tests/geometry/hydroelastic/aligned_pairs_test.cc.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace aligned_surfaces_test {

using Eigen::Vector3d;
using geometry::HydroelasticType;
using geometry::ProximityProperties;
using geometry::Shape;
using math::RigidTransformd;
using wyvern::test::Near;

ProximityProperties MakeSurface(bool is_rigid, bool is_half_space) {
  ProximityProperties properties = test::MakeProperties({});
  if (is_rigid) {
    geometry::AddRigidHydroelasticProperties(0.1, &properties);
  } else if (is_half_space) {
    geometry::AddCompliantHydroelasticPropertiesForHalfSpace(0.1, 1e5,
                                                             &properties);
  } else {
    geometry::AddCompliantHydroelasticProperties(0.1, 1e5, &properties);
  }
  return properties;
}

// Two free bodies without gravity; A's top is at z = 0.
class Scene {
 public:
  Scene(const Shape& shape_A, double top, const Shape& shape_B,
        bool is_B_rigid) {
    systems::DiagramBuilder<double> builder;
    auto items = AddMultibodyPlantSceneGraph(&builder, 0.0);
    plant_ = &items.plant;
    plant_->set_contact_model(ContactModel::kHydroelastic);
    plant_->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    const auto add = [&](const char* name, const Shape& shape, bool is_rigid) {
      const auto& body = plant_->AddRigidBody(
          name, test::MakeInertia(1, Vector3d::Zero(), 0.002));
      plant_->RegisterCollisionGeometry(
          body, {}, shape, name,
          MakeSurface(is_rigid, shape.type_name() == "HalfSpace"));
      return &body;
    };
    A_ = add("A", shape_A, false);
    B_ = add("B", shape_B, is_B_rigid);
    plant_->Finalize();
    plant_->set_name("plant");
    diagram_ = builder.Build();
    context_ = diagram_->CreateDefaultContext();
    auto& mine = plant_->GetMyMutableContextFromRoot(context_.get());
    plant_->SetFreeBodyPose(&mine, *A_, RigidTransformd(Vector3d(0, 0, -top)));
  }

  // Returns the contact's generalized forces with B at that pose.
  Eigen::VectorXd CalcForces(const Vector3d& p_WB) {
    auto& mine = plant_->GetMyMutableContextFromRoot(context_.get());
    plant_->SetFreeBodyPose(&mine, *B_, RigidTransformd(p_WB));
    EXPECT_TRUE(
        diagram_->EvalTimeDerivatives(*context_).CopyToVector().allFinite());
    return plant_
        ->get_generalized_contact_forces_output_port(default_model_instance())
        .Eval(mine);
  }
#if WYVERN_AUTODIFF
  // Computes the derivatives of v-dot by all positions, for the last pose.
  Eigen::MatrixXd CalcDerivatives() {
    if (ad_ == nullptr) ad_ = systems::System<double>::ToAutoDiffXd(*diagram_);
    const auto context = ad_->CreateDefaultContext();
    context->SetTimeStateAndParametersFrom(*context_);
    const auto& plant = dynamic_cast<const MultibodyPlant<AutoDiffXd>&>(
        ad_->GetSubsystemByName("plant"));
    auto& mine = plant.GetMyMutableContextFromRoot(context.get());
    VectorX<AutoDiffXd> q = plant.GetPositions(mine);
    for (int i = 0; i < q.size(); ++i) {
      q[i].derivatives() = Eigen::VectorXd::Unit(q.size(), i);
    }
    plant.SetPositions(&mine, q);
    const auto& vdot =
        plant.get_generalized_acceleration_output_port(default_model_instance())
            .Eval(mine);
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(vdot.size(), q.size());
    for (int i = 0; i < vdot.size(); ++i) {
      if (vdot[i].derivatives().size() > 0) {
        result.row(i) = vdot[i].derivatives();
      }
    }
    return result;
  }
#endif

 private:
  MultibodyPlant<double>* plant_{};
  const RigidBody<double>* A_{};
  const RigidBody<double>* B_{};
  std::unique_ptr<systems::Diagram<double>> diagram_;
#if WYVERN_AUTODIFF
  std::unique_ptr<systems::Diagram<AutoDiffXd>> ad_;
#endif
  std::unique_ptr<systems::Context<double>> context_;
};

struct Named {
  std::shared_ptr<Shape> shape;
  double reach;  // Up and down.
};

std::vector<Named> MakeShapes() {
  Eigen::Matrix3Xd octahedron(3, 6);
  octahedron << Eigen::Matrix3d::Identity() / 20,
      -Eigen::Matrix3d::Identity() / 20;
  const auto make = [](const auto& shape) {
    return std::make_shared<std::decay_t<decltype(shape)>>(shape);
  };
  return {{make(geometry::Sphere(0.05)), 0.05},
          {make(geometry::Box(0.1, 0.1, 0.1)), 0.05},
          {make(geometry::Cylinder(0.05, 0.1)), 0.05},
          {make(geometry::Capsule(0.05, 0.1)), 0.1},
          {make(geometry::Ellipsoid(0.05, 0.05, 0.05)), 0.05},
          {make(geometry::Convex(octahedron, "octahedron")), 0.05}};
}

// Poses on the axis, with edges in line, and corner on corner.
const std::vector<Vector3d> kPlaces = {
    {0, 0, 0}, {0.05, 0, 0}, {0.05, 0.05, 0}, {0.075, 0.1 - 1e-3, 0}};

// Returns the largest force. Some pairs have no surface, because all of its
// faces would face along the gradient.
double ExpectForces(const Named& a, const Named& b, bool is_b_rigid) {
  SCOPED_TRACE(a.shape->to_string() + (is_b_rigid ? " and rigid " : " and ") +
               b.shape->to_string());
  Scene scene(*a.shape, a.reach, *b.shape, is_b_rigid);
  double most = 0;
  for (const double depth : {1e-5, 1e-3, 0.01, 0.025}) {
    for (const Vector3d& place : kPlaces) {
      const Vector3d p = place + Vector3d(0, 0, b.reach - depth);
      const Eigen::VectorXd tau = scene.CalcForces(p);
      most = std::max(most, tau.tail<3>().norm());
#if WYVERN_AUTODIFF
      EXPECT_TRUE(scene.CalcDerivatives().allFinite());
#endif
      // Each body is free: (moment, force) in the world.
      EXPECT_TRUE(Near(tau.segment<3>(3), -tau.tail<3>(), 1e-9));
      const Eigen::VectorXd near = scene.CalcForces(p + Vector3d(0, 0, 1e-12));
      EXPECT_TRUE(Near(near, tau, 1e-5));
    }
  }
  return most;
}

TEST(AlignedSurfaces, EveryTwoShapesHaveOppositeFiniteForces) {
  int num_pressed = 0;
  for (const Named& a : MakeShapes()) {
    for (const Named& b : MakeShapes()) {
      for (const bool is_b_rigid : {false, true}) {
        num_pressed += ExpectForces(a, b, is_b_rigid) > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(num_pressed, 68);  // Of 72.
}

TEST(AlignedSurfaces, OnASoftGroundToo) {
  const Named ground{std::make_shared<geometry::HalfSpace>(), 0};
  for (const Named& b : MakeShapes()) {
    for (const bool is_b_rigid : {false, true}) {
      EXPECT_GT(ExpectForces(ground, b, is_b_rigid), 1);
    }
  }
}

// A cube in a table, aligned with its axes (E = 1e7 for both). The expected
// values are Drake's forces, with the cube between vertices of the table's
// mesh.
TEST(AlignedSurfaces, ACubeOnATableHasItsForceAtEveryDepth) {
  for (const auto& [depth, wanted] :
       {std::pair(1e-5, 3.33), {1e-4, 33.32}, {1e-3, 332.2}, {1e-2, 3223.0}}) {
    test::ContactScene scene(0);
    scene.plant->set_contact_model(ContactModel::kHydroelasticWithFallback);
    ProximityProperties soft = test::MakeProperties({});
    geometry::AddCompliantHydroelasticProperties(0.1, 1e7, &soft);
    scene.plant->RegisterCollisionGeometry(
        scene.plant->world_body(), RigidTransformd(Vector3d(0, 0, 0.75)),
        geometry::Box(1, 1, 0.5), "table", soft);
    const auto& cube =
        scene.Add("cube", test::MakeInertia(1, Vector3d::Zero(), 0.002),
                  geometry::Box(0.1, 0.1, 0.1), soft);
    scene.Finish();
    scene.Place(cube, Vector3d(0, 0, 1.05 - depth));
    const auto& results = scene.Results();
    ASSERT_EQ(results.num_hydroelastic_contacts(), 1);
    const double force =
        results.hydroelastic_contact_info(0).F_Ac_W().translational().norm();
    EXPECT_NEAR(force, wanted, 0.01 * wanted);
  }
}

}  // namespace aligned_surfaces_test
}  // namespace wyvern::multibody
