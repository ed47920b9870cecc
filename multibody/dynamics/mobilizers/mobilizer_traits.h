#pragma once

#include <algorithm>
#include <array>

#include "wyvern/multibody/dynamics/mobilizers/visit_mobilizer.h"

namespace wyvern::multibody::dynamics {

/** Properties that a mobilizer class states. A class that lacks one, or that
the kernels could not handle, does not compile. */
template <typename Mobilizer>
constexpr MobilizerTraits MakeTraits() {
  using M = Mobilizer;
  static_assert(M::kNv <= 3 || M::kNv == 6,
                "Kernels have loops for 1, 2, 3 and 6 velocities: add the size "
                "to DispatchByDof().");
  static_assert(M::kNq == M::kNv + (M::kHasQuaternion ? 1 : 0),
                "Positions are as many as velocities, but for a quaternion.");
  static_assert(!M::kHasBias || M::kNv > 1,
                "Kernels ask for the bias of more than one velocity only.");
  static_assert(!M::kHasAxis || M::kNv == 1, "One axis has one velocity.");
  static_assert(!M::kHasQuaternion || M::kRotatesFreely,
                "A quaternion is of a free rotation.");
  static_assert(
      M::kRotatesFreely ? M::kNv == (M::kTranslates ? 6 : 3) : M::kNv < 6,
      "A free rotation has three velocities, or six with those of "
      "Mo, and they come first.");
  MobilizerTraits traits;
  traits.type = M::kType;
  traits.nq = M::kNq;
  traits.nv = M::kNv;
  traits.rotates = M::kRotates;
  traits.translates = M::kTranslates;
  traits.has_axis = M::kHasAxis;
  traits.rotates_freely = M::kRotatesFreely;
  traits.has_quaternion = M::kHasQuaternion;
  static_assert(M::kPositionNames.size() == M::kNq &&
                M::kVelocityNames.size() == M::kNv &&
                M::kIsAngular.size() == M::kNv && M::kCarries.size() == M::kNv);
  std::copy_n(M::kPositionNames.begin(), M::kNq, traits.position_names.begin());
  std::copy_n(M::kVelocityNames.begin(), M::kNv, traits.velocity_names.begin());
  std::copy_n(M::kIsAngular.begin(), M::kNv, traits.is_angular.begin());
  std::copy_n(M::kCarries.begin(), M::kNv, traits.carries.begin());
  for (int i = 0; i < M::kNq; ++i) {
    traits.rate_of_position[i] = M::RateOfPosition(i);
  }
  return traits;
}

/** Traits of every type, by its number. */
inline constexpr auto kMobilizerTraits = [] {
  std::array<MobilizerTraits, kNumMobilizerTypes> all{};
  for (int i = 0; i < kNumMobilizerTypes; ++i) {
    VisitMobilizer<double>(static_cast<MobilizerType>(i),
                           [&]<typename M>(M) { all[i] = MakeTraits<M>(); });
  }
  return all;
}();

/** The traits of a type: a look into a table. */
constexpr const MobilizerTraits& TraitsOf(MobilizerType type) {
  return kMobilizerTraits[static_cast<int>(type)];
}

/** TraitsOf(type).has_axis as a bit of a constant, without a look at memory, as
kernels ask for it at each node. */
constexpr bool HasAxis(MobilizerType type) {
  constexpr unsigned kTypes = [] {
    unsigned types = 0;
    for (const MobilizerTraits& traits : kMobilizerTraits) {
      if (traits.has_axis) types |= 1u << static_cast<int>(traits.type);
    }
    return types;
  }();
  return (kTypes >> static_cast<int>(type)) & 1;
}

}  // namespace wyvern::multibody::dynamics
