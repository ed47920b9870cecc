/* A document is read from its root inwards. Where a model includes a file, that
file is read in its turn, with the chain of open files at hand, so that a file
within itself is an error. A model that is merged is read as any other; its
parts then move into the outer model, and a frame of their own, called
_merged__NAME__model__, takes the place of their model's frame. Elements that
neither have a name nor a frame are left to sdf_reader.cc. */

#include "wyvern/multibody/parsing/sdf_tree.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/parse_number.h"
#include "wyvern/multibody/parsing/sdf_flattened.h"
#include "wyvern/multibody/parsing/urdf_reader.h"
#include "wyvern/systems/common/file_paths.h"

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

namespace {

constexpr char kModelFrame[] = "__model__";
constexpr int kMostSdfIncludes = 1000;
constexpr std::size_t kDeepestSdfInclude = 50;
constexpr int kDeepestSdfModel = 300;

// The numbers of a version, as 1.9, which orders them.
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

// The attributes of elements that are read.
const std::set<std::string>* AttributesOf(std::string_view element) {
  static const std::map<std::string, std::set<std::string>, std::less<>> kKnown{
      {"sdf", {"version"}},
      {"world", {"name"}},
      {"model", {"name", "canonical_link", "placement_frame"}},
      {"include", {"merge"}},
      {"link", {"name"}},
      {"frame", {"name", "attached_to"}},
      {"joint", {"name", "type"}},
      {"pose", {"relative_to", "frame", "degrees", "rotation_format"}},
      {"inertial", {}},
      {"inertia", {}},
      {"mass", {}},
      {"visual", {"name"}},
      {"collision", {"name"}},
      {"geometry", {}},
      {"box", {}},
      {"sphere", {}},
      {"cylinder", {}},
      {"capsule", {}},
      {"ellipsoid", {}},
      {"cone", {}},
      {"plane", {}},
      {"mesh", {}},
      {"parent", {}},
      {"child", {}},
      {"axis", {}},
      {"axis2", {}},
      {"xyz", {"expressed_in"}},
      {"limit", {}},
      {"dynamics", {}},
      {"mimic", {"joint", "axis"}}};
  const auto found = kKnown.find(element);
  return found == kKnown.end() ? nullptr : &found->second;
}

void WarnOfOtherAttributes(const XmlElement& element, WarningLog* log) {
  const std::set<std::string>* const known = AttributesOf(element.name());
  if (known == nullptr) return;
  element.ExpectAttributesOf(*known, log);
  for (const XmlElement& child : element.children()) {
    WarnOfOtherAttributes(child, log);
  }
}

}  // namespace

std::string SdfScope::Describe() const {
  return is_world ? "this world" : fmt::format("model '{}'", name);
}

std::string SdfScope::FindCanonicalLink() const {
  if (!canonical_link.empty()) return canonical_link;
  if (urdf.has_value()) return urdf->links.at(0).name;
  if (!links.empty()) return links[0].name;
  return models.empty() ? "" : models[0]->name;
}

class SdfTree::Reader {
 public:
  Reader(SdfTree* tree, const PackageMap& packages, bool with_shapes,
         WarningLog* log)
      : tree_(*tree),
        packages_(packages),
        with_shapes_(with_shapes),
        log_(log) {}

  std::unique_ptr<SdfScope> ReadTop(const XmlDocument& document) {
    tree_.top_ = Open(document);
    const SdfElement root(document.root(), &tree_.top_);
    const auto models = ChildrenNamed(root, "model");
    const auto worlds = ChildrenNamed(root, "world");
    if (worlds.size() + (models.empty() ? 0 : 1) != 1) {
      root.Throw("the document must have one <model> or one <world>.");
    }
    auto result =
        worlds.empty() ? ReadModel(models[0], nullptr) : ReadWorld(worlds[0]);
    WarnOfMoreModels(models);
    return result;
  }

