#pragma once

#include <cstdint>

namespace wyvern::multibody::engine {

/** The closed set of joint motions. F is the inboard frame, M the outboard one;
"axis" is the mobilizer's constant unit axis, the same numbers in F and in M.
q and v of each type:

| type              | nq nv | q                          | v                 |
|-------------------|-------|----------------------------|-------------------|
| kWeld             | 0 0   |                            |                   |
| kRevolute         | 1 1   | angle about axis           | its rate          |
| kPrismatic        | 1 1   | displacement along axis    | its rate          |
| kScrew            | 1 1   | angle about axis; moves    | its rate          |
|                   |       | q pitch / 2π along it      |                   |
| kUniversal        | 2 2   | angle about Fx, then about | their rates       |
|                   |       | the moved y                |                   |
| kPlanar           | 3 3   | x, y of Mo in F, angle θ   | their rates       |
|                   |       | about Fz                   |                   |
| kRpyBall          | 3 3   | space x-y-z angles         | w_FM_F            |
| kQuaternionBall   | 4 3   | qw qx qy qz                | w_FM_F            |
| kRpyFloating      | 6 6   | space x-y-z angles,        | w_FM_F, v_FMo_F   |
|                   |       | p_FoMo_F                   |                   |
| kQuaternionFloating | 7 6 | qw qx qy qz, p_FoMo_F      | w_FM_F, v_FMo_F   |
| kCurvilinear      | 1 1   | distance along a path of   | its rate          |
|                   |       | lines and arcs             |                   |

Angles in radians, lengths in metres; pitch in metres per turn. Space x-y-z
angles: R_FM = Rz(q2) Ry(q1) Rx(q0). Quaternions need not be of unit length:
the pose is that of q/|q|. */
enum class MobilizerType : std::uint8_t {
  kWeld,
  kRevolute,
  kPrismatic,
  kScrew,
  kUniversal,
  kPlanar,
  kRpyBall,
  kQuaternionBall,
  kRpyFloating,
  kQuaternionFloating,
  kCurvilinear,
};

constexpr int NumPositions(MobilizerType type) {
  constexpr int kNq[] = {0, 1, 1, 1, 2, 3, 3, 4, 6, 7, 1};
  return kNq[static_cast<int>(type)];
}
constexpr int NumVelocities(MobilizerType type) {
  constexpr int kNv[] = {0, 1, 1, 1, 2, 3, 3, 3, 6, 6, 1};
  return kNv[static_cast<int>(type)];
}
/** True if all motion is about or along the axis. */
constexpr bool HasAxis(MobilizerType type) {
  return type == MobilizerType::kRevolute ||
         type == MobilizerType::kPrismatic || type == MobilizerType::kScrew;
}
constexpr bool HasQuaternion(MobilizerType type) {
  return type == MobilizerType::kQuaternionBall ||
         type == MobilizerType::kQuaternionFloating;
}

}  // namespace wyvern::multibody::engine
