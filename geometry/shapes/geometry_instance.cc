#include "wyvern/geometry/shapes/geometry_instance.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::geometry {

GeometryInstance::GeometryInstance(const math::RigidTransform<double>& X_PG,
                                   std::unique_ptr<Shape> shape,
                                   const std::string& name)
    : id_(GeometryId::get_new_id()), X_PG_(X_PG), shape_(std::move(shape)) {
  set_name(name);
  wyvern::internal::RequireNotNull(
      wyvern::internal::Caller("GeometryInstance").Of("geometry", name_),
      "the shape", shape_, "pass one");
}

GeometryInstance::GeometryInstance(const GeometryInstance& other)
    : id_(other.id_),
      X_PG_(other.X_PG_),
      name_(other.name_),
      shape_(other.shape_ == nullptr ? nullptr : other.shape_->Clone()),
      proximity_(other.proximity_),
      illustration_(other.illustration_),
      perception_(other.perception_) {}

GeometryInstance& GeometryInstance::operator=(const GeometryInstance& other) {
  if (this != &other) *this = GeometryInstance(other);
  return *this;
}

const Shape& GeometryInstance::shape() const {
  if (shape_ == nullptr) {
    throw std::logic_error(fmt::format(
        "GeometryInstance::shape(): the shape of '{}' has been released.",
        name_));
  }
  return *shape_;
}

void GeometryInstance::set_name(const std::string& name) {
  const char* const kWhite = " \t\n\v\f\r";
  const size_t first = name.find_first_not_of(kWhite);
  if (first == std::string::npos) {
    throw std::logic_error(fmt::format(
        "GeometryInstance: the name '{}' is empty or only white space; give "
        "one.",
        name));
  }
  name_ = name.substr(first, name.find_last_not_of(kWhite) - first + 1);
}

}  // namespace wyvern::geometry
