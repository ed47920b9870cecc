/* Before libsdformat sees a document, what it would read on the way is looked
for, file by file: so that each file is there, none includes itself, and what
libsdformat would say on the console, or not at all, becomes an error with its
file and line. */

#include "wyvern/multibody/parsing/sdf_includes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/systems/common/file_paths.h"

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

namespace {

// The numbers of a version, as 1.9, which orders them. libsdformat reads as
// much as looks like one.
std::vector<int> ReadVersion(const XmlElement& root) {
  const std::string_view text = Trim(root.RequiredAttribute("version"));
  std::vector<int> result;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();;) {
    int number = -1;
    const auto [stop, error] = std::from_chars(at, end, number);
    const bool is_number = error == std::errc{} && number >= 0 && number < 1000;
    if (!is_number || (stop != end && *stop != '.')) {
      root.Throw(fmt::format(
          "version='{}' in <sdf> is no version; numbers parted by dots are "
          "wanted, as 1.9.",
          text));
    }
    result.push_back(number);
    if (stop == end) return result;
    at = stop + 1;
  }
}

void RequireNoScope(const XmlElement& element, std::string_view name) {
  if (name.find("::") == std::string_view::npos) return;
  element.Throw(
      fmt::format("the name '{}' of <{}> has \"::\" in it, which parts the "
                  "names of a model "
                  "and its elements; take another.",
                  name, element.name()));
}

constexpr int kMostIncludes = 1000;
constexpr std::size_t kDeepest = 50;
constexpr int kDeepestElement = 300;

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
    // Earlier versions have nested models in such names.
    const bool may_scope = ReadVersion(root) < std::vector<int>{1, 8};
    Search(root, MeshFiles(&packages_, document.folder()), may_scope);
  }

  SdfIncludes found() && { return std::move(found_); }

 private:
  void Search(const XmlElement& element, const MeshFiles& files,
              bool may_scope) {
    if (++depth_ > kDeepestElement) {
      element.Throw(fmt::format(
          "elements are nested more than {} deep, counted through the files "
          "that are included.",
          kDeepestElement));
    }
    for (const XmlElement& child : element.children()) {
      // Elements that are not of SDFormat have names of their own.
      const bool is_foreign = child.IsNamed("plugin") ||
                              child.name().find(':') != std::string_view::npos;
      const bool child_may_scope = may_scope || is_foreign;
      if (!child_may_scope) {
        RequireNoScope(child, child.Attribute("name").value_or(""));
      }
      if (child.IsNamed("include")) {
        Include(child, files, child_may_scope);
      } else {
        Search(child, files, child_may_scope);
      }
    }
    --depth_;
  }

  void Include(const XmlElement& include, const MeshFiles& files,
               bool may_scope) {
    const std::optional<XmlElement> name = include.Child("name");
    if (name.has_value() && !may_scope) RequireNoScope(*name, name->text());
    const std::string uri(include.RequiredChild("uri").text());
    const fs::path path = Resolve(include, uri, files);
    RequireNotHidden(include, uri, path);
    const auto [other, is_new] = found_.paths.try_emplace(uri, path);
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
    XmlDocument document = XmlDocument::FromFile(path);
    if (path.extension() == ".urdf") {
      const std::string_view merge = include.Attribute("merge").value_or("0");
      if (merge != "0" && merge != "false") {
        include.Throw("a URDF file cannot be merged; leave out 'merge'.");
      }
      found_.urdfs.try_emplace(path, std::move(document));
      return;
    }
    open_.push_back(path);
    Read(document);
    open_.pop_back();
    if (read_.insert(path).second) {
      found_.documents.push_back(std::move(document));
    }
  }

  // libsdformat looks in the present folder before it asks.
  static void RequireNotHidden(const XmlElement& include,
                               const std::string& uri, const fs::path& path) {
    std::error_code error;
    if (fs::path(uri).is_absolute() || !fs::exists(uri, error) ||
        fs::equivalent(uri, path, error) ||
        fs::equivalent(uri, path.parent_path(), error)) {  // A model's folder.
      return;
    }
    include.Throw(fmt::format(
        "'{}' is '{}', but there is one in the present folder as well, which "
        "libsdformat would take; give a URL.",
        uri, path.string()));
  }

  fs::path Resolve(const XmlElement& include, const std::string& uri,
                   const MeshFiles& files) const {
    try {
      fs::path path = files.ResolveFolderOrFile(uri);
      std::error_code error;
      if (fs::is_directory(path, error)) path = ModelFile(path);
      if (path.extension() != ".sdf" && path.extension() != ".urdf") {
        throw std::runtime_error(
            fmt::format("'{}' is neither .sdf nor .urdf; only those can be "
                        "included.",
                        path.string()));
      }
      return wyvern::internal::MakeCanonical("Parser", path);
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
  std::set<fs::path> read_;
  int num_includes_{0};
  int depth_{0};
};

}  // namespace

SdfIncludes FindSdfIncludes(const XmlDocument& document,
                            const PackageMap& packages) {
  IncludeFinder finder(packages);
  finder.Read(document);
  return std::move(finder).found();
}

}  // namespace wyvern::multibody::internal
