// A pendulum on a cart as a block of formulas: its equations with a mass that
// is a symbol, and the derivatives that a controller for any such pendulum
// needs.
//
//   plant of numbers --ToSymbolic()--> plant of expressions
//                                        |
//                          ẋ(x, u, m) --> A(x, u, m), with m = 0.3:
//                          Linearize()'s?
#include <cstdlib>
#include <iostream>
#include <memory>

#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/linear/linearization.h"

namespace multibody = wyvern::multibody;
namespace symbolic = wyvern::symbolic;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using multibody::SpatialInertia;

// A pole of 0.5 m that balances upright on a cart, which a motor pushes.
std::unique_ptr<multibody::MultibodyPlant<double>> MakeCartPole(double mass) {
  auto plant = std::make_unique<multibody::MultibodyPlant<double>>(0.0);
  const auto& cart = plant->AddRigidBody(
      "cart", SpatialInertia<double>::SolidBoxWithMass(1.0, 0.2, 0.1, 0.1));
  const auto& pole = plant->AddRigidBody(
      "pole", SpatialInertia<double>::PointMass(mass, Vector3d(0, 0, 0.5)));
  const auto& track = plant->AddJoint<multibody::PrismaticJoint>(
      "track", plant->world_body(), {}, cart, {}, Vector3d::UnitX());
  plant->AddJoint<multibody::RevoluteJoint>("hinge", cart, {}, pole, {},
                                            Vector3d::UnitY(), 0.01);
  plant->AddJointActuator("motor", track);
  plant->Finalize();
  return plant;
}

int main() {
  const symbolic::Variable m("m");
  const auto plant = multibody::ToSymbolic(*MakeCartPole(1.0));
  const auto context = plant->CreateDefaultContext();
  plant->GetRigidBodyByName("pole").SetMass(context.get(), m);
  const auto x = symbolic::MakeVectorContinuousVariable(4, "x");
  const symbolic::Variable u("u");
  plant->SetPositionsAndVelocities(context.get(),
                                   x.cast<symbolic::Expression>());
  plant->get_actuation_input_port().FixValue(
      context.get(), wyvern::VectorX<symbolic::Expression>::Constant(1, u));
  const wyvern::VectorX<symbolic::Expression> xdot =
      plant->EvalTimeDerivatives(*context).CopyToVector();
  std::cout << "v̇ of the cart = " << xdot[2] << "\n";
  const auto A = symbolic::Jacobian(xdot, x);

  // With a number for the mass, as the plant of that mass.
  const auto numbers = MakeCartPole(0.3);
  const auto upright = numbers->CreateDefaultContext();
  numbers->get_actuation_input_port().FixValue(upright.get(), 0.0);
  const auto linear = wyvern::systems::Linearize(
      *numbers, *upright, numbers->get_actuation_input_port().get_index(),
      numbers->get_state_output_port().get_index());
  symbolic::Environment values{{m, 0.3}, {u, 0}};
  values.insert(x, Eigen::Vector4d::Zero());
  const MatrixXd A_at_0 = symbolic::Evaluate(A, values);
  const double error = (A_at_0 - linear->A()).norm();
  std::cout << "A(m = 0.3), upright:\n"
            << A_at_0 << "\nLinearize() differs by " << error << ".\n";
  return error < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
