#pragma once

#include <span>
#include <utility>
#include <vector>

namespace wyvern::geometry::internal {

/** A symmetric table of excluded pairs of items, which are numbers from 0.

Items that no statement has told apart share a class, and the table stores pairs
of classes: statements about whole bodies cost no more than the bodies have
items. An item is not a pair with itself. */
class PairTable {
 public:
  /** Items of each class, and the pairs of classes (places in `classes`, the
  less one first) whose items are excluded. */
  struct Content {
    std::vector<std::vector<int>> classes;
    std::vector<std::pair<int, int>> excluded;
  };

  /** Adds an item, with no pair excluded. It is not in the table. */
  void Add(int item);
  /** Removes an item that is in the table. */
  void Remove(int item);
  /** Excludes or allows all pairs of an item of `A` and one of `B`, all of
  which are in the table. Costs O(n log n) for n = |A| + |B|, and the pairs of
  classes that this changes. */
  void Set(std::span<const int> A, std::span<const int> B, bool exclude);
  /** Replaces the content. Each item is in the table, and in at most one
  class. */
  void SetContent(const Content& content);
  /** Returns the classes with an excluded pair, in the order of their first
  items, which are in increasing order. */
  Content GetContent() const;

  /** Returns whether the pair of two items in the table is excluded. */
  bool IsExcluded(int a, int b) const {
    const Classes& of_a = neighbours_[class_of_[a]];
    return !of_a.empty() && Contains(of_a, class_of_[b]);
  }

 private:
  // Classes in increasing order.
  using Classes = std::vector<int>;
  // Where an item is in a statement: in A, in B, or in both.
  enum Side { kNone = 0, kInA = 1, kInB = 2 };
  struct Touched {
    int item;
    int side;
  };

  static bool Contains(const Classes& classes, int one);
  static void Insert(int one, Classes* classes);
  static void Erase(int one, Classes* classes);
  int NewClass();
  int CopyClass(int original);
  void FreeClass(int one);
  void Link(int a, int b, bool exclude);
  // Makes the items of each side the whole of their classes.
  void Split(const std::vector<Touched>& touched);
  // Returns the classes of the items that are on one of the sides.
  Classes ListClasses(const std::vector<Touched>& touched, int sides) const;
  // Removes the pairs of a statement, and merges the classes that are alike
  // without them.
  void UnlinkAndMerge(const std::vector<Touched>& touched);

  // By item; -1 if it is not in the table. Class 0 has the items that no
  // statement named; no pair of it is excluded, and it is there always.
  std::vector<int> class_of_;
  // By class.
  std::vector<int> size_{0};
  std::vector<Classes> neighbours_{Classes()};
  std::vector<int> free_classes_;
};

}  // namespace wyvern::geometry::internal
