/* Assimp reads the file, from disk or from memory, after it was checked that
its recursion ends. What it gives is a tree of nodes with meshes in them; their
triangles are put where the nodes are. */

#include "wyvern/geometry/shapes/gltf_reader.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <assimp/scene.h>
#include <fmt/format.h>
#include <Eigen/Geometry>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>

#include "wyvern/geometry/shapes/gltf_outline.h"

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

Eigen::Affine3d ToEigen(const aiMatrix4x4& m) {
  Eigen::Affine3d X;
  X.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2,
      m.c3, m.c4, m.d1, m.d2, m.d3, m.d4;
  return X;
}

void AddMesh(const aiMesh& mesh, const Eigen::Affine3d& X, RawMesh* result) {
  const int first = static_cast<int>(result->vertices.size());
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D& p = mesh.mVertices[v];
    result->vertices.push_back(X * Vector3d(p.x, p.y, p.z));
  }
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;  // A point or a line.
    std::array<int, 3> triangle{};
    bool is_good = true;
    for (int k = 0; k < 3; ++k) {
      is_good = is_good && face.mIndices[k] < mesh.mNumVertices;
      triangle[k] = first + static_cast<int>(face.mIndices[k]);
    }
    if (is_good) result->triangles.push_back(triangle);
  }
}

// The depth of nodes is bounded before.
void AddNode(const aiScene& scene, const aiNode& node,
             const Eigen::Affine3d& X_parent, RawMesh* result) {
  const Eigen::Affine3d X = X_parent * ToEigen(node.mTransformation);
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    AddMesh(*scene.mMeshes[node.mMeshes[i]], X, result);
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i) {
    AddNode(scene, *node.mChildren[i], X, result);
  }
}

}  // namespace

RawMesh ReadGltf(const MeshSource& source, std::string_view bytes) {
  const std::string file = source.description();
  // Assimp takes other contents for other formats, whatever the name.
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (!bytes.starts_with("glTF") &&
      (begin == bytes.npos || bytes[begin] != '{')) {
    ThrowOfMesh(file, "cannot be read: it does not begin as glTF does.");
  }
  RequireShallowGltf(bytes, file);
  Assimp::Importer importer;
  std::string name;
  if (source.is_path()) {
    name = source.path().string();
  } else {
    name = "mesh" + source.extension();
    importer.SetIOHandler(new MemoryFiles(source.in_memory(), name));
  }
  const aiScene* const scene = importer.ReadFile(name, 0);
  if (scene == nullptr) {
    ThrowOfMesh(file,
                fmt::format("cannot be read: {}.", importer.GetErrorString()));
  }
  if (scene->mRootNode == nullptr) {
    ThrowOfMesh(file,
                "has nothing to show: its \"scene\" does not say which of its "
                "scenes that is.");
  }
  RawMesh result;
  AddNode(*scene, *scene->mRootNode, Eigen::Affine3d::Identity(), &result);
  return result;
}

}  // namespace wyvern::geometry::internal
