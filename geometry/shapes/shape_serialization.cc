#include "wyvern/geometry/shapes/shape_serialization.h"

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/systems/common/value_serialization.h"

/* A shape is the name of its class and what its constructor takes. */

namespace wyvern::geometry::internal {
namespace {

template <typename... Numbers>
void WriteNumbers(std::ostream* stream, Numbers... numbers) {
  (WriteBinary(static_cast<double>(numbers), stream), ...);
}

double ReadNumber(std::istream* stream) {
  double number{};
  ReadBinary(&number, stream);
  return number;
}

std::string ReadText(std::istream* stream) {
  std::string text;
  ReadBinary(&text, stream);
  return text;
}

void WriteFile(const FileSource& file, std::ostream* stream) {
  const auto* path = std::get_if<std::filesystem::path>(&file);
  WriteBinary(path != nullptr, stream);
  if (path != nullptr) return WriteBinary(path->string(), stream);
  const auto& memory = std::get<MemoryFile>(file);
  WriteBinary(memory.contents(), stream);
  WriteBinary(memory.extension(), stream);
  WriteBinary(memory.filename_hint(), stream);
}

FileSource ReadFile(std::istream* stream) {
  bool is_path{};
  ReadBinary(&is_path, stream);
  std::string first = ReadText(stream);
  if (is_path) return std::filesystem::path(first);
  std::string extension = ReadText(stream);
  return MemoryFile(std::move(first), std::move(extension), ReadText(stream));
}

void WriteMesh(const MeshSource& source, double scale, std::ostream* stream) {
  if (source.is_path()) {
    WriteFile(source.path(), stream);
  } else {
    const InMemoryMesh& mesh = source.in_memory();
    WriteFile(mesh.mesh_file, stream);
    WriteBinary(static_cast<int>(mesh.supporting_files.size()), stream);
    for (const auto& [name, file] : mesh.supporting_files) {
      WriteBinary(name, stream);
      WriteFile(file, stream);
    }
  }
  WriteBinary(scale, stream);
}

template <typename MeshShape>
std::unique_ptr<Shape> ReadMesh(std::istream* stream) {
  FileSource file = ReadFile(stream);
  if (const auto* path = std::get_if<std::filesystem::path>(&file)) {
    return std::make_unique<MeshShape>(*path, ReadNumber(stream));
  }
  InMemoryMesh mesh{std::get<MemoryFile>(std::move(file)), {}};
  int num_files{};
  ReadBinary(&num_files, stream);
  for (int i = 0; i < num_files; ++i) {
    std::string name = ReadText(stream);
    mesh.supporting_files.emplace(std::move(name), ReadFile(stream));
  }
  return std::make_unique<MeshShape>(std::move(mesh), ReadNumber(stream));
}

template <typename ShapeType, int kNumNumbers>
std::unique_ptr<Shape> ReadSimple(std::istream* stream) {
  std::array<double, kNumNumbers> x{};
  for (double& number : x) number = ReadNumber(stream);
  return std::apply(
      [](auto... numbers) { return std::make_unique<ShapeType>(numbers...); },
      x);
}

// An enumeration from 0 to `last`.
template <typename Enum>
void RegisterEnum(std::string_view name, Enum last) {
  ValueSerialization::Register<Enum>(
      [](const Enum& value, std::ostream* stream) {
        WriteBinary(static_cast<int>(value), stream);
      },
      [name, last](Enum* value, std::istream* stream) {
        int number{};
        ReadBinary(&number, stream);
        if (number < 0 || number > static_cast<int>(last)) {
          throw std::runtime_error(fmt::format(
              "What was saved gives {} as a {}, which goes from 0 to {}; it is "
              "damaged: load something that was not changed since.",
              number, name, static_cast<int>(last)));
        }
        *value = static_cast<Enum>(number);
      });
}

}  // namespace

void WritePose(const math::RigidTransform<double>& X, std::ostream* stream) {
  const Eigen::MatrixXd matrix = X.GetAsMatrix34();
  WriteBinary(matrix, stream);
}

math::RigidTransform<double> ReadPose(std::istream* stream) {
  Eigen::MatrixXd matrix;
  ReadBinary(&matrix, stream);
  if (matrix.rows() != 3 || matrix.cols() != 4) {
    throw std::runtime_error(fmt::format(
        "A pose is a matrix of 3 x 4, and one of {} x {} was saved; save the "
        "Context anew.",
        matrix.rows(), matrix.cols()));
  }
  const Eigen::Matrix3d R = matrix.leftCols<3>();
  return {math::RotationMatrix<double>::MakeUnchecked(R), matrix.col(3)};
}

void WriteShape(const Shape& shape, std::ostream* stream) {
  WriteBinary(std::string(shape.type_name()), stream);
  shape.Visit([stream](const auto& s) {
    using S = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<S, Box>) {
      WriteNumbers(stream, s.width(), s.depth(), s.height());
    } else if constexpr (std::is_same_v<S, Capsule> ||
                         std::is_same_v<S, Cylinder>) {
      WriteNumbers(stream, s.radius(), s.length());
    } else if constexpr (std::is_same_v<S, Convex> || std::is_same_v<S, Mesh>) {
      WriteMesh(s.source(), s.scale(), stream);
    } else if constexpr (std::is_same_v<S, Ellipsoid>) {
      WriteNumbers(stream, s.a(), s.b(), s.c());
    } else if constexpr (std::is_same_v<S, MeshcatCone>) {
      WriteNumbers(stream, s.height(), s.a(), s.b());
    } else if constexpr (std::is_same_v<S, Sphere>) {
      WriteNumbers(stream, s.radius());
    } else {
      static_assert(std::is_same_v<S, HalfSpace>);
    }
  });
}

