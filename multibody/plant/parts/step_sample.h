#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "wyvern/multibody/plant/point_pair_contact_info.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

/** What a discrete step leaves for the output ports to show. */
template <typename T>
struct StepSample {
  /** False before the first step: then all outputs are zero. */
  bool is_valid{false};
  /** The state that the step began with. */
  VectorX<T> q;
  VectorX<T> v;
  VectorX<T> vdot;
  VectorX<T> net_actuation;
  VectorX<T> tau_contact;
  VectorX<T> multipliers;
  std::vector<PointPairContactInfo<T>> contacts;
  bool has_body_forces{false};
  /** By the model's bodies. */
  std::vector<Vector6<T>> F_BBo_W;
};

/** A sample on another scalar; derivatives are lost on the way to double. */
template <typename T, typename U>
StepSample<T> ConvertSample(const StepSample<U>& other) {
  const auto convert = [](const auto& x) {
    if constexpr (std::is_same_v<T, double>) {
      return ExtractDoubleOrThrow(x);
    } else {
      return x.template cast<T>().eval();
    }
  };
  StepSample<T> result;
  result.is_valid = other.is_valid;
  result.q = convert(other.q);
  result.v = convert(other.v);
  result.vdot = convert(other.vdot);
  result.net_actuation = convert(other.net_actuation);
  result.tau_contact = convert(other.tau_contact);
  result.multipliers = convert(other.multipliers);
  for (const PointPairContactInfo<U>& contact : other.contacts) {
    const auto& pair = contact.point_pair();
    result.contacts.emplace_back(
        contact.bodyA_index(), contact.bodyB_index(),
        convert(contact.contact_force()), convert(contact.contact_point()),
        T(ExtractDoubleOrThrow(contact.separation_speed())),
        T(ExtractDoubleOrThrow(contact.slip_speed())),
        geometry::PenetrationAsPointPair<T>{
            pair.id_A, pair.id_B, convert(pair.p_WCa), convert(pair.p_WCb),
            convert(pair.nhat_BA_W), T(ExtractDoubleOrThrow(pair.depth))});
  }
  result.has_body_forces = other.has_body_forces;
  for (const Vector6<U>& F : other.F_BBo_W) {
    result.F_BBo_W.push_back(convert(F));
  }
  return result;
}

/** The abstract state of a plant with sampled outputs: a sample on the scalar
it was last written with, so that a state can be copied to a Context of another
scalar. */
class StepSampleState {
 public:
  template <typename T>
  explicit StepSampleState(StepSample<T> sample) : sample_(std::move(sample)) {}

  /** The sample to write to; allocates only after a change of scalar. */
  template <typename T>
  StepSample<T>& Mutable() {
    if (!std::holds_alternative<StepSample<T>>(sample_)) {
      sample_ = std::visit(
          [](const auto& other) { return ConvertSample<T>(other); }, sample_);
    }
    return std::get<StepSample<T>>(sample_);
  }

  template <typename T>
  void CopyTo(StepSample<T>* sample) const {
    if (const auto* same = std::get_if<StepSample<T>>(&sample_)) {
      *sample = *same;
    } else {
      *sample = std::visit(
          [](const auto& other) { return ConvertSample<T>(other); }, sample_);
    }
  }

 private:
  std::variant<StepSample<double>, StepSample<AutoDiffXd>> sample_;
};

}  // namespace wyvern::multibody::internal
