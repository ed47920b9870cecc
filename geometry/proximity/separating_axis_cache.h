#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include "wyvern/geometry/proximity/aabb_tree.h"

namespace wyvern::geometry::internal {

/** Directions along which pairs were apart in the last query. Most pairs are
apart along the same one in the next, which one support point of each shape
shows (AreApartAlong()); they spare a search, and change no result. */
class SeparatingAxisCache {
 public:
  /** Starts a query: the gaps kept by the last query are known now. Keeping up
  to `num_pairs` allocates nothing more. */
  void StartQuery(size_t num_pairs) {
    if (!kept_.empty()) known_.swap(kept_);
    kept_.clear();
    known_.reserve(num_pairs);
    kept_.reserve(num_pairs);
    next_ = 0;
  }
  /** The unit direction that is known for a pair, in the world, or null. Pairs
  are asked for in increasing order, or some are not found. */
  const Eigen::Vector3d* Find(const IndexPair& pair) {
    while (next_ < known_.size() && known_[next_].pair < pair) ++next_;
    const bool is_found = next_ < known_.size() && !(pair < known_[next_].pair);
    return is_found ? &known_[next_].u_W : nullptr;
  }
  void Keep(const IndexPair& pair, const Eigen::Vector3d& u_W) {
    kept_.push_back({pair, u_W});
  }

 private:
  struct Gap {
    IndexPair pair;
    Eigen::Vector3d u_W;
  };
  std::vector<Gap> known_;
  std::vector<Gap> kept_;
  size_t next_{0};
};

}  // namespace wyvern::geometry::internal
