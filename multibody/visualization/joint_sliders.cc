#include "wyvern/multibody/visualization/joint_sliders.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Sliders of a page as a source of positions. The page owns the values; the
output port reads them at each evaluation, so the block has no state and its
output may change while time stands still. Limits of joints and of the caller
are intersected. A value that nobody moved is passed on exactly, because a
slider rounds to its step. Run() publishes at the sliders' positions until a
button or a timeout ends it. */

namespace wyvern::multibody::meshcat {

using Eigen::VectorXd;
using geometry::Viewer;
using systems::Context;

namespace {

constexpr const char* kWho = "JointSliders";

void RequirePositions(std::string_view what, const VectorXd& q, int size) {
  wyvern::internal::RequireSize(kWho, what, q.size(), size);
  wyvern::internal::RequireFinite(kWho, what, q);
}

// A number for each position.
VectorXd Spread(const char* what,
                const std::variant<std::monostate, double, VectorXd>& given,
                double otherwise, int size) {
  VectorXd result = VectorXd::Constant(size, otherwise);
  if (const auto* number = std::get_if<double>(&given)) {
    result.setConstant(*number);
  } else if (const auto* numbers = std::get_if<VectorXd>(&given)) {
    result = *numbers;
  }
  RequirePositions(what, result, size);
  return result;
}

std::vector<std::string> SpreadKeys(const char* what,
                                    std::vector<std::string> keys, int size) {
  if (keys.empty()) keys.resize(size);
  wyvern::internal::RequireSize(kWho, what, keys.size(), size);
  return keys;
}

template <typename T>
std::vector<std::string> SliderNames(const MultibodyPlant<T>& plant) {
  const auto brief = plant.GetPositionNames(false, false);
  const auto full = plant.GetPositionNames(true, false);
  const std::multiset<std::string> all(brief.begin(), brief.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < brief.size(); ++i) {
    names.push_back(all.count(brief[i]) > 1 ? full[i] : brief[i]);
  }
  return names;
}

}  // namespace

template <typename T>
JointSliders<T>::JointSliders(std::shared_ptr<Viewer> meshcat,
                              const MultibodyPlant<T>* plant,
                              std::optional<VectorXd> initial_value,
                              Numbers lower_limit, Numbers upper_limit,
                              Numbers step,
                              std::vector<std::string> decrement_keycodes,
                              std::vector<std::string> increment_keycodes)
    : viewer_(std::move(meshcat)), plant_(plant) {
  wyvern::internal::RequireNotNull(kWho, "the viewer", viewer_, "pass one");
  wyvern::internal::RequireNotNull(kWho, "the plant", plant_, "pass one");
  if (!plant->is_finalized()) {
    throw std::logic_error(
        "JointSliders: the plant is not finalized; call Finalize() first.");
  }
  const int nq = plant->num_positions();
  if (initial_value) {
    initial_ = *std::move(initial_value);
  } else {
    const auto context = plant->CreateDefaultContext();
    initial_ = ToDouble(VectorX<T>(plant->GetPositions(*context)));
  }
  RequirePositions("initial_value", initial_, nq);
  VectorXd lower = Spread("lower_limit", lower_limit, -10, nq);
  VectorXd upper = Spread("upper_limit", upper_limit, 10, nq);
  const VectorXd steps = Spread("step", step, 0.01, nq);
  const auto less =
      SpreadKeys("decrement_keycodes", std::move(decrement_keycodes), nq);
  const auto more =
      SpreadKeys("increment_keycodes", std::move(increment_keycodes), nq);
  lower = lower.cwiseMax(plant->GetPositionLowerLimits());
  upper = upper.cwiseMin(plant->GetPositionUpperLimits());
  const auto names = SliderNames(*plant);
  for (int i = 0; i < nq; ++i) {
    const auto who = wyvern::internal::Caller(kWho).Of("position", names[i]);
    wyvern::internal::RequireNonNegative(who, "upper_limit - lower_limit",
                                         upper(i) - lower(i));
    wyvern::internal::RequirePositive(who, "step", steps(i));
  }
  set_.resize(nq);
  for (int i = 0; i < nq; ++i) {
    set_(i) = viewer_->AddSlider(names[i], lower(i), upper(i), steps(i),
                                 initial_(i), less[i], more[i]);
  }
  names_ = names;
  this->DeclareVectorOutputPort("positions", nq, &JointSliders::CalcPositions)
      .disable_caching_by_default();
}

template <typename T>
JointSliders<T>::~JointSliders() {
  Delete();
}

template <typename T>
void JointSliders<T>::Delete() {
  const auto there =
      viewer_->GetSliderNames();  // In the order of the alphabet.
  for (const std::string& name : names_) {
    if (std::binary_search(there.begin(), there.end(), name)) {
      viewer_->DeleteSlider(name);
    }
  }
  names_.clear();
}

template <typename T>
void JointSliders<T>::SetPositions(const VectorXd& q) {
  RequirePositions("q", q, initial_.size());
  initial_ = q;
  for (size_t i = 0; i < names_.size(); ++i) {
    set_(i) = viewer_->SetSliderValue(names_[i], q(i));
  }
}

template <typename T>
VectorXd JointSliders<T>::Read() const {
  VectorXd q = initial_;
  for (size_t i = 0; i < names_.size(); ++i) {
    const double value = viewer_->GetSliderValue(names_[i]);
    if (value != set_(i)) q(i) = value;
  }
  return q;
}

template <typename T>
void JointSliders<T>::CalcPositions(const Context<T>&,
                                    systems::BasicVector<T>* positions) const {
  positions->SetFromVector(Read().template cast<T>());
}

template <typename T>
VectorXd JointSliders<T>::Run(const systems::Diagram<T>& diagram,
                              std::optional<double> timeout,
                              std::string stop_button_keycode) const {
  constexpr const char* kButton = "Stop JointSliders";
  using Clock = std::chrono::steady_clock;
  if (timeout) {
    wyvern::internal::RequireNonNegative("JointSliders::Run", "timeout",
                                         *timeout);
  }
  if (diagram.get_parent() != nullptr) {
    throw std::logic_error(
        fmt::format("JointSliders::Run(): {} is in a Diagram; pass the "
                    "outermost one.",
                    diagram.GetSystemPathname()));
  }
  const auto context = diagram.CreateDefaultContext();
  auto& plant_context = plant_->GetMyMutableContextFromRoot(context.get());
  this->GetMyContextFromRoot(*context);
  const auto start = Clock::now();
  viewer_->AddButton(kButton, std::move(stop_button_keycode));
  std::optional<VectorXd> shown;
  try {
    for (;;) {
      const VectorXd q = Read();
      if (!shown || q != *shown) {
        plant_->SetPositions(&plant_context, q.template cast<T>());
        diagram.ForcedPublish(*context);
        shown = q;
      }
      const double passed =
          std::chrono::duration<double>(Clock::now() - start).count();
      if (viewer_->GetButtonClicks(kButton) > 0) break;
      if (timeout && passed >= *timeout) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
  } catch (...) {
    viewer_->DeleteButton(kButton);
    throw;
  }
  viewer_->DeleteButton(kButton);
  return ToDouble(VectorX<T>(plant_->GetPositions(plant_context)));
}

}  // namespace wyvern::multibody::meshcat

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::meshcat::JointSliders);
