#include "wyvern/multibody/tree/multibody_forces.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

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
void MultibodyForces<T>::ThrowNoBody(int body) const {
  throw std::out_of_range(
      fmt::format("MultibodyForces::AddBodyForce(): there is no body {}; these "
                  "are forces on {} bodies.",
                  body, num_bodies()));
}

template <typename T>
MultibodyForces<T>& MultibodyForces<T>::SetZero() {
  std::fill(F_B_W_.begin(), F_B_W_.end(), SpatialForce<T>::Zero());
  tau_.setZero();
  has_gravity_ = false;
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
  for (int b = 0; b < num_bodies(); ++b) F_B_W_[b] += addend.F_B_W_[b];
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
