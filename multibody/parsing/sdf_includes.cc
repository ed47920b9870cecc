#include "wyvern/multibody/parsing/sdf_includes.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mesh_files.h"

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

namespace {

constexpr int kMostIncludes = 1000;
constexpr std::size_t kDeepest = 50;

/** Goes through a document and those that it includes. */
class IncludeFinder {
 public:
  explicit IncludeFinder(const PackageMap& packages) : packages_(packages) {}

  void Read(const XmlDocument& document) {
    const XmlElement root = document.root();
    if (!root.IsNamed("sdf")) {
      root.Throw(fmt::format(
          "the document is a <{}>; an SDFormat document is an <sdf>.",
          root.name()));
    }
    Search(root, MeshFiles(&packages_, document.folder()));
  }

  SdfIncludes found() && { return std::move(found_); }

 private:
  // The depth of a document is bounded by XmlDocument.
  void Search(const XmlElement& element, const MeshFiles& files) {
    for (const XmlElement& child : element.children()) {
      if (child.IsNamed("include")) {
        Include(child, files);
      } else {
        Search(child, files);
      }
    }
  }

  void Include(const XmlElement& include, const MeshFiles& files) {
    const std::string uri(include.RequiredChild("uri").text());
    const fs::path path = Resolve(include, uri, files);
    const auto [other, is_new] = found_.try_emplace(uri, path);
    if (!is_new && other->second != path) {
      include.Throw(
          fmt::format("'{}' is '{}' here, but '{}' elsewhere; give URLs.", uri,
                      path.string(), other->second.string()));
    }
    if (std::ranges::find(open_, path) != open_.end()) {
      include.Throw(fmt::format("'{}' includes itself.", path.string()));
    }
    if (++num_includes_ > kMostIncludes || open_.size() >= kDeepest) {
      include.Throw(fmt::format(
          "more than {} files are included, or more than {} in each other.",
          kMostIncludes, kDeepest));
    }
    open_.push_back(path);
    Read(XmlDocument::FromFile(path));
    open_.pop_back();
  }

  fs::path Resolve(const XmlElement& include, const std::string& uri,
                   const MeshFiles& files) const {
    try {
      fs::path path = files.ResolveFolderOrFile(uri);
      std::error_code error;
      if (fs::is_directory(path, error)) path = ModelFile(path);
      if (path.extension() != ".sdf") {
        throw std::runtime_error(
            fmt::format("'{}' is no SDFormat file; only those can be included.",
                        path.string()));
      }
      return fs::weakly_canonical(path);
    } catch (const std::exception& error) {
      include.Throw(error.what());
    }
  }

  // The last <sdf> in model.config, as that of the newest version.
  static fs::path ModelFile(const fs::path& folder) {
    const auto config = XmlDocument::FromFile(folder / "model.config");
    std::string name;
    for (const XmlElement& child : config.root().children()) {
      if (child.IsNamed("sdf")) name = child.text();
    }
    if (name.empty()) config.root().Throw("no <sdf> names the model's file.");
    return folder / name;
  }

  const PackageMap& packages_;
  SdfIncludes found_;
  // The files that include the present one.
  std::vector<fs::path> open_;
  int num_includes_{0};
};

}  // namespace

SdfIncludes FindSdfIncludes(const XmlDocument& document,
                            const PackageMap& packages) {
  IncludeFinder finder(packages);
  finder.Read(document);
  return std::move(finder).found();
}

}  // namespace wyvern::multibody::internal
