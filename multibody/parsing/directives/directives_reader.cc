#include "wyvern/multibody/parsing/directives/directives_reader.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/tree/scoped_name.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/yaml/yaml_io.h"

/* Documents of directives, and the flat list that they and the documents they
include come to. The typed reader of systems/yaml reads the fields; the
places of the directives come from the nodes beside it. Includes are followed
with the chain of open files at hand, so that a file within itself is an
error, and with bounds, as files that include each other twice grow without
end. */

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;
using parsing::AddCollisionFilterGroup;
using parsing::AddFrame;
using parsing::AddModel;
using parsing::ModelDirective;

namespace {

constexpr std::size_t kMostDirectives = 100'000;
constexpr int kMostFiles = 10'000;
constexpr std::size_t kDeepestInclude = 32;

void RequireValid(const PlacedDirectives& placed) {
  for (std::size_t i = 0; i < placed.places.size(); ++i) {
    const std::string fault = placed.directives.directives[i].WhyInvalid();
    if (!fault.empty()) {
      throw std::runtime_error(fmt::format("{}: {}", placed.places[i], fault));
    }
  }
}

std::string Scoped(const std::string& scope, const std::string& name) {
  if (name == "world") return name;
  return ScopedName::Join(scope, name).to_string();
}

void Scope(const std::string& scope, std::vector<std::string>* names) {
  for (std::string& name : *names) name = Scoped(scope, name);
}

void Scope(const std::string& scope, schema::Transform* X) {
  if (X->base_frame.has_value()) X->base_frame = Scoped(scope, *X->base_frame);
}

void Scope(const std::string& scope, AddFrame* frame) {
  Scope(scope, &frame->X_PF);
  const bool is_scoped = frame->name.find("::") != std::string::npos;
  if (is_scoped) {
    frame->name = Scoped(scope, frame->name);
    return;
  }
  // The new frame belongs to the model instance of its base frame.
  const ScopedName base = ScopedName::Parse(*frame->X_PF.base_frame);
  frame->name = ScopedName::Join(base.get_namespace(), frame->name).to_string();
}

void Scope(const std::string& scope, AddCollisionFilterGroup* group) {
  const std::string own =
      ScopedName::Join(scope, group->model_namespace.value_or("")).to_string();
  Scope(own, &group->members);
  Scope(scope, &group->member_groups);
  Scope(scope, &group->ignored_collision_filter_groups);
  group->name = ScopedName::Join(own, group->name).to_string();
  group->model_namespace.reset();
}

void Scope(const std::string& scope, ModelDirective* d) {
  if (d->add_model) {
    d->add_model->name = Scoped(scope, d->add_model->name);
    for (auto& [name, pose] : d->add_model->default_free_body_pose) {
      Scope(scope, &pose);
    }
  }
  if (d->add_model_instance) {
    d->add_model_instance->name = Scoped(scope, d->add_model_instance->name);
  }
  if (d->add_frame) Scope(scope, &*d->add_frame);
  if (d->add_weld) {
    d->add_weld->parent = Scoped(scope, d->add_weld->parent);
    d->add_weld->child = Scoped(scope, d->add_weld->child);
  }
  if (d->add_collision_filter_group) {
    Scope(scope, &*d->add_collision_filter_group);
  }
}

class Flattener {
 public:
  explicit Flattener(const PackageMap& packages) : packages_(packages) {}

  void Add(const PlacedDirectives& placed, const std::string& scope) {
    const MeshFiles files(&packages_, placed.folder);
    for (std::size_t i = 0; i < placed.places.size(); ++i) {
      place_ = placed.places[i];
      const ModelDirective& directive = placed.directives.directives[i];
      if (directive.add_directives.has_value()) {
        Include(*directive.add_directives, files, scope);
        continue;
      }
      if (flat_.size() == kMostDirectives) {
        Throw(fmt::format("there are more than {} directives; use fewer.",
                          kMostDirectives));
      }
      flat_.push_back({directive, place_, scope});
      Scope(scope, &flat_.back().directive);
      if (directive.add_model.has_value()) {
        std::string& file = flat_.back().directive.add_model->file;
        flat_.back().model_path = Resolve(files, file);
        const bool is_url = file.find("://") != file.npos;
        if (!is_url) file = flat_.back().model_path;
      }
    }
  }

  std::vector<FlatDirective> TakeFlat() { return std::move(flat_); }

 private:
  [[noreturn]] void Throw(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: {}", place_, what));
  }

  std::string Resolve(const MeshFiles& files, const std::string& uri) const {
    try {
      return wyvern::internal::MakeAbsolute("Parser", files.Resolve(uri))
          .string();
    } catch (const std::runtime_error& error) {
      Throw(error.what());
    }
  }

  void Include(const parsing::AddDirectives& include, const MeshFiles& files,
               const std::string& scope) {
    const std::string file =
        wyvern::internal::MakeCanonical("Parser", Resolve(files, include.file))
            .string();
    if (std::ranges::find(open_, file) != open_.end()) {
      Throw(
          fmt::format("the file '{}' includes itself, by [{}]; leave an "
                      "add_directives out.",
                      file, fmt::join(open_, ", ")));
    }
    if (open_.size() == kDeepestInclude || ++num_files_ > kMostFiles) {
      Throw(
          fmt::format("files include each other more than {} deep, or {} "
                      "times; make the scene of fewer files.",
                      kDeepestInclude, kMostFiles));
    }
    open_.push_back(file);
    Add(ReadDirectivesFile(file),
        Scoped(scope, include.model_namespace.value_or("")));
    open_.pop_back();
  }

  const PackageMap& packages_;
  std::vector<FlatDirective> flat_;
  std::string place_;
  std::vector<std::string> open_;
  int num_files_{0};
};

}  // namespace

PlacedDirectives ReadDirectivesText(const std::string& text,
                                    const std::string& source) {
  PlacedDirectives result;
  const yaml::LoadYamlOptions options{.allow_cpp_with_no_yaml = true};
  const yaml::internal::NodePtr root = yaml::internal::Parse(text, source);
  yaml::internal::Read(yaml::internal::Place(&source, &options), *root,
                       &result.directives);
  if (const auto* list = root->Find("directives")) {
    for (const yaml::internal::NodePtr& item : list->items) {
      result.places.push_back(
          fmt::format("{}:{}", source, yaml::internal::ToString(item->spot)));
    }
  }
  RequireValid(result);
  return result;
}

PlacedDirectives ReadDirectivesFile(const fs::path& file) {
  PlacedDirectives result = ReadDirectivesText(
      yaml::internal::ReadFile(file.string()), file.string());
  result.folder = wyvern::internal::MakeAbsolute("Parser", file).parent_path();
  return result;
}

PlacedDirectives PlaceDirectives(const parsing::ModelDirectives& directives) {
  PlacedDirectives result{directives, {}, {}};
  for (std::size_t i = 0; i < directives.directives.size(); ++i) {
    result.places.push_back(fmt::format("directives[{}]", i));
  }
  RequireValid(result);
  return result;
}

std::vector<FlatDirective> Flatten(const PlacedDirectives& directives,
                                   const PackageMap& packages,
                                   const std::string& scope) {
  Flattener flattener(packages);
  flattener.Add(directives, scope);
  return flattener.TakeFlat();
}

}  // namespace wyvern::multibody::internal