 private:
  static std::vector<SdfElement> ChildrenNamed(const SdfElement& element,
                                               std::string_view name) {
    std::vector<SdfElement> result = element.children();
    std::erase_if(result, [name](const SdfElement& child) {
      return child.name() != name;
    });
    return result;
  }

  void WarnOfMoreModels(const std::vector<SdfElement>& models) {
    for (std::size_t i = 1; i < models.size(); ++i) {
      models[i].Warn(
          "a second <model> in <sdf> is ignored; the first counts. Put models "
          "into a <world>.",
          log_);
    }
  }

  SdfFile Open(const XmlDocument& document) {
    const XmlElement root = document.root();
    if (!root.IsNamed("sdf")) {
      root.Throw(fmt::format(
          "the document is a <{}>; an SDFormat document is an <sdf>.",
          root.name()));
    }
    WarnOfOtherAttributes(root, log_);
    return {&document, ReadVersion(root)};
  }

  std::unique_ptr<SdfScope> ReadWorld(const SdfElement& element) {
    auto world = std::make_unique<SdfScope>(SdfScope{element});
    world->is_world = true;
    world->name = element.Attribute("name").value_or("");
    world->element = element.About(fmt::format("world '{}'", world->name));
    world->element.WarnOfOtherChildren(
        {"model", "include", "frame", "joint", "drake:joint",
         "drake:linear_bushing_rpy", "drake:linear_spring_damper",
         "drake:ball_constraint", "drake:collision_filter_group"},
        log_);
    ReadChildren(world.get());
    return world;
  }

  // `outer` is null for the root, and for a model that is in a file of its own.
  std::unique_ptr<SdfScope> ReadModel(const SdfElement& element,
                                      const SdfScope* outer) {
    auto model = std::make_unique<SdfScope>(SdfScope{element, outer});
    model->name = element.RequiredName();
    model->element = element.About(fmt::format("model '{}'", model->name));
    if (++depth_ > kDeepestSdfModel) {
      element.Throw(fmt::format(
          "models are nested more than {} deep, counted through the files "
          "that are included.",
          kDeepestSdfModel));
    }
    model->element.WarnOfOtherChildren(
        {"link", "joint", "frame", "model", "include", "pose", "static",
         "drake:joint", "drake:linear_bushing_rpy",
         "drake:linear_spring_damper", "drake:ball_constraint",
         "drake:collision_filter_group"},
        log_);
    model->is_static = element.Bool("static").value_or(false);
    model->pose = ReadSdfPose(element, log_);
    model->placement_frame = element.Attribute("placement_frame").value_or("");
    model->canonical_link = element.Attribute("canonical_link").value_or("");
    ReadChildren(model.get());
    NestFlattenedParts(model.get(), log_);
    RequireLinks(model.get());
    --depth_;
    return model;
  }

  void RequireLinks(SdfScope* model) {
    if (!model->links.empty() || !model->models.empty() || model->is_static) {
      return;
    }
    if (model->frames.empty() || !model->joints.empty()) {
      model->element.Throw(
          "there is no <link>; at least one link is wanted, unless the model "
          "is static.");
    }
    model->is_static = true;
    model->element.Warn(
        "there are frames and no links; the model is made static, and its "
        "frames are fixed in the world.",
        log_);
  }

  void ReadChildren(SdfScope* scope) {
    for (const SdfElement& child : scope->element.children()) {
      const std::string name = child.name();
      if (name == "include") {
        Include(child, scope);
      } else if (name == "model") {
        AddModel(ReadModel(child, scope), scope);
      } else if (name == "link" && !scope->is_world) {
        scope->links.push_back(ReadItem(child, *scope));
      } else if (name == "frame") {
        scope->frames.push_back(ReadItem(child, *scope));
      } else if (name == "joint") {
        scope->joints.push_back(ReadItem(child, *scope));
      } else if (child.IsExtension()) {
        scope->extensions.push_back({child.About(""), ""});
        scope->extensions.back().model_frame = ModelFrame(*scope);
      }
    }
  }

