#include "wyvern/geometry/shapes/geometry_roles.h"

namespace wyvern::geometry {

std::string to_string(const Role& role) {
  switch (role) {
    case Role::kUnassigned:
      return "unassigned";
    case Role::kProximity:
      return "proximity";
    case Role::kIllustration:
      return "illustration";
    case Role::kPerception:
      return "perception";
  }
  return "unknown";
}

std::ostream& operator<<(std::ostream& out, const Role& role) {
  return out << to_string(role);
}

IllustrationProperties MakePhongIllustrationProperties(
    const Eigen::Vector4d& diffuse) {
  IllustrationProperties result;
  result.AddProperty("phong", "diffuse",
                     Rgba(diffuse[0], diffuse[1], diffuse[2], diffuse[3]));
  return result;
}

}  // namespace wyvern::geometry
