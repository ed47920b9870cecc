#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

/* Properties are read and checked here; hydroelastic_meshes.cc makes meshes.

Meshes are shared by way of a table from what they are made of to what was
made, which does not keep it: a mesh lives as long as a geometry has it. The
key of a shape is its numbers with all their digits, and for one from a file
the path with size and time of the file, or the text in memory. */

namespace wyvern::geometry::internal {
namespace {

template <typename V>
class SharedTable {
 public:
  template <typename MakeValue>
  std::shared_ptr<const V> Get(const std::string& key, const MakeValue& make) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (auto found = table_[key].lock()) return found;
    }
    // Several threads may make the same object; the first that is ready stays.
    std::shared_ptr<const V> made = make();
    const std::lock_guard<std::mutex> lock(mutex_);
    std::weak_ptr<const V>& entry = table_[key];
    if (auto found = entry.lock()) return found;
    entry = made;
    // Looking at every entry for each new one would be quadratic.
    if (table_.size() >= size_to_purge_) {
      std::erase_if(table_,
                    [](const auto& item) { return item.second.expired(); });
      size_to_purge_ = 2 * table_.size() + 1;
    }
    return made;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const V>> table_;
  std::size_t size_to_purge_{1};
};

std::string DescribeSource(const MeshSource& source, double scale) {
  if (source.is_in_memory()) {
    const InMemoryMesh& mesh = source.in_memory();
    std::string result = fmt::format("{:.17g} {} {}", scale, source.extension(),
                                     mesh.mesh_file.contents());
    for (const auto& [name, file] : mesh.supporting_files) {
      const auto* in_memory = std::get_if<MemoryFile>(&file);
      result += in_memory ? in_memory->contents()
                          : std::get<std::filesystem::path>(file).string();
    }
    return result;
  }
  std::error_code error;
  const auto size = std::filesystem::file_size(source.path(), error);
  const auto time = std::filesystem::last_write_time(source.path(), error);
  return fmt::format("{:.17g} {} {} {}", scale, source.path().string(),
                     error ? 0 : size,
                     error ? 0 : time.time_since_epoch().count());
}

std::string DescribeNumbers(std::initializer_list<double> numbers) {
  std::string result;
  for (const double x : numbers) result += fmt::format(" {:.17g}", x);
  return result;
}

struct Describer {
  std::string operator()(const Box& s) const {
    return DescribeNumbers({s.width(), s.depth(), s.height()});
  }
  std::string operator()(const Capsule& s) const {
    return DescribeNumbers({s.radius(), s.length()});
  }
  std::string operator()(const Convex& s) const {
    return DescribeSource(s.source(), s.scale());
  }
  std::string operator()(const Cylinder& s) const {
    return DescribeNumbers({s.radius(), s.length()});
  }
  std::string operator()(const Ellipsoid& s) const {
    return DescribeNumbers({s.a(), s.b(), s.c()});
  }
  std::string operator()(const HalfSpace&) const { return {}; }
  std::string operator()(const Mesh& s) const {
    return DescribeSource(s.source(), s.scale());
  }
  std::string operator()(const MeshcatCone& s) const {
    return DescribeNumbers({s.height(), s.a(), s.b()});
  }
  std::string operator()(const Sphere& s) const {
    return DescribeNumbers({s.radius()});
  }
};

std::string MakeKey(const Shape& shape, double hint, double margin) {
  return fmt::format("{}{}{}", shape.type_name(),
                     DescribeNumbers({hint, margin}),
                     shape.Visit<std::string>(Describer()));
}

// A property of the group "hydroelastic"; nothing if it is not there.
std::optional<double> Read(const ProximityProperties& properties,
                           const char* name, double least, double most) {
  if (!properties.HasProperty(kHydroGroup, name)) return {};
  const double value = properties.GetProperty<double>(kHydroGroup, name);
  if (!(value >= least && value <= most)) {
    throw std::logic_error(fmt::format(
        "the property ('{}', '{}') is {}; it must be {:.0e} to {:.0e}.",
        kHydroGroup, name, value, least, most));
  }
  return value;
}

// Bounds of properties within which products of pressures and areas neither
// overflow nor underflow.
constexpr double kLeast = 1e-30;
constexpr double kMost = 1e30;

double Take(const std::optional<double>& value, const char* name,
            const char* unit, std::string* missing) {
  if (!value && missing->empty()) {
    *missing = fmt::format(
        "it lacks the property ('{}', '{}') [{}]; add it, or give a default in "
        "SceneGraphConfig::default_proximity_properties.",
        kHydroGroup, name, unit);
  }
  return value.value_or(1);
}

bool NeedsHint(const Shape& shape) {
  const std::string_view name = shape.type_name();
  return name == "Sphere" || name == "Cylinder" || name == "Capsule" ||
         name == "Ellipsoid";
}

}  // namespace

std::shared_ptr<const RigidMesh> ShareRigidMesh(const Shape& shape,
                                                double hint) {
  static SharedTable<RigidMesh> rigid_meshes;
  const double used = NeedsHint(shape) ? hint : kMost;
  return rigid_meshes.Get(MakeKey(shape, used, 0),
                          [&] { return MakeRigidMesh(shape, used); });
}

HydroelasticGeometry MakeHydroelasticGeometry(
    const Shape& shape, const ProximityProperties& properties) {
  static SharedTable<CompliantMesh> compliant_meshes;

  HydroelasticGeometry result;
  result.is_half_space = shape.type_name() == "HalfSpace";
  // Properties that the type does not need are checked too.
  const auto modulus = Read(properties, kElastic, kLeast, kMost);
  const auto slab = Read(properties, kSlabThickness, kLeast, kMost);
  const auto margin = Read(properties, kMargin, 0, kMost);
  auto hint = Read(properties, kRezHint, kLeast, kMost);
  result.type = properties.GetPropertyOrDefault(kHydroGroup, kComplianceType,
                                                HydroelasticType::kUndefined);
  if (shape.type_name() == "Sphere" &&
      static_cast<const Sphere&>(shape).radius() == 0) {
    result.type = HydroelasticType::kUndefined;
  }
  if (result.type == HydroelasticType::kUndefined) return result;

  if (NeedsHint(shape)) {
    hint = Take(hint, kRezHint, "m", &result.missing);
  } else {
    hint = kMost;
  }
  if (result.is_compliant()) {
    result.modulus = Take(modulus, kElastic, "Pa", &result.missing);
    result.margin = margin.value_or(0);
    if (result.is_half_space) {
      result.slab_thickness = Take(slab, kSlabThickness, "m", &result.missing);
    }
  }
  if (result.is_half_space || !result.missing.empty()) return result;

  if (result.is_rigid()) {
    result.rigid = ShareRigidMesh(shape, *hint);
  } else {
    result.compliant = compliant_meshes.Get(
        MakeKey(shape, *hint, result.margin),
        [&] { return MakeCompliantMesh(shape, *hint, result.margin); });
  }
  return result;
}

}  // namespace wyvern::geometry::internal
