#include "wyvern/multibody/dynamics/mobilizers/rotations.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::dynamics {
namespace {
using math::internal::ValueOf;
}  // namespace

template <typename T>
void RpyRate(const T* q, const T* w, T* qdot) {
  using std::cos;
  using std::sin;
  const T cp = cos(q[1]), sp = sin(q[1]);
  using wyvern::internal::MayHold;
  if (!MayHold(cp >= 1e-3) && !MayHold(cp <= -1e-3)) {
    throw std::runtime_error(fmt::format(
        "Roll-pitch-yaw mobilizer: gimbal lock at pitch = {} radians; the "
        "rates of the angles are unbounded there. Keep the pitch away from "
        "±π/2, or use a quaternion joint.",
        ValueOf(q[1])));
  }
  const T cy = cos(q[2]), sy = sin(q[2]);
  const T roll_rate = (cy * w[0] + sy * w[1]) / cp;
  qdot[0] = roll_rate;
  qdot[1] = cy * w[1] - sy * w[0];
  qdot[2] = w[2] + sp * roll_rate;
}

#define WYVERN_INSTANTIATE(T) template void RpyRate(const T*, const T*, T*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
