#include "wyvern/geometry/shapes/geometry_version.h"

#include <atomic>
#include <stdexcept>

namespace wyvern::geometry {
namespace {
int64_t NextNumber() {
  static std::atomic<int64_t> last{0};
  return ++last;
}
}  // namespace

GeometryVersion::GeometryVersion()
    : proximity_(NextNumber()),
      illustration_(NextNumber()),
      perception_(NextNumber()) {}

bool GeometryVersion::IsSameAs(const GeometryVersion& other, Role role) const {
  switch (role) {
    case Role::kProximity:
      return proximity_ == other.proximity_;
    case Role::kIllustration:
      return illustration_ == other.illustration_;
    case Role::kPerception:
      return perception_ == other.perception_;
    case Role::kUnassigned:
      break;
  }
  throw std::logic_error(
      "GeometryVersion::IsSameAs(): the role is unassigned; ask for proximity, "
      "illustration or perception.");
}

void GeometryVersion::Modify(Role role) {
  if (role == Role::kProximity) proximity_ = NextNumber();
  if (role == Role::kIllustration) illustration_ = NextNumber();
  if (role == Role::kPerception) perception_ = NextNumber();
}

}  // namespace wyvern::geometry