  static std::string ModelFrame(const SdfScope& scope) {
    return scope.is_world ? kWorldName : kModelFrame;
  }

  // A link, frame or joint; `attached_to` is the frame that it is fixed to.
  SdfItem ReadItem(const SdfElement& element, const SdfScope& scope) {
    const std::string name = element.RequiredName();
    if (scope.is_world) element.RequireValidName(name);
    SdfItem result{element.About(fmt::format("{} '{}'", element.name(), name)),
                   name};
    result.model_frame = ModelFrame(scope);
    result.attached_to = result.model_frame;
    if (element.name() == "frame") {
      const auto given = element.Attribute("attached_to");
      if (given.has_value() && !given->empty()) result.attached_to = *given;
    } else if (element.name() == "joint") {
      result.element.RequiredChild("parent");
      result.attached_to = result.element.RequiredChild("child").text();
    }
    result.pose = ReadSdfPose(result.element, log_);
    if (result.pose.relative_to.empty()) {
      result.pose.relative_to = result.attached_to;
    }
    return result;
  }

  static void AddModel(std::unique_ptr<SdfScope> model, SdfScope* scope) {
    model->outer = scope;
    if (model->pose.relative_to.empty()) {
      model->pose.relative_to = ModelFrame(*scope);
    }
    scope->models.push_back(std::move(model));
  }

  void Include(const SdfElement& include, SdfScope* scope) {
    include.WarnOfOtherChildren(
        {"uri", "name", "pose", "static", "placement_frame"}, log_);
    const std::string uri = include.RequiredChild("uri").text();
    const fs::path path = Resolve(include, uri);
    const bool is_merged = include.IsTrue("merge");
    if (std::ranges::find(open_, path) != open_.end()) {
      include.Throw(fmt::format("'{}' includes itself.", path.string()));
    }
    if (++num_includes_ > kMostSdfIncludes ||
        open_.size() >= kDeepestSdfInclude) {
      include.Throw(fmt::format(
          "more than {} files are included, or more than {} in each other.",
          kMostSdfIncludes, kDeepestSdfInclude));
    }
    if (path.extension() == ".urdf") {
      if (is_merged) {
        include.Throw("a URDF file cannot be merged; leave out 'merge'.");
      }
      auto model = ReadUrdfModel(include, path);
      Override(include, model.get());
      return AddModel(std::move(model), scope);
    }
    open_.push_back(path);
    auto model = ReadIncluded(include, path);
    open_.pop_back();
    if (model == nullptr) return;
    Override(include, model.get());
    if (is_merged) return Merge(include, std::move(model), scope);
    AddModel(std::move(model), scope);
  }

  // Null, with a warning, if the file has no model.
  std::unique_ptr<SdfScope> ReadIncluded(const SdfElement& include,
                                         const fs::path& path) {
    auto known = tree_.files_.find(path);
    if (known == tree_.files_.end()) {
      const auto document =
          tree_.documents_.try_emplace(path, XmlDocument::FromFile(path)).first;
      known = tree_.files_.emplace(path, Open(document->second)).first;
    }
    const SdfFile& file = known->second;
    const SdfElement root(file.document->root(), &file);
    const auto models = ChildrenNamed(root, "model");
    if (models.empty()) {
      include.Warn(
          fmt::format("'{}' has no <model> and is ignored.", path.string()),
          log_);
      return nullptr;
    }
    WarnOfMoreModels(models);
    return ReadModel(models[0], nullptr);
  }

  std::unique_ptr<SdfScope> ReadUrdfModel(const SdfElement& include,
                                          const fs::path& path) {
    auto found = urdfs_.find(path);
    if (found == urdfs_.end()) {
      const auto document = XmlDocument::FromFile(path);
      ParsedModel model =
          ReadUrdf(document, with_shapes_ ? &packages_ : nullptr, log_);
      if (model.links.empty())
        document.root().Throw("the robot has no <link>.");
      found = urdfs_.emplace(path, std::move(model)).first;
    }
    auto result = std::make_unique<SdfScope>(SdfScope{include});
    result->urdf = found->second;
    result->name = result->urdf->name;
    return result;
  }

