#pragma once

#include "wyvern/multibody/mobilizers/ball_mobilizer.h"
#include "wyvern/multibody/mobilizers/curvilinear_mobilizer.h"
#include "wyvern/multibody/mobilizers/floating_mobilizer.h"
#include "wyvern/multibody/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/mobilizers/planar_mobilizer.h"
#include "wyvern/multibody/mobilizers/prismatic_mobilizer.h"
#include "wyvern/multibody/mobilizers/revolute_mobilizer.h"
#include "wyvern/multibody/mobilizers/screw_mobilizer.h"
#include "wyvern/multibody/mobilizers/universal_mobilizer.h"
#include "wyvern/multibody/mobilizers/weld_mobilizer.h"

namespace wyvern::multibody::engine {

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

}  // namespace wyvern::multibody::engine
