/** @file What a plant works out is finite, or an exception says why it is not:
whatever the numbers that its functions are given, and however fast its bodies
are. */

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace not_finite_test {

using Eigen::MatrixXd;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/** Calls functions with numbers that are all `x`. */
template <typename T>
class Questions {
 public:
  /** A function by name, and what it gives as numbers. */
  using Question = std::pair<std::string, std::function<MatrixXd(const T&)>>;

  Questions() {
    model_.plant.Finalize();
    plant_.reset(new MultibodyPlant<T>(test::CopyOn<T>(model_.plant)));
    context_ = plant_->CreateDefaultContext();
  }

  const MultibodyPlant<T>& plant() const { return *plant_; }
  systems::Context<T>& context() { return *context_; }

  /** Functions of numbers that they are given. */
  std::vector<Question> OfArguments() const {
    std::vector<Question> all;
    AddKinematics(&all);
    AddJacobians(&all);
    AddForces(&all);
    AddDerivatives(&all);
    return all;
  }

  /** Functions of the state alone, which are given nothing. */
  std::vector<Question> OfState() const {
    const auto& p = *plant_;
    const auto& c = *context_;
    const Frame<T>& tip = p.GetFrameByName("tip");
    const Frame<T>& stone = p.GetBodyByName("stone").body_frame();
    return {
        {"CalcKineticEnergy",
         [&](const T&) { return One(p.CalcKineticEnergy(c)); }},
        {"CalcPotentialEnergy",
         [&](const T&) { return One(p.CalcPotentialEnergy(c)); }},
        {"CalcConservativePower",
         [&](const T&) { return One(p.CalcConservativePower(c)); }},
        {"CalcNonConservativePower",
         [&](const T&) { return One(p.CalcNonConservativePower(c)); }},
        {"CalcBiasTerm",
         [&](const T&) {
           VectorX<T> Cv(p.num_velocities());
           p.CalcBiasTerm(c, &Cv);
           return Values(Cv);
         }},
        {"CalcBiasSpatialAcceleration",
         [&](const T&) {
           return Values(
               p.CalcBiasSpatialAcceleration(c, JacobianWrtVariable::kV, tip,
                                             Vector3<T>::Ones(), stone, stone)
                   .get_coeffs());
         }},
        {"CalcCentroidalMomentum",
         [&](const T&) {
           return Values(p.CalcCentroidalMomentum(c).get_coeffs());
         }},
        {"CalcCentroidalMomentumBias",
         [&](const T&) {
           return Values(p.CalcCentroidalMomentumBias(c).get_coeffs());
         }},
    };
  }

 private:
  static MatrixXd One(const T& value) {
    return Eigen::Matrix<double, 1, 1>(ToDouble(value));
  }
  template <typename Derived>
  static MatrixXd Values(const Eigen::MatrixBase<Derived>& values) {
    return ToDouble(values);
  }
  VectorX<T> V(const T& x) const {
    return VectorX<T>::Constant(plant_->num_velocities(), x);
  }
  // Forces of which one entry, of the bodies or of tau, is x.
  MultibodyForces<T> Forces(const T& x, bool of_body) const {
    MultibodyForces<T> forces(*plant_);
    if (of_body) {
      forces.mutable_body_forces()[2][3] = x;
    } else {
      forces.mutable_generalized_forces()[1] = x;
    }
    return forces;
  }

  void AddKinematics(std::vector<Question>* all) const {
    const auto& p = *plant_;
    const auto& c = *context_;
    all->push_back({"CalcPointsPositions", [&](const T& x) {
                      MatrixX<T> points(3, 2);
                      p.CalcPointsPositions(c, p.GetFrameByName("tip"),
                                            MatrixX<T>::Constant(3, 2, x),
                                            p.world_frame(), &points);
                      return Values(points);
                    }});
    all->push_back({"CalcSpatialAccelerationsFromVdot", [&](const T& x) {
                      std::vector<SpatialAcceleration<T>> A(p.num_bodies());
                      p.CalcSpatialAccelerationsFromVdot(c, V(x), &A);
                      MatrixXd result(6, p.num_bodies());
                      for (int i = 0; i < p.num_bodies(); ++i) {
                        result.col(i) = ToDouble(A[i].get_coeffs());
                      }
                      return result;
                    }});
    all->push_back({"MapVelocityToQDot", [&](const T& x) {
                      VectorX<T> qdot(p.num_positions());
                      p.MapVelocityToQDot(c, V(x), &qdot);
                      return Values(qdot);
                    }});
    all->push_back({"MapQDotToVelocity", [&](const T& x) {
                      VectorX<T> v(p.num_velocities());
                      p.MapQDotToVelocity(
                          c, VectorX<T>::Constant(p.num_positions(), x), &v);
                      return Values(v);
                    }});
    all->push_back({"CalcSpatialMomentumInWorldAboutPoint", [&](const T& x) {
                      return Values(p.CalcSpatialMomentumInWorldAboutPoint(
                                         c, Vector3<T>::Constant(x))
                                        .get_coeffs());
                    }});
    all->push_back({"CalcOffsetPoseInBody", [&](const T& x) {
                      return Values(
                          p.GetFrameByName("tip")
                              .CalcOffsetPoseInBody(
                                  c, math::RigidTransform<T>(
                                         Vector3<T>(Vector3<T>::Constant(x))))
                              .translation());
                    }});
  }

  void AddJacobians(std::vector<Question>* all) const {
    const auto& p = *plant_;
    const auto& c = *context_;
    const auto add = [&](const char* name, auto calc) {
      all->push_back({name, [this, &c, calc](const T& x) {
                        const Frame<T>& B = plant_->GetFrameByName("tip");
                        const Frame<T>& A =
                            plant_->GetBodyByName("stone").body_frame();
                        return calc(c, B, A, x);
                      }});
    };
    constexpr auto kV = JacobianWrtVariable::kV;
    const int nv = p.num_velocities();
    add("CalcJacobianSpatialVelocity",
        [&p, nv](auto& context, auto& B, auto& A, const T& x) {
          MatrixX<T> J(6, nv);
          p.CalcJacobianSpatialVelocity(context, kV, B, Vector3<T>::Constant(x),
                                        A, A, &J);
          return Values(J);
        });
    add("CalcJacobianTranslationalVelocity",
        [&p, nv](auto& context, auto& B, auto& A, const T& x) {
          MatrixX<T> J(6, nv);
          p.CalcJacobianTranslationalVelocity(
              context, kV, B, Matrix3X<T>::Constant(3, 2, x), A, A, &J);
          return Values(J);
        });
    add("CalcJacobianTranslationalVelocity",
        [&p](auto& context, auto& B, auto& A, const T& x) {
          MatrixX<T> J(6, p.num_positions());
          p.CalcJacobianPositionVector(
              context, B, Matrix3X<T>::Constant(3, 2, x), A, A, &J);
          return Values(J);
        });
    add("CalcBiasSpatialAcceleration",
        [&p](auto& context, auto& B, auto& A, const T& x) {
          return Values(p.CalcBiasSpatialAcceleration(
                             context, kV, B, Vector3<T>::Constant(x), A, A)
                            .get_coeffs());
        });
    add("CalcBiasSpatialAcceleration",
        [&p](auto& context, auto& B, auto& A, const T& x) {
          return Values(p.CalcBiasTranslationalAcceleration(
              context, kV, B, Matrix3X<T>::Constant(3, 2, x), A, A));
        });
  }

  void AddForces(std::vector<Question>* all) const {
    const auto& p = *plant_;
    const auto& c = *context_;
    all->push_back(
        {"CalcInverseDynamics", [&](const T& x) {
           return Values(p.CalcInverseDynamics(c, V(x), MultibodyForces<T>(p)));
         }});
    for (const bool of_body : {false, true}) {
      all->push_back(
          {"CalcInverseDynamics", [this, &p, &c, of_body](const T& x) {
             return Values(
                 p.CalcInverseDynamics(c, V(T(0)), Forces(x, of_body)));
           }});
      all->push_back(
          {"CalcGeneralizedForces", [this, &p, &c, of_body](const T& x) {
             VectorX<T> tau;
             p.CalcGeneralizedForces(c, Forces(x, of_body), &tau);
             return Values(tau);
           }});
    }
    all->push_back(
        {"AddInForce", [&](const T& x) {
           MultibodyForces<T> forces(p);
           p.GetBodyByName("pole").AddInForce(
               c, Vector3<T>::Ones(),
               SpatialForce<T>(Vector3<T>::Constant(x), Vector3<T>::Zero()),
               p.world_frame(), &forces);
           return Values(forces.body_forces()[2].get_coeffs());
         }});
    all->push_back({"joint_tau", [&](const T& x) {
                      MultibodyForces<T> forces(p);
                      p.GetJointByName("hinge").AddInOneForce(c, 0, x, &forces);
                      return Values(forces.generalized_forces());
                    }});
  }

  void AddDerivatives(std::vector<Question>* all) const {
    const auto& p = *plant_;
    const auto& c = *context_;
    const int nv = p.num_velocities();
    const auto add = [&](const char* name, auto vector, auto forces,
                         auto calc) {
      all->push_back({name, [nv, vector, forces, calc](const T& x) {
                        MatrixX<T> A(nv, nv), B(nv, nv), C(nv, nv);
                        calc(vector(x), forces(x), &A, &B, &C);
                        MatrixX<T> result(nv, 3 * nv);
                        result << A, B, C;
                        return Values(result);
                      }});
    };
    const auto inverse = [&p, &c](const auto& v, const auto& f, auto* A,
                                  auto* B, auto* C) {
      p.CalcInverseDynamicsDerivatives(c, v, f, A, B, C);
    };
    const auto forward = [&p, &c](const auto& v, const auto& f, auto* A,
                                  auto* B, auto* C) {
      p.CalcForwardDynamicsDerivatives(c, v, f, A, B, C);
    };
    const auto vector = [this](const T& x) { return V(x); };
    const auto zero = [this](const T&) { return V(T(0)); };
    const auto none = [&p](const T&) { return MultibodyForces<T>(p); };
    add("CalcInverseDynamicsDerivatives", vector, none, inverse);
    add("CalcForwardDynamicsDerivatives", vector, none, forward);
    for (const bool of_body : {false, true}) {
      const auto forces = [this, of_body](const T& x) {
        return Forces(x, of_body);
      };
      add("CalcInverseDynamicsDerivatives", zero, forces, inverse);
      add("CalcForwardDynamicsDerivatives", zero, forces, forward);
    }
    all->push_back({"CalcDerivativeInPositions", [&](const T& x) {
                      return Values(p.CalcDerivativeInPositions(
                          c, MatrixX<T>::Constant(2, p.num_velocities(), x)));
                    }});
  }

  test::FlaggedCartPole model_;
  std::unique_ptr<MultibodyPlant<T>> plant_;
  std::unique_ptr<systems::Context<T>> context_;
};

// Asks with `x`. A result that is not finite fails the test, as does an error
// that does not name its function.
template <class Question, typename T>
bool IsAnswered(const Question& question, const T& x) {
  const auto& [name, ask] = question;
  try {
    const MatrixXd answer = ask(x);
    EXPECT_TRUE(answer.allFinite()) << name << " of " << x << ":\n" << answer;
    return true;
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos)
        << name << " of " << x << ": " << error.what();
    return false;
  }
}

