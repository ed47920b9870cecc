#include "wyvern/geometry/viewer/model_json.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <vector>

#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <assimp/Importer.hpp>

#include "wyvern/geometry/shapes/gltf_outline.h"
#include "wyvern/geometry/viewer/shape_json.h"
#include "wyvern/systems/common/memory_file.h"

/* Assimp reads the file once more, after the mesh reader has found it good, for
what that leaves out: materials, coordinates of images, normals. It puts the
parts where the nodes are; single precision is enough for a picture. */

namespace wyvern::geometry::internal {
namespace {

namespace fs = std::filesystem;
using Floats = std::vector<float>;

constexpr size_t kMaxImages = 32 << 20;  // Bytes, of a model.

std::string Json(const Floats& floats) {
  return Base64Json(floats.data(), floats.size() * sizeof(float));
}

// By its first bytes; empty if it is neither.
std::string_view ImageType(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n")) return "image/png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  return {};
}

bool IsBelow(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

class ModelWriter {
 public:
  ModelWriter(const aiScene& scene, const fs::path& file, double scale,
              bool is_gltf)
      : scene_(scene), file_(file), scale_(scale), is_gltf_(is_gltf) {}

  std::optional<std::string> Write() {
    bool has_materials = false;
    std::string parts;
    for (unsigned i = 0; i < scene_.mNumMeshes; ++i) {
      const aiMesh& mesh = *scene_.mMeshes[i];
      if (!mesh.HasFaces() || mesh.mMaterialIndex >= scene_.mNumMaterials) {
        continue;
      }
      const aiMaterial& material = *scene_.mMaterials[mesh.mMaterialIndex];
      has_materials = has_materials || (aiString(AI_DEFAULT_MATERIAL_NAME) !=
                                            material.GetName() &&
                                        material.mNumProperties > 0);
      if (!parts.empty()) parts += ",\n";
      parts += Part(mesh, material);
    }
    if (parts.empty() || !has_materials) return std::nullopt;
    std::string images;
    for (const std::string& image : images_) {
      images += (images.empty() ? "" : ",") + image;
    }
    return fmt::format(R"({{"shape":"model","parts":[{}],"images":[{}]}})",
                       parts, images);
  }

 private:
  std::string Part(const aiMesh& mesh, const aiMaterial& material) {
    aiColor4D color(0.8F, 0.8F, 0.8F, 1);
    if (material.Get(AI_MATKEY_BASE_COLOR, color) != aiReturn_SUCCESS) {
      material.Get(AI_MATKEY_COLOR_DIFFUSE, color);
      float opacity = 1;
      material.Get(AI_MATKEY_OPACITY, opacity);
      color.a = opacity;
    }
    const int image = FindImage(material);
    std::string json = fmt::format(
        R"({{"color":[{},{},{},{}],"linear":{},"image":{},"vertices":{})",
        color.r, color.g, color.b, color.a, is_gltf_, image,
        Json(Vectors(mesh.mVertices, mesh.mNumVertices, scale_)));
    if (mesh.HasNormals()) {
      json += fmt::format(R"(,"normals":{})",
                          Json(Vectors(mesh.mNormals, mesh.mNumVertices, 1)));
    }
    if (image >= 0 && mesh.HasTextureCoords(0)) {
      Floats uv;
      for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
        uv.push_back(mesh.mTextureCoords[0][v].x);
        uv.push_back(mesh.mTextureCoords[0][v].y);
      }
      json += fmt::format(R"(,"uv":{})", Json(uv));
    }
    std::vector<uint32_t> faces;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;
      for (int k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices) return json + "}";
        faces.push_back(face.mIndices[k]);
      }
    }
    return json + fmt::format(R"(,"faces":{}}})",
                              Base64Json(faces.data(),
                                         faces.size() * sizeof(uint32_t)));
  }

  // The y axis of glTF is up.
  Floats Vectors(const aiVector3D* vectors, unsigned count,
                 double scale) const {
    Floats result;
    result.reserve(3 * count);
    const float s = static_cast<float>(scale);
    for (unsigned i = 0; i < count; ++i) {
      const aiVector3D& p = vectors[i];
      for (const float x : {p.x, is_gltf_ ? -p.z : p.y, is_gltf_ ? p.y : p.z}) {
        result.push_back(s * x);
      }
    }
    return result;
  }

  // Its number among the images, -1 if there is none.
  int FindImage(const aiMaterial& material) {
    aiString name;
    if (material.GetTexture(aiTextureType_BASE_COLOR, 0, &name) !=
            aiReturn_SUCCESS &&
        material.GetTexture(aiTextureType_DIFFUSE, 0, &name) !=
            aiReturn_SUCCESS) {
      return -1;
    }
    const auto [found, is_new] = number_of_.emplace(name.C_Str(), -1);
    if (is_new) found->second = AddImage(name.C_Str());
    return found->second;
  }

  int AddImage(const std::string& name) {
    std::string bytes;
    if (const aiTexture* texture = scene_.GetEmbeddedTexture(name.c_str())) {
      if (texture->mHeight != 0) return -1;  // Not compressed.
      bytes.assign(reinterpret_cast<const char*>(texture->pcData),
                   texture->mWidth);
    } else {
      bytes = ReadImage(name);
    }
    const std::string_view type = ImageType(bytes);
    if (type.empty() || num_bytes_ + bytes.size() > kMaxImages) return -1;
    num_bytes_ += bytes.size();
    images_.push_back(fmt::format(R"(["{}",{}])", type,
                                  Base64Json(bytes.data(), bytes.size())));
    return static_cast<int>(images_.size()) - 1;
  }

  std::string ReadImage(std::string name) const {
    for (char& c : name) {
      if (c == '\\') c = '/';
    }
    std::error_code error;
    const fs::path image =
        fs::canonical(file_.parent_path() / fs::path(name), error);
    if (error || !fs::is_regular_file(image, error) ||
        fs::file_size(image, error) > kMaxImages || error ||
        !IsBelow(image, file_.parent_path().parent_path())) {
      return {};
    }
    std::ifstream stream(image, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const aiScene& scene_;
  const fs::path file_;
  const double scale_;
  const bool is_gltf_;
  std::map<std::string, int> number_of_;
  std::vector<std::string> images_;
  size_t num_bytes_{0};
};

}  // namespace

std::optional<std::string> ModelJson(const Mesh& mesh) {
  const bool is_gltf =
      mesh.extension() == ".gltf" || mesh.extension() == ".glb";
  if (!mesh.source().is_path() || !(is_gltf || mesh.extension() == ".obj")) {
    return std::nullopt;
  }
  std::error_code error;
  const fs::path file = fs::canonical(mesh.source().path(), error);
  if (error) return std::nullopt;
  if (is_gltf) {
    RequireShallowGltf(MemoryFile::Make(file).contents(), file.string());
  }
  Assimp::Importer importer;
  const aiScene* const scene = importer.ReadFile(
      file.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (scene == nullptr) return std::nullopt;
  return ModelWriter(*scene, file, mesh.scale(), is_gltf).Write();
}

}  // namespace wyvern::geometry::internal
