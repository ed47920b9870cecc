#include "wyvern/multibody/parsing/mjcf_document.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

namespace {

// As deep as elements of one file may be.
constexpr int kMostDepth = 100;

fs::path Canonical(const fs::path& file) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(file, error);
  return error ? file : result;
}

}  // namespace

MjcfDocument::MjcfDocument(const XmlDocument& main)
    : main_folder_(main.folder()), root_{main.root()} {
  if (!root_.IsNamed("mujoco")) {
    root_.element.Throw(
        fmt::format("the document is a <{}>; an MJCF document is a <mujoco>.",
                    root_.element.name()));
  }
  if (main_folder_.has_value()) {
    files_.push_back(
        Canonical(*main_folder_ / fs::path(main.source()).filename()));
  }
  Expand(&root_, main_folder_.value_or(fs::path()), 0);
}

void MjcfDocument::Expand(MjcfNode* node, const fs::path& folder, int depth) {
  if (depth > kMostDepth) {
    node->element.Throw(fmt::format(
        "with what is included, elements are nested more than {} deep.",
        kMostDepth));
  }
  for (const XmlElement& child : node->element.children()) {
    if (child.IsNamed("include")) {
      Include(child, folder, depth, &node->children);
    } else {
      Expand(&node->children.emplace_back(MjcfNode{child}), folder, depth + 1);
    }
  }
}

// Paths are relative to the main file or, if nothing is there, to the file that
// includes.
void MjcfDocument::Include(const XmlElement& include, const fs::path& folder,
                           int depth, std::vector<MjcfNode>* result) {
  const std::string name(include.RequiredAttribute("file"));
  if (!main_folder_.has_value() && fs::path(name).is_relative()) {
    include.Throw(fmt::format(
        "the file '{}' is relative to that of the model, but the model is in a "
        "string; give an absolute path.",
        name));
  }
  std::error_code error;
  fs::path file = main_folder_.value_or(fs::path()) / name;
  if (!fs::exists(file, error)) file = folder / name;
  if (!fs::exists(file, error)) {
    include.Throw(
        fmt::format("there is no file '{}' to include, which is '{}'.", name,
                    file.lexically_normal().string()));
  }
  if (std::ranges::find(files_, Canonical(file)) != files_.end()) {
    include.Throw(fmt::format(
        "'{}' is included a second time; a file may be there once.", name));
  }
  files_.push_back(Canonical(file));
  included_.push_back(
      std::make_unique<XmlDocument>(XmlDocument::FromFile(file)));
  MjcfNode top{included_.back()->root()};
  Expand(&top, file.parent_path(), depth);
  for (MjcfNode& child : top.children) result->push_back(std::move(child));
}

std::vector<const MjcfNode*> MjcfDocument::Sections(
    std::string_view section) const {
  std::vector<const MjcfNode*> result;
  for (const MjcfNode& child : root_.children) {
    if (child.IsNamed(section)) result.push_back(&child);
  }
  return result;
}

std::vector<const MjcfNode*> MjcfDocument::Contents(
    std::string_view section) const {
  std::vector<const MjcfNode*> result;
  for (const MjcfNode* const part : Sections(section)) {
    for (const MjcfNode& child : part->children) result.push_back(&child);
  }
  return result;
}

}  // namespace wyvern::multibody::internal