template <typename T>
class NotFiniteTest : public testing::Test {};
TYPED_TEST_SUITE(NotFiniteTest, test::Scalars);

TYPED_TEST(NotFiniteTest, ArgumentsAreRefusedByName) {
  using T = TypeParam;
  Questions<T> questions;
  for (const auto& question : questions.OfArguments()) {
    for (const double x : {kNan, kInf, -kInf}) {
      EXPECT_FALSE(IsAnswered(question, T(x))) << question.first;
    }
    EXPECT_TRUE(IsAnswered(question, T(0.5))) << question.first;
    for (const double x : {1e150, 1e200, 1e308}) IsAnswered(question, T(x));
  }
}

TYPED_TEST(NotFiniteTest, ResultsOfVastVelocitiesAreRefusedByName) {
  using T = TypeParam;
  Questions<T> questions;
  for (const double speed : {1.0, 1e150, 1e200, 1e308}) {
    questions.plant().SetVelocities(
        &questions.context(),
        VectorX<T>::Constant(questions.plant().num_velocities(), T(speed)));
    for (const auto& question : questions.OfState()) {
      const bool is_answered = IsAnswered(question, T(0));
      if (speed == 1) {
        EXPECT_TRUE(is_answered) << question.first;
      }
    }
    for (const auto& question : questions.OfArguments()) {
      IsAnswered(question, T(0.5));
    }
  }
  EXPECT_THROWS_MESSAGE(
      questions.plant().CalcKineticEnergy(questions.context()),
      std::runtime_error, "CalcKineticEnergy(): the result is");
}

