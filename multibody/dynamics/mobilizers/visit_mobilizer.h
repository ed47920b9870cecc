#pragma once

#include "wyvern/multibody/dynamics/mobilizers/ball_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/curvilinear_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/floating_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/dynamics/mobilizers/planar_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/prismatic_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/revolute_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/screw_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/universal_mobilizer.h"
#include "wyvern/multibody/dynamics/mobilizers/weld_mobilizer.h"

namespace wyvern::multibody::dynamics {

/** Calls f(RevoluteMobilizer<T>{}), or whichever the type says: one switch, all
inlined behind it. */
template <typename T, typename F>
constexpr void VisitMobilizer(MobilizerType type, F&& f) {
  switch (type) {
#define WYVERN_CASE(Name)      \
  case MobilizerType::k##Name: \
    return f(Name##Mobilizer<T>{});
    WYVERN_FOR_EACH_MOBILIZER(WYVERN_CASE)
#undef WYVERN_CASE
  }
}

}  // namespace wyvern::multibody::dynamics
