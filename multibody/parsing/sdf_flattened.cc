// Before SDFormat 1.8, programs wrote a model with models in it as one flat
// model and put the inner model's name before the names of its parts:
// "arm::hand". Such parts move into models of their own here, outer scopes
// first; references among them lose the prefix, and those from outside already
// have the form "model::name". The pose of an inner model is that of the frame
// "arm::__model__" or, if there is none, the outer model's.
#include "wyvern/multibody/parsing/sdf_flattened.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace wyvern::multibody::internal {

namespace {

constexpr char kScopeEnd[] = "::";
constexpr char kOwnFrame[] = "__model__";
constexpr int kDeepestFlattenedModel = 300;

/** Makes the models that the names of one model's parts tell of. */
class Nester {
 public:
  Nester(SdfScope* model, int depth, WarningLog* log)
      : model_(*model), depth_(depth), log_(log) {}

  void Nest() {
    Move(&SdfScope::links);
    Move(&SdfScope::frames);
    Move(&SdfScope::joints);
    for (const auto& [name, inner] : made_) Finish(inner);
  }

 private:
  void Move(std::vector<SdfItem> SdfScope::*items) {
    std::vector<SdfItem>& from = model_.*items;
    const auto first_moved = std::stable_partition(
        from.begin(), from.end(), [](const SdfItem& item) {
          return item.name.find(kScopeEnd) == std::string::npos;
        });
    std::vector<SdfItem> moved(std::make_move_iterator(first_moved),
                               std::make_move_iterator(from.end()));
    from.erase(first_moved, from.end());
    for (SdfItem& item : moved) {
      const std::size_t end = item.name.find(kScopeEnd);
      const std::string scope = item.name.substr(0, end);
      item.name.erase(0, end + 2);
      SdfScope* const inner = MakeModel(scope, item.element);
      if (item.name == kOwnFrame && item.element.name() == "frame") {
        inner->pose = item.pose;
        continue;
      }
      if (item.name.find(kScopeEnd) == std::string::npos) {
        item.element.RequireValidName(item.name);
      }
      item.outer_prefix += scope + kScopeEnd;
      (inner->*items).push_back(std::move(item));
    }
  }

  SdfScope* MakeModel(const std::string& name, const SdfElement& by) {
    const auto known = made_.find(name);
    if (known != made_.end()) return known->second;
    by.RequireValidName(name);
    if (std::ranges::any_of(model_.models, [&name](const auto& other) {
          return other->name == name;
        })) {
      by.Throw(
          fmt::format("there is already a model '{}' in {}; names must be "
                      "unique.",
                      name, model_.Describe()));
    }
    if (depth_ >= kDeepestFlattenedModel) {
      by.Throw(
          fmt::format("models are nested more than {} deep by their "
                      "names.",
                      kDeepestFlattenedModel));
    }
    auto inner = std::make_unique<SdfScope>(SdfScope{model_.element, &model_});
    inner->name = name;
    inner->pose.relative_to = kOwnFrame;
    by.Warn(fmt::format("names that begin with '{}::' are those of a model "
                        "'{}' in {}.",
                        name, name, model_.Describe()),
            log_);
    made_[name] = inner.get();
    model_.models.push_back(std::move(inner));
    return made_[name];
  }

  // Names of the inner model lose its prefix.
  void Finish(SdfScope* inner) {
    const std::string prefix = inner->name + kScopeEnd;
    for (auto* items : {&inner->links, &inner->frames, &inner->joints}) {
      for (SdfItem& item : *items) {
        RequireOwnFrame(item, *inner);
        for (std::string* name : {&item.pose.relative_to, &item.attached_to}) {
          if (name->starts_with(prefix)) name->erase(0, prefix.size());
        }
      }
    }
    Nester(inner, depth_ + 1, log_).Nest();
    if (inner->links.empty() && inner->models.empty()) {
      inner->element.Throw(fmt::format(
          "there is no link of model '{}', which names in {} begin with.",
          inner->name, model_.Describe()));
    }
  }

  // The frame of the outer model has no name in the inner one.
  void RequireOwnFrame(const SdfItem& item, const SdfScope& inner) const {
    const bool is_elsewhere = inner.pose.relative_to != kOwnFrame ||
                              !inner.pose.X.IsExactlyIdentity();
    const bool is_posed_outside =
        is_elsewhere && item.pose.relative_to == kOwnFrame;
    const bool is_attached_outside =
        item.element.name() == "frame" && item.attached_to == kOwnFrame;
    if (!is_posed_outside && !is_attached_outside) return;
    item.element.Throw(
        fmt::format("it is {} the frame of {}; give the frame '{}__model__'.",
                    is_posed_outside ? "posed in" : "attached to",
                    model_.Describe(), item.outer_prefix));
  }

  SdfScope& model_;
  const int depth_;
  WarningLog* const log_;
  std::map<std::string, SdfScope*> made_;
};

}  // namespace

void NestFlattenedParts(SdfScope* model, WarningLog* log) {
  if (model->element.IsOlderThan(8)) Nester(model, 0, log).Nest();
}

}  // namespace wyvern::multibody::internal