TEST(NotFiniteEntries, AreNamed) {
  test::CartPole model(0);
  model.plant.Finalize();
  const auto context = model.plant.CreateDefaultContext();
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(3, 4), out(3, 4);
  p(1, 2) = kNan;
  EXPECT_THROWS_MESSAGE(
      model.plant.CalcPointsPositions(*context, model.plant.world_frame(), p,
                                      model.plant.world_frame(), &out),
      std::logic_error,
      "MultibodyPlant::CalcPointsPositions(): p_BQi(1, 2) is nan");
  MultibodyForces<double> forces(model.plant);
  forces.mutable_body_forces()[2][4] = kInf;
  VectorX<double> tau;
  EXPECT_THROWS_MESSAGE(
      model.plant.CalcGeneralizedForces(*context, forces, &tau),
      std::logic_error, "forces.body_forces()[2][4] is inf");
}

// The rotor as the joint feels it, of defaults and of a Context.
TEST(ReflectedInertia, ThatNoDoubleHoldsIsRefused) {
  test::CartPole model(0);
  JointActuator<double>& motor =
      model.plant.get_mutable_joint_actuator(JointActuatorIndex(0));
  const char* const said = "JointActuator 'push': the rotor inertia";
  motor.set_default_gear_ratio(1e100);
  EXPECT_THROWS_MESSAGE(motor.set_default_rotor_inertia(1e200),
                        std::logic_error, said);
  motor.set_default_gear_ratio(10);
  motor.set_default_rotor_inertia(1);
  EXPECT_THROWS_MESSAGE(motor.set_default_gear_ratio(-1e200), std::logic_error,
                        said);
  model.plant.Finalize();
  auto context = model.plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(motor.SetGearRatio(context.get(), 1e200),
                        std::logic_error, said);
  EXPECT_THROWS_MESSAGE(motor.SetRotorInertia(context.get(), 1e307),
                        std::logic_error, said);
  EXPECT_EQ(motor.calc_reflected_inertia(*context), 100);
}

}  // namespace not_finite_test
}  // namespace wyvern::multibody
