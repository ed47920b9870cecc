#pragma once

#include "wyvern/multibody/mobilizers/curvilinear_mobilizer.h"
#include "wyvern/multibody/mobilizers/mobilizer_type.h"
#include "wyvern/multibody/mobilizers/planar_mobilizer.h"
#include "wyvern/multibody/mobilizers/prismatic_mobilizer.h"
#include "wyvern/multibody/mobilizers/quaternion_ball_mobilizer.h"
#include "wyvern/multibody/mobilizers/quaternion_floating_mobilizer.h"
#include "wyvern/multibody/mobilizers/revolute_mobilizer.h"
#include "wyvern/multibody/mobilizers/rpy_ball_mobilizer.h"
#include "wyvern/multibody/mobilizers/rpy_floating_mobilizer.h"
#include "wyvern/multibody/mobilizers/screw_mobilizer.h"
#include "wyvern/multibody/mobilizers/universal_mobilizer.h"
#include "wyvern/multibody/mobilizers/weld_mobilizer.h"

namespace wyvern::multibody::engine {

/** Calls f(RevoluteMobilizer<T>{}), or whichever the type says: one switch, all
inlined behind it. */
template <typename T, typename F>
inline void VisitMobilizer(MobilizerType type, F&& f) {
  switch (type) {
    case MobilizerType::kWeld:
      return f(WeldMobilizer<T>{});
    case MobilizerType::kRevolute:
      return f(RevoluteMobilizer<T>{});
    case MobilizerType::kPrismatic:
      return f(PrismaticMobilizer<T>{});
    case MobilizerType::kScrew:
      return f(ScrewMobilizer<T>{});
    case MobilizerType::kUniversal:
      return f(UniversalMobilizer<T>{});
    case MobilizerType::kPlanar:
      return f(PlanarMobilizer<T>{});
    case MobilizerType::kRpyBall:
      return f(RpyBallMobilizer<T>{});
    case MobilizerType::kQuaternionBall:
      return f(QuaternionBallMobilizer<T>{});
    case MobilizerType::kRpyFloating:
      return f(RpyFloatingMobilizer<T>{});
    case MobilizerType::kQuaternionFloating:
      return f(QuaternionFloatingMobilizer<T>{});
    case MobilizerType::kCurvilinear:
      return f(CurvilinearMobilizer<T>{});
  }
}

}  // namespace wyvern::multibody::engine
