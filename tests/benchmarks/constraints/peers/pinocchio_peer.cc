#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/proximal.hpp>

#include "tests/benchmarks/constraints/constrained_engine.h"
#include "tests/benchmarks/multibody/peers/pinocchio_model.h"

namespace wyvern::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Pinocchio final : public ConstrainedEngine {
 public:
  Pinocchio(const ModelDescription& description, const std::vector<int>& bodies,
            const std::vector<Sample>& samples)
      : model_(MakeModel(description)), data_(model_) {
    for (int body : bodies) {
      contacts_.emplace_back(pinocchio::CONTACT_6D, model_,
                             static_cast<pinocchio::JointIndex>(body + 1),
                             pinocchio::LOCAL);
    }
    for (const auto& contact : contacts_) contact_data_.emplace_back(contact);
    pinocchio::initConstraintDynamics(model_, data_, contacts_, contact_data_);
    for (const Sample& sample : samples) {
      const VectorXd q = MakePositions(description, sample);
      const MatrixXd T = BaseMap(q);
      q_.push_back(q);
      v_.push_back(sample.v);
      tau_.push_back(sample.tau);
      v_.back().head<6>() = T * sample.v.head<6>();
      tau_.back().head<6>() = T * sample.tau.head<6>();
    }
  }

  void Calc(int i) override {
    pinocchio::constraintDynamics(model_, data_, q_[i], v_[i], tau_[i],
                                  contacts_, contact_data_, settings_);
  }
  VectorXd Result(int i) const override {
    VectorXd vdot = data_.ddq;
    vdot.head<3>() += BaseTurn(v_[i]);
    vdot.head<6>() = BaseMap(q_[i]).transpose() * vdot.head<6>().eval();
    return vdot;
  }

 private:
  pinocchio::Model model_;
  pinocchio::Data data_;
  std::vector<pinocchio::RigidConstraintModel,
              Eigen::aligned_allocator<pinocchio::RigidConstraintModel>>
      contacts_;
  std::vector<pinocchio::RigidConstraintData,
              Eigen::aligned_allocator<pinocchio::RigidConstraintData>>
      contact_data_;
  // One factorization and one solution.
  pinocchio::ProximalSettings settings_{1e-12, 0.0, 1};
  std::vector<VectorXd> q_, v_, tau_;
};

}  // namespace

std::unique_ptr<ConstrainedEngine> MakePinocchioConstraints(
    const ModelDescription& description, const std::vector<int>& bodies,
    const std::vector<Sample>& samples) {
  return std::make_unique<Pinocchio>(description, bodies, samples);
}

}  // namespace wyvern::bench
