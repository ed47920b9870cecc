#include "wyvern/multibody/fem/dissection.h"

#include <algorithm>
#include <span>

namespace wyvern::multibody::fem::internal {
namespace {

// So few vertices are as good in any order.
constexpr int kFew = 8;

class Dissection {
 public:
  explicit Dissection(const BlockPattern& pattern)
      : pattern_(pattern), side_(pattern.num_vertices(), 0) {}

  // Cuts where the part is longest, near the middle of its vertices.
  void Order(std::span<int> part) {
    if (part.size() <= kFew) return;
    const int axis = FindLongestAxis(part);
    const auto coordinate = [this, axis](int v) {
      return pattern_.positions()[3 * v + axis];
    };
    std::ranges::sort(part, [&coordinate](int a, int b) {
      const double x = coordinate(a), y = coordinate(b);
      return x < y || (x == y && a < b);
    });
    // Not through vertices side by side, if others are near.
    const int n = static_cast<int>(part.size());
    const double small =
        1e-6 * (coordinate(part.back()) - coordinate(part.front()));
    const auto is_gap = [&](int k) {
      return coordinate(part[k]) - coordinate(part[k - 1]) > small;
    };
    int cut = n / 2;
    for (int k = 0; k < n / 2 - 1; ++k) {
      if (is_gap(n / 2 - k)) {
        cut = n / 2 - k;
        break;
      }
      if (is_gap(n / 2 + k)) {
        cut = n / 2 + k;
        break;
      }
    }
    for (int k = 0; k < n; ++k) side_[part[k]] = k < cut ? 1 : 2;
    // The larger side gives up its vertices with neighbours beyond the cut.
    const bool is_first = cut > n - cut;
    const std::span<int> larger =
        is_first ? part.first(cut) : part.subspan(cut);
    const char other = is_first ? 2 : 1;
    const auto separators =
        std::ranges::stable_partition(larger, [this, other](int v) {
          return std::ranges::none_of(pattern_.neighbours(v),
                                      [this, other](const auto& neighbour) {
                                        return side_[neighbour.vertex] == other;
                                      });
        });
    const int num_separators = static_cast<int>(separators.size());
    for (const int v : part) side_[v] = 0;
    if (is_first) {
      std::rotate(part.begin() + (cut - num_separators), part.begin() + cut,
                  part.end());
      cut -= num_separators;
    }
    Order(part.first(cut));
    Order(part.subspan(cut, n - num_separators - cut));
  }

 private:
  int FindLongestAxis(std::span<const int> part) const {
    Eigen::Vector3d low = pattern_.positions().segment<3>(3 * part[0]);
    Eigen::Vector3d high = low;
    for (const int v : part) {
      low = low.cwiseMin(pattern_.positions().segment<3>(3 * v));
      high = high.cwiseMax(pattern_.positions().segment<3>(3 * v));
    }
    int axis;
    (high - low).maxCoeff(&axis);
    return axis;
  }

  const BlockPattern& pattern_;
  std::vector<char> side_;  // Of the part at work.
};

}  // namespace

void OrderByDissection(const BlockPattern& pattern,
                       std::vector<int>* vertices) {
  Dissection(pattern).Order(*vertices);
}

}  // namespace wyvern::multibody::fem::internal