std::unique_ptr<Shape> ReadShape(std::istream* stream) {
  using Reader = std::unique_ptr<Shape> (*)(std::istream*);
  static const std::map<std::string, Reader> readers{
      {"Box", &ReadSimple<Box, 3>},
      {"Capsule", &ReadSimple<Capsule, 2>},
      {"Convex", &ReadMesh<Convex>},
      {"Cylinder", &ReadSimple<Cylinder, 2>},
      {"Ellipsoid", &ReadSimple<Ellipsoid, 3>},
      {"HalfSpace", &ReadSimple<HalfSpace, 0>},
      {"Mesh", &ReadMesh<Mesh>},
      {"MeshcatCone", &ReadSimple<MeshcatCone, 3>},
      {"Sphere", &ReadSimple<Sphere, 1>}};
  const std::string name = ReadText(stream);
  const auto found = readers.find(name);
  if (found == readers.end()) {
    throw std::runtime_error(fmt::format(
        "SceneGraph: the stream has a shape '{}', which is not known.", name));
  }
  return found->second(stream);
}

void WriteProperties(const GeometryProperties& properties,
                     std::ostream* stream) {
  WriteBinary(properties.num_groups(), stream);
  for (const std::string& group_name : properties.GetGroupNames()) {
    const auto& group = properties.GetPropertiesInGroup(group_name);
    const std::map<std::string, std::shared_ptr<AbstractValue>> sorted(
        group.begin(), group.end());
    WriteBinary(group_name, stream);
    WriteBinary(static_cast<int>(sorted.size()), stream);
    for (const auto& [name, value] : sorted) {
      WriteBinary(name, stream);
      ValueSerialization::Write(*value, stream);
    }
  }
}

void ReadProperties(GeometryProperties* properties, std::istream* stream) {
  int num_groups{};
  ReadBinary(&num_groups, stream);
  for (int i = 0; i < num_groups; ++i) {
    const std::string group = ReadText(stream);
    int num_properties{};
    ReadBinary(&num_properties, stream);
    for (int k = 0; k < num_properties; ++k) {
      const std::string name = ReadText(stream);
      properties->AddPropertyAbstract(group, name,
                                      *ValueSerialization::ReadNew(stream));
    }
  }
}

void RegisterShapeSerialization() {
  using Friction = multibody::CoulombFriction<double>;
  ValueSerialization::Register<Friction>(
      [](const Friction& value, std::ostream* stream) {
        WriteNumbers(stream, value.static_friction(), value.dynamic_friction());
      },
      [](Friction* value, std::istream* stream) {
        const double mu_static = ReadNumber(stream);
        *value = Friction(mu_static, ReadNumber(stream));
      });
  ValueSerialization::Register<Rgba>(
      [](const Rgba& value, std::ostream* stream) {
        WriteNumbers(stream, value.r(), value.g(), value.b(), value.a());
      },
      [](Rgba* value, std::istream* stream) {
        Eigen::Vector4d rgba;
        for (double& x : rgba) x = ReadNumber(stream);
        value->set(rgba);
      });
  RegisterEnum("HydroelasticType", HydroelasticType::kCompliant);
  ValueSerialization::Register<std::set<std::string>>(
      [](const std::set<std::string>& value, std::ostream* stream) {
        const std::vector<std::string> texts(value.begin(), value.end());
        WriteBinary(texts, stream, [](const std::string& t, std::ostream* s) {
          WriteBinary(t, s);
        });
      },
      [](std::set<std::string>* value, std::istream* stream) {
        std::vector<std::string> texts;
        ReadBinary(&texts, stream, &ReadText);
        *value = {texts.begin(), texts.end()};
      });
}

}  // namespace wyvern::geometry::internal
