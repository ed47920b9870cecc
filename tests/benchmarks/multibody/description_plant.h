#pragma once

#include <string>
#include <vector>

#include "tests/benchmarks/multibody/model_description.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::bench {

inline multibody::SpatialInertia<double> MakeInertia(
    const BodyDescription& body) {
  const auto& I = body.inertia;
  return multibody::SpatialInertia<double>::MakeFromCentralInertia(
      body.mass, body.com,
      multibody::RotationalInertia<double>(I(0, 0), I(1, 1), I(2, 2), I(0, 1),
                                           I(0, 2), I(1, 2)));
}

/** The bodies and joints of a description, and gravity along -z; finalized. */
inline void AddBodies(const ModelDescription& description,
                      multibody::MultibodyPlant<double>* plant) {
  std::vector<const multibody::RigidBody<double>*> links;
  for (const BodyDescription& body : description.bodies) {
    const std::string name = std::to_string(links.size());
    const multibody::RigidBody<double>& link =
        plant->AddRigidBody("b" + name, MakeInertia(body));
    const multibody::RigidBody<double>& parent =
        body.parent < 0 ? plant->world_body() : *links[body.parent];
    links.push_back(&link);
    const math::RigidTransform<double> X(
        math::RotationMatrix<double>(body.rotation), body.position);
    if (body.type == 'R') {
      plant->AddJoint<multibody::RevoluteJoint>("j" + name, parent, X, link, {},
                                                body.axis);
    } else if (body.type == 'P') {
      plant->AddJoint<multibody::PrismaticJoint>("j" + name, parent, X, link,
                                                 {}, body.axis);
    }
  }
  plant->mutable_gravity_field().set_gravity_vector({0, 0, -9.81});
  plant->Finalize();
}

/** [q; v] of the plant. */
inline Eigen::VectorXd MakeState(const ModelDescription& description,
                                 const Sample& sample) {
  const int base = description.is_floating() ? 7 : 0;
  Eigen::VectorXd x(base + sample.joint_q.size() + sample.v.size());
  if (description.is_floating()) {
    x.head<7>() << sample.base_quaternion, sample.base_position;
  }
  x.segment(base, sample.joint_q.size()) = sample.joint_q;
  x.tail(sample.v.size()) = sample.v;
  return x;
}

}  // namespace wyvern::bench
