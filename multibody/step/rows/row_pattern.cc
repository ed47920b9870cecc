#include "wyvern/multibody/step/rows/row_pattern.h"

#include <algorithm>

namespace wyvern::multibody::internal {

void RowPattern::Reset(const dynamics::Model& model,
                       std::span<const Vector2<int>> nodes) {
  num_rows_ = static_cast<int>(nodes.size());
  bundles_.clear();
  for (int r = 0; r < num_rows_; ++r) {
    if (r > 0 && nodes[r - 1] == nodes[r]) {
      ++bundles_.back().count;
    } else {
      bundles_.push_back({nodes[r], r, 1});
    }
  }
  of_v_.assign(model.num_v, {});
  for (const Bundle& bundle : bundles_) {
    const int last = bundle.first + bundle.count;
    for (int node : bundle.nodes) {
      for (; node > 0; node = model.nodes[node].parent) {
        const dynamics::Model::Node& n = model.nodes[node];
        for (int k = n.v_start; k < n.v_start + n.nv; ++k) {
          Extent& extent = of_v_[k];
          if (extent.last == 0) extent.first = bundle.first;
          extent.first = std::min(extent.first, bundle.first);
          extent.last = std::max(extent.last, last);
        }
      }
    }
  }
  pieces_.clear();
  for (int k = 0; k < model.num_v; ++k) {
    const Extent& own = of_v_[k];
    if (own.last == 0) continue;
    const bool goes_on = !pieces_.empty() && pieces_.back().end == k &&
                         pieces_.back().first == own.first &&
                         pieces_.back().last == own.last;
    if (goes_on) {
      ++pieces_.back().end;
    } else {
      pieces_.push_back({k, k + 1, own.first, own.last});
    }
  }
}

}  // namespace wyvern::multibody::internal