  // Applies the values of an <include> that replace the model's.
  void Override(const SdfElement& include, SdfScope* model) {
    if (const auto name = include.Child("name")) {
      model->name = name->text();
      name->RequireValidName(model->name);
    }
    model->is_static = include.Bool("static").value_or(model->is_static);
    const bool has_pose = !ChildrenNamed(include, "pose").empty();
    if (has_pose) model->pose = ReadSdfPose(include, log_);
    if (const auto frame = include.Child("placement_frame")) {
      if (!has_pose) {
        frame->Throw("<placement_frame> needs a <pose>; add one.");
      }
      model->placement_frame = frame->text();
    }
  }

  // Moves what is in `model` into `scope`.
  void Merge(const SdfElement& include, std::unique_ptr<SdfScope> model,
             SdfScope* scope) {
    if (scope->is_world) {
      include.Throw(
          "a model cannot be merged into a <world>; leave out 'merge'.");
    }
    if (model->is_static && !scope->is_static) {
      include.Throw(fmt::format(
          "model '{}' is static and cannot be merged into one that is not; "
          "leave out 'merge'.",
          model->name));
    }
    SdfItem frame{include, fmt::format("_merged__{}__model__", model->name)};
    frame.pose = model->pose;
    if (frame.pose.relative_to.empty()) frame.pose.relative_to = kModelFrame;
    frame.placement_frame = model->placement_frame;
    frame.model_frame = kModelFrame;
    frame.attached_to = model->FindCanonicalLink();
    if (frame.attached_to.empty()) frame.attached_to = kModelFrame;
    if (frame.placement_frame == kModelFrame) frame.placement_frame.clear();
    const auto rename = [&frame](std::string* name) {
      if (*name == kModelFrame) *name = frame.name;
    };
    const auto move = [&](std::vector<SdfItem>* from,
                          std::vector<SdfItem>* to) {
      for (SdfItem& item : *from) {
        rename(&item.model_frame);
        rename(&item.pose.relative_to);
        rename(&item.attached_to);
        to->push_back(std::move(item));
      }
    };
    move(&model->links, &scope->links);
    move(&model->joints, &scope->joints);
    move(&model->frames, &scope->frames);
    move(&model->extensions, &scope->extensions);
    for (auto& inner : model->models) {
      rename(&inner->pose.relative_to);
      AddModel(std::move(inner), scope);
    }
    scope->frames.push_back(std::move(frame));
  }

  fs::path Resolve(const SdfElement& include, const std::string& uri) const {
    try {
      fs::path path =
          MeshFiles(&packages_, include.folder()).ResolveFolderOrFile(uri);
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
  fs::path ModelFile(const fs::path& folder) const {
    const auto config = XmlDocument::FromFile(Use(folder / "model.config"));
    std::string name;
    for (const XmlElement& child : config.root().children()) {
      if (child.IsNamed("sdf")) name = child.text();
    }
    if (name.empty()) config.root().Throw("no <sdf> names the model's file.");
    return Use(folder / name);
  }

  fs::path Use(const fs::path& file) const {
    FileRecord* const record = packages_.file_record();
    return record == nullptr ? file : record->Use(file);
  }

  SdfTree& tree_;
  const PackageMap& packages_;
  const bool with_shapes_;
  WarningLog* const log_;
  std::map<fs::path, ParsedModel> urdfs_;
  // The files that include the present one.
  std::vector<fs::path> open_;
  int num_includes_{0};
  int depth_{0};
};

SdfTree::SdfTree(const XmlDocument& document, const PackageMap& packages,
                 bool with_shapes, WarningLog* log)
    : root_(Reader(this, packages, with_shapes, log).ReadTop(document)) {}

SdfTree::~SdfTree() = default;

}  // namespace wyvern::multibody::internal
