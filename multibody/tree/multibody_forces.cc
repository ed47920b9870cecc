#include "wyvern/multibody/tree/multibody_forces.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/gravity_on_bodies.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
MultibodyForces<T>::MultibodyForces(const internal::MultibodyTree<T>& model)
    : MultibodyForces(model.num_bodies(),
                      model.model("MultibodyForces").num_v) {}

template <typename T>
MultibodyForces<T>::MultibodyForces(
    const internal::MultibodyTreeSystem<T>& plant)
    : MultibodyForces(plant.tree()) {}

namespace {

int RequireCount(int count, const char* what) {
  if (count >= 0) return count;
  throw std::logic_error(fmt::format(
      "MultibodyForces(): the number of {} is {}; it must not be negative.",
      what, count));
}

}  // namespace

template <typename T>
MultibodyForces<T>::MultibodyForces(int nb, int nv)
    : F_B_W_(RequireCount(nb, "bodies"), SpatialForce<T>::Zero()),
      tau_(VectorX<T>::Zero(RequireCount(nv, "velocities"))) {}

template <typename T>
MultibodyForces<T>::~MultibodyForces() = default;

template <typename T>
MultibodyForces<T>::MultibodyForces(const MultibodyForces& other)
    : tau_(other.tau_) {
  const std::lock_guard<std::mutex> lock(other.mutex_);
  is_zero_ = other.is_zero_ && !other.is_seen();
  has_gravity_ = other.has_gravity_;
  F_B_W_ = other.F_B_W_;
  gravity_ = other.gravity_;
  q_ = other.q_;
}

template <typename T>
MultibodyForces<T>& MultibodyForces<T>::operator=(
    const MultibodyForces& other) {
  if (this == &other) return *this;
  tau_ = other.tau_;
  const std::lock_guard<std::mutex> lock(other.mutex_);
  is_zero_ = other.is_zero_ && !other.is_seen();
  has_gravity_ = other.has_gravity_;
  F_B_W_ = other.F_B_W_;
  gravity_ = other.gravity_;
  q_ = other.q_;
  if (is_seen()) Merge();
  return *this;
}

// References to single bodies' forces move along, so being seen does.
template <typename T>
MultibodyForces<T>::MultibodyForces(MultibodyForces&& other) noexcept
    : is_seen_(other.is_seen()),
      is_zero_(other.is_zero_),
      has_gravity_(other.has_gravity_),
      F_B_W_(std::move(other.F_B_W_)),
      gravity_(std::move(other.gravity_)),
      q_(std::move(other.q_)),
      tau_(std::move(other.tau_)) {}

template <typename T>
MultibodyForces<T>& MultibodyForces<T>::operator=(MultibodyForces&& other) {
  if (this == &other) return *this;
  is_zero_ = other.is_zero_ && !other.is_seen();
  has_gravity_ = other.has_gravity_;
  F_B_W_ = std::move(other.F_B_W_);
  gravity_ = std::move(other.gravity_);
  q_ = std::move(other.q_);
  tau_ = std::move(other.tau_);
  if (other.is_seen()) is_seen_ = true;
  if (is_seen()) Merge();
  return *this;
}

template <typename T>
void MultibodyForces<T>::Merge() const {
  if (gravity_ == nullptr) return;
  is_zero_ = false;
  gravity_->AddForces(q_, &F_B_W_);
  gravity_.reset();
}

template <typename T>
void MultibodyForces<T>::Show() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Merge();
  is_seen_.store(true, std::memory_order_release);
}

template <typename T>
void MultibodyForces<T>::ThrowNoBody(int body) const {
  throw std::out_of_range(
      fmt::format("MultibodyForces::AddBodyForce(): there is no body {}; these "
                  "are forces on {} bodies.",
                  body, num_bodies()));
}

template <typename T>
void MultibodyForces<T>::AddGravity(
    std::shared_ptr<const internal::GravityOnBodies<T>> gravity,
    const Eigen::Ref<const VectorX<T>>& q) {
  if (gravity == nullptr || !gravity->IsFor(num_bodies(), q.size())) {
    throw std::logic_error(fmt::format(
        "MultibodyForces::AddGravity(): the gravity given is null, or not of "
        "the model of these {} bodies, or not for {} positions.",
        num_bodies(), q.size()));
  }
  Merge();
  q_ = q;
  gravity_ = std::move(gravity);
  has_gravity_ = true;
  if (is_seen()) Merge();
}

template <typename T>
MultibodyForces<T>& MultibodyForces<T>::SetZero() {
  if (!is_zero_ || is_seen()) {
    std::fill(F_B_W_.begin(), F_B_W_.end(), SpatialForce<T>::Zero());
  }
  is_zero_ = true;
  has_gravity_ = false;
  gravity_.reset();
  tau_.setZero();
  return *this;
}

template <typename T>
void MultibodyForces<T>::AddInForces(const MultibodyForces<T>& addend) {
  if (addend.num_bodies() != num_bodies() ||
      addend.num_velocities() != num_velocities()) {
    throw std::logic_error(fmt::format(
        "MultibodyForces::AddInForces(): given are forces on {} bodies and {} "
        "velocities; wanted are {} and {}.",
        addend.num_bodies(), addend.num_velocities(), num_bodies(),
        num_velocities()));
  }
  tau_ += addend.tau_;
  has_gravity_ = has_gravity_ || addend.has_gravity_;
  const std::vector<SpatialForce<T>>& F = addend.body_forces();
  is_zero_ = false;
  for (int b = 0; b < num_bodies(); ++b) F_B_W_[b] += F[b];
}

template <typename T>
bool MultibodyForces<T>::CheckHasRightSizeForModel(
    const internal::MultibodyTree<T>& model) const {
  return num_bodies() == model.num_bodies() &&
         num_velocities() == model.model("CheckHasRightSizeForModel").num_v;
}

template <typename T>
bool MultibodyForces<T>::CheckHasRightSizeForModel(
    const internal::MultibodyTreeSystem<T>& plant) const {
  return CheckHasRightSizeForModel(plant.tree());
}

template <typename T>
void MultibodyForces<T>::RequireSizeFor(const internal::MultibodyTree<T>& model,
                                        std::string_view function) const {
  if (CheckHasRightSizeForModel(model)) return;
  throw std::logic_error(fmt::format(
      "{}(): the MultibodyForces given are for {} bodies and {} velocities; "
      "this model has {} and {}. Make them from the plant.",
      function, num_bodies(), num_velocities(), model.num_bodies(),
      model.model("MultibodyForces").num_v));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::MultibodyForces);
