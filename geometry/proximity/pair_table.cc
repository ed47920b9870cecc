#include "wyvern/geometry/proximity/pair_table.h"

#include <algorithm>
#include <map>
#include <unordered_map>

/* Partition refinement: a statement (A, B) splits each class into the items in
neither set, in A, in B and in both; then every class is wholly on one side,
and pairs of classes are linked. After a statement over many classes those
that it has made alike are merged again: two classes of one side are alike if
they have the same neighbours. Because links are symmetric, this compares the
pairs within each and between the two as well. Excluding all pairs of n items
thus takes one link, whatever was excluded among them before. */

namespace wyvern::geometry::internal {

bool PairTable::Contains(const Classes& classes, int one) {
  return std::ranges::binary_search(classes, one);
}

void PairTable::Insert(int one, Classes* classes) {
  const auto place = std::ranges::lower_bound(*classes, one);
  if (place == classes->end() || *place != one) classes->insert(place, one);
}

void PairTable::Erase(int one, Classes* classes) {
  const auto place = std::ranges::lower_bound(*classes, one);
  if (place != classes->end() && *place == one) classes->erase(place);
}

void PairTable::Add(int item) {
  if (item >= static_cast<int>(class_of_.size())) {
    class_of_.resize(item + 1, -1);
  }
  class_of_[item] = 0;
  ++size_[0];
}

void PairTable::Remove(int item) {
  const int owner = class_of_[item];
  class_of_[item] = -1;
  if (--size_[owner] == 0) FreeClass(owner);
}

int PairTable::NewClass() {
  if (!free_classes_.empty()) {
    const int one = free_classes_.back();
    free_classes_.pop_back();
    return one;
  }
  size_.push_back(0);
  neighbours_.emplace_back();
  return static_cast<int>(size_.size()) - 1;
}

int PairTable::CopyClass(int original) {
  const int copy = NewClass();
  const bool is_own_neighbour = Contains(neighbours_[original], original);
  neighbours_[copy] = neighbours_[original];
  for (const int other : neighbours_[original]) {
    if (other != original) Insert(copy, &neighbours_[other]);
  }
  if (is_own_neighbour) {
    Insert(copy, &neighbours_[original]);
    Insert(copy, &neighbours_[copy]);
  }
  return copy;
}

void PairTable::FreeClass(int one) {
  if (one == 0) return;
  for (const int other : neighbours_[one]) {
    if (other != one) Erase(one, &neighbours_[other]);
  }
  neighbours_[one].clear();
  free_classes_.push_back(one);
}

void PairTable::Link(int a, int b, bool exclude) {
  const auto change = exclude ? &PairTable::Insert : &PairTable::Erase;
  change(b, &neighbours_[a]);
  change(a, &neighbours_[b]);
}

void PairTable::Split(const std::vector<Touched>& touched) {
  // By class and side. Items that follow each other are mostly of one class.
  std::map<std::pair<int, int>, int> count;
  std::pair<int, int> key;
  int* number = nullptr;
  for (const auto& [item, side] : touched) {
    const std::pair here(class_of_[item], side);
    if (number == nullptr || here != key) number = &count[key = here];
    ++*number;
  }
  std::map<std::pair<int, int>, int> target;
  for (const auto& [from, size] : count) {
    const int owner = from.first;
    const bool is_whole = owner != 0 && size == size_[owner];
    if (!is_whole) target[from] = CopyClass(owner);
  }
  if (target.empty()) return;
  for (const auto& [item, side] : touched) {
    const auto found = target.find({class_of_[item], side});
    if (found == target.end()) continue;
    --size_[class_of_[item]];
    class_of_[item] = found->second;
    ++size_[found->second];
  }
  int last = 0;
  for (const auto& [from, size] : count) {
    const int owner = from.first;
    if (owner != last && size_[owner] == 0) FreeClass(owner);
    last = owner;
  }
}

namespace {

// Whether a statement is about the pairs of these two sides.
bool AreOpposite(int side_a, int side_b) {
  return ((side_a & 1) != 0 && (side_b & 2) != 0) ||
         ((side_a & 2) != 0 && (side_b & 1) != 0);
}

}  // namespace

PairTable::Classes PairTable::ListClasses(const std::vector<Touched>& touched,
                                          int sides) const {
  Classes result;
  for (const auto& [item, side] : touched) {
    if ((side & sides) != 0) result.push_back(class_of_[item]);
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void PairTable::UnlinkAndMerge(const std::vector<Touched>& touched) {
  std::unordered_map<int, int> side_of_class;
  for (const auto& [item, side] : touched) {
    side_of_class[class_of_[item]] = side;
  }
  std::map<std::pair<int, Classes>, int> first;
  std::unordered_map<int, int> merged;
  const Classes classes = ListClasses(touched, kInA | kInB);
  for (const int one : classes) {
    const int side = side_of_class.at(one);
    std::erase_if(neighbours_[one], [&](int other) {
      const auto found = side_of_class.find(other);
      return found != side_of_class.end() && AreOpposite(side, found->second);
    });
  }
  for (const int one : classes) {
    const std::pair key(side_of_class.at(one), neighbours_[one]);
    merged[one] = first.try_emplace(key, one).first->second;
  }
  for (const auto& [item, side] : touched) {
    const int from = class_of_[item];
    const int to = merged.at(from);
    if (from == to) continue;
    class_of_[item] = to;
    ++size_[to];
    if (--size_[from] == 0) FreeClass(from);
  }
}

void PairTable::Set(std::span<const int> A, std::span<const int> B,
                    bool exclude) {
  std::vector<Touched> touched;
  touched.reserve(A.size() + B.size());
  for (const int item : A) touched.push_back({item, kInA});
  for (const int item : B) touched.push_back({item, kInB});
  std::ranges::sort(touched, {}, &Touched::item);
  size_t kept = 0;
  for (size_t i = 0; i < touched.size(); ++i) {
    if (kept > 0 && touched[kept - 1].item == touched[i].item) {
      touched[kept - 1].side |= touched[i].side;
    } else {
      touched[kept++] = touched[i];
    }
  }
  touched.resize(kept);
  Split(touched);
  Classes of_A = ListClasses(touched, kInA);
  Classes of_B = ListClasses(touched, kInB);
  if (of_A.size() * of_B.size() > touched.size() + 16) {
    UnlinkAndMerge(touched);
    if (!exclude) return;
    of_A = ListClasses(touched, kInA);
    of_B = ListClasses(touched, kInB);
  }
  for (const int a : of_A) {
    for (const int b : of_B) Link(a, b, exclude);
  }
}

PairTable::Content PairTable::GetContent() const {
  Content content;
  std::vector<int> place(size_.size(), -1);
  for (size_t item = 0; item < class_of_.size(); ++item) {
    const int owner = class_of_[item];
    if (owner < 0 || neighbours_[owner].empty()) continue;
    if (place[owner] < 0) {
      place[owner] = static_cast<int>(content.classes.size());
      content.classes.emplace_back();
    }
    content.classes[place[owner]].push_back(static_cast<int>(item));
  }
  for (size_t a = 0; a < size_.size(); ++a) {
    for (const int b : neighbours_[a]) {
      if (place[a] > place[b]) continue;
      content.excluded.emplace_back(place[a], place[b]);
    }
  }
  std::ranges::sort(content.excluded);
  return content;
}

void PairTable::SetContent(const Content& content) {
  size_.assign(1, 0);
  neighbours_.assign(1, {});
  free_classes_.clear();
  for (int& owner : class_of_) {
    if (owner < 0) continue;
    owner = 0;
    ++size_[0];
  }
  // Class k + 1 is content.classes[k].
  for (const std::vector<int>& items : content.classes) {
    const int one = NewClass();
    for (const int item : items) {
      --size_[class_of_[item]];
      class_of_[item] = one;
      ++size_[one];
    }
  }
  for (const auto& [a, b] : content.excluded) {
    if (size_[a + 1] > 0 && size_[b + 1] > 0) Link(a + 1, b + 1, true);
  }
  for (size_t one = size_.size() - 1; one > 0; --one) {
    if (size_[one] == 0) free_classes_.push_back(static_cast<int>(one));
  }
}

}  // namespace wyvern::geometry::internal
