#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace wyvern::multibody::internal {

/** Names of the geometries of one link and one role, which must differ. */
class GeometryNames {
 public:
  /** `given`, or the name of the shape's type if that is empty, or, if that is
  taken, the first of "given_1", "given_2", ... that is not. */
  std::string Make(std::string_view given, std::string_view shape_type);

 private:
  std::set<std::string> taken_;
  // By name: lower numbers behind it are taken.
  std::map<std::string, int> last_number_;
};

}  // namespace wyvern::multibody::internal
