#pragma once

#include <array>
#include <cstdint>

/** The closed set of joint motions, once: F(Weld) F(Revolute) and so on. There
is a MobilizerType and a mobilizer of each name. */
// clang-format off
#define WYVERN_FOR_EACH_MOBILIZER(F)                                   \
  F(Weld) F(Revolute) F(Prismatic) F(Screw) F(Universal) F(Planar)     \
  F(RpyBall) F(QuaternionBall) F(RpyFloating) F(QuaternionFloating)    \
  F(Curvilinear)
// clang-format on

namespace wyvern::multibody::dynamics {

/** A joint motion. F is the inboard frame, M the outboard one; "axis" is the
mobilizer's constant unit axis, the same numbers in F and in M. q and v of each
type:

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
#define WYVERN_ENUMERATOR(Name) k##Name,
  WYVERN_FOR_EACH_MOBILIZER(WYVERN_ENUMERATOR)
#undef WYVERN_ENUMERATOR
};

#define WYVERN_PLUS_ONE(Name) +1
/** Number of types. */
inline constexpr int kNumMobilizerTypes =
    WYVERN_FOR_EACH_MOBILIZER(WYVERN_PLUS_ONE);
#undef WYVERN_PLUS_ONE

/** The most positions of a mobilizer. */
inline constexpr int kMaxMobilizerPositions = 7;
/** The most velocities of a mobilizer. */
inline constexpr int kMaxMobilizerVelocities = 6;

/** In place of a velocity, where there is none. */
inline constexpr int kNoVelocity = -1;

/** Properties of a type that do not depend on its numbers; TraitsOf(), in
mobilizer_traits.h, collects them from the mobilizer classes. Code asks for
these properties, not for the name of a type. */
struct MobilizerTraits {
  /** The type that these are properties of. */
  MobilizerType type{};
  /** How many positions it has. */
  int nq{};
  /** How many velocities it has. */
  int nv{};
  /** M turns in F; Mo moves in F. */
  bool rotates{};
  /** Mo moves in F. */
  bool translates{};
  /** All motion is about or along the axis. */
  bool has_axis{};
  /** M takes any orientation in F, and the first three velocities are w_FM_F;
  by itself or, with six velocities, with v_FMo_F after them. */
  bool rotates_freely{};
  /** The first four positions are a quaternion. */
  bool has_quaternion{};
  /** Short names, such as "qw". */
  std::array<const char*, kMaxMobilizerPositions> position_names{};
  /** Short names, such as "w". */
  std::array<const char*, kMaxMobilizerVelocities> velocity_names{};
  /** By velocity: in rad/s, rather than m/s. */
  std::array<bool, kMaxMobilizerVelocities> is_angular{};
  /** By velocity: a displacement along it moves the screws of those that are
  false, as the first angle of a universal joint moves its second axis. */
  std::array<bool, kMaxMobilizerVelocities> carries{};
  /** By position: the velocity that is its rate, or kNoVelocity. */
  std::array<int, kMaxMobilizerPositions> rate_of_position{};

  /** True if q̇ is v. */
  constexpr bool velocity_is_qdot() const {
    for (int i = 0; i < nq; ++i) {
      if (rate_of_position[i] != i) return false;
    }
    return nq == nv;
  }
  /** True if the first three positions are roll, pitch and yaw. */
  constexpr bool has_roll_pitch_yaw() const {
    return rotates_freely && !has_quaternion;
  }
};

}  // namespace wyvern::multibody::dynamics
