#include "wyvern/geometry/proximity/broad_phase.h"

#include <algorithm>
#include <cmath>

namespace wyvern::geometry::internal {
namespace {

// Up to so many boxes are compared each with each, which is less work than a
// tree of them.
constexpr size_t kFewBoxes = 24;

std::span<const int> ThoseInTree(const std::vector<int>& moving) {
  if (moving.size() <= kFewBoxes) return {};
  return moving;
}

void AddPairsOfFew(const std::vector<int>& moving,
                   const std::vector<Aabb>& boxes,
                   std::vector<IndexPair>* pairs) {
  if (moving.size() > kFewBoxes) return;
  for (size_t k = 1; k < moving.size(); ++k) {
    const Aabb& box = boxes[moving[k]];
    for (size_t j = 0; j < k; ++j) {
      if (Overlap(boxes[moving[j]], box)) {
        pairs->push_back({moving[j], moving[k]});
      }
    }
  }
}

}  // namespace

void BroadPhase::UpdateTrees(const BroadPhaseModel& model,
                             const std::vector<Aabb>& boxes) {
  // An unbounded margin leaves no cost to compare with.
  if (model.version != version_ || !std::isfinite(cost_when_built_)) {
    version_ = model.version;
    anchored_.Build(model.anchored, boxes);
    moving_.Build(ThoseInTree(model.moving), boxes);
    cost_when_built_ = moving_.cost();
    return;
  }
  // A tree whose boxes have grown much into each other is built anew.
  anchored_.Refit(boxes);
  moving_.Refit(boxes);
  constexpr double kWorse = 1.5;
  if (moving_.cost() > kWorse * cost_when_built_) {
    moving_.Build(ThoseInTree(model.moving), boxes);
    cost_when_built_ = moving_.cost();
  }
}

void BroadPhase::FindPairs(const BroadPhaseModel& model,
                           const std::vector<Aabb>& boxes,
                           std::span<const HalfSpaceBound> bounds,
                           std::vector<IndexPair>* pairs) {
  UpdateTrees(model, boxes);
  pairs->clear();
  moving_.AddSelfOverlaps(boxes, pairs);
  AddPairsOfFew(model.moving, boxes, pairs);
  if (!model.anchored.empty()) {
    for (const int i : model.moving) anchored_.AddOverlaps(boxes, i, pairs);
  }
  for (size_t k = 0; k < model.unbounded.size(); ++k) {
    for (const auto* bounded : {&model.moving, &model.anchored}) {
      for (const int i : *bounded) {
        if (bounds[k].MayMeet(boxes[i])) {
          pairs->push_back({model.unbounded[k], i});
        }
      }
    }
    for (size_t j = 0; j < k; ++j) {
      pairs->push_back({model.unbounded[j], model.unbounded[k]});
    }
  }
  for (IndexPair& pair : *pairs) {
    if (pair.b < pair.a) std::swap(pair.a, pair.b);
  }
  std::sort(pairs->begin(), pairs->end());
}

}  // namespace wyvern::geometry::internal
