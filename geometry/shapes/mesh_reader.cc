#include "wyvern/geometry/shapes/mesh_reader.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <Eigen/Geometry>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// Reads from memory, for Assimp.
class MemoryStream final : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::string contents)
      : contents_(std::move(contents)) {}
  size_t Read(void* buffer, size_t size, size_t count) final {
    if (size == 0) return 0;
    const size_t n = std::min(count, (contents_.size() - place_) / size);
    std::memcpy(buffer, contents_.data() + place_, n * size);
    place_ += n * size;
    return n;
  }
  size_t Write(const void*, size_t, size_t) final { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) final {
    size_t place = offset;
    if (origin == aiOrigin_CUR) place += place_;
    if (origin == aiOrigin_END) place = contents_.size() - offset;
    if (place > contents_.size()) return aiReturn_FAILURE;
    place_ = place;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const final { return place_; }
  size_t FileSize() const final { return contents_.size(); }
  void Flush() final {}

 private:
  const std::string contents_;
  size_t place_{0};
};

// The files of an InMemoryMesh, by name.
class MemoryFiles final : public Assimp::IOSystem {
 public:
  MemoryFiles(const InMemoryMesh& mesh, std::string name)
      : mesh_(mesh), name_(std::move(name)) {}
  bool Exists(const char* file) const final { return Find(file) != nullptr; }
  char getOsSeparator() const final { return '/'; }
  Assimp::IOStream* Open(const char* file, const char*) final {
    const auto contents = Find(file);
    return contents ? new MemoryStream(*contents) : nullptr;
  }
  void Close(Assimp::IOStream* file) final { delete file; }

 private:
  std::unique_ptr<std::string> Find(std::string file) const {
    if (file == name_) {
      return std::make_unique<std::string>(mesh_.mesh_file.contents());
    }
    if (file.starts_with("./")) file = file.substr(2);
    const auto found = mesh_.supporting_files.find(file);
    if (found == mesh_.supporting_files.end()) return nullptr;
    const auto* memory = std::get_if<MemoryFile>(&found->second);
    const MemoryFile on_disk =
        memory
            ? MemoryFile()
            : MemoryFile::Make(std::get<std::filesystem::path>(found->second));
    return std::make_unique<std::string>(
        (memory ? memory : &on_disk)->contents());
  }

  const InMemoryMesh& mesh_;
  const std::string name_;
};

[[noreturn]] void Fail(const MeshSource& source, const std::string& why) {
  throw std::runtime_error(
      fmt::format("The mesh '{}' {}", source.description(), why));
}

struct Less {
  bool operator()(const Vector3d& a, const Vector3d& b) const {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(),
                                        b.data() + 3);
  }
};

TriangleMesh Collect(const aiScene& scene, bool y_is_up, double scale,
                     const MeshSource& source) {
  TriangleMesh result;
  std::map<Vector3d, int, Less> index;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    std::vector<int> vertex_of(mesh.mNumVertices);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D& p = mesh.mVertices[v];
      const Vector3d x = scale * (y_is_up ? Vector3d(p.x, -p.z, p.y)
                                          : Vector3d(p.x, p.y, p.z));
      if (!x.allFinite()) Fail(source, "has a vertex that is not finite.");
      const auto [place, is_new] =
          index.emplace(x, static_cast<int>(result.vertices.size()));
      if (is_new) result.vertices.push_back(x);
      vertex_of[v] = place->second;
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;
      const std::array<int, 3> t = {vertex_of[face.mIndices[0]],
                                    vertex_of[face.mIndices[1]],
                                    vertex_of[face.mIndices[2]]};
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
        result.triangles.push_back(t);
      }
    }
  }
  if (result.triangles.empty()) Fail(source, "has no triangles.");
  return result;
}

}  // namespace

TriangleMesh ReadTriangleMesh(const MeshSource& source, double scale) {
  const std::string& extension = source.extension();
  const bool is_gltf = extension == ".gltf" || extension == ".glb";
  if (!is_gltf && extension != ".obj" && extension != ".stl") {
    Fail(source, fmt::format("has the extension '{}'; only .obj, .gltf, .glb "
                             "and .stl files can be read.",
                             extension));
  }
  Assimp::Importer importer;
  std::string name;
  if (source.is_path()) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(source.path(), error)) {
      Fail(source, "is not a file that can be read.");
    }
    name = source.path().string();
  } else {
    name = "mesh" + extension;
    importer.SetIOHandler(new MemoryFiles(source.in_memory(), name));
  }
  const aiScene* scene = importer.ReadFile(
      name, aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (scene == nullptr) {
    Fail(source, fmt::format("cannot be read: {}.", importer.GetErrorString()));
  }
  return Collect(*scene, is_gltf, scale, source);
}

double TriangleMesh::CalcVolume(const std::string& label) const {
  std::map<std::pair<int, int>, int> balance;
  double sum = 0;
  for (const auto& t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
    sum += vertices[t[0]].dot(vertices[t[1]].cross(vertices[t[2]]));
  }
  for (const auto& [edge, count] : balance) {
    if (count != 0) {
      throw std::runtime_error(fmt::format(
          "The volume of the mesh '{}' was asked for; its surface is not "
          "closed, or some of its faces are turned inside out.",
          label));
    }
  }
  return sum / 6;
}

}  // namespace wyvern::geometry::internal
