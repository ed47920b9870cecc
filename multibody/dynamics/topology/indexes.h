#pragma once

/** @file
The three spaces that bodies are numbered in, below the BodyIndex of
those who add them. A number of one space is not taken where one of another is
wanted; all are read as plain integers. */

#include <vector>

#include "wyvern/systems/common/type_safe_index.h"

namespace wyvern::multibody {

class BodyNodeTag;

namespace dynamics {

/** A link of a LinkJointGraph, in the order added: the BodyIndex, and after the
last of them the shadows of loops that are cut. 0 is the world. */
using LinkIndex = TypeSafeIndex<class LinkTag>;
/** A body of a SpanningForest and of the Model made from it, depth first; the
user's name for it is BodyNodeIndex. 0 is the world. */
using MobodIndex = TypeSafeIndex<BodyNodeTag>;
/** A body and all that is welded to it outboard, in the same order. 0 is the
world and what is welded to it. */
using NodeIndex = TypeSafeIndex<class NodeTag>;

/** An index of one kind as a parameter, which takes plain integers too, in
loops over all of them; another kind of index does not compile. */
template <class Index>
class IndexArgument {
 public:
  /** Takes a plain integer. */
  constexpr IndexArgument(int value) : value_(value) {}  // NOLINT
  /** Takes an index of the kind wanted. */
  constexpr IndexArgument(Index index) : value_(index) {}  // NOLINT
  template <class Tag>
  constexpr IndexArgument(TypeSafeIndex<Tag> index) = delete;

  /** Returns the integer. */
  constexpr operator int() const { return value_; }  // NOLINT

 private:
  int value_;
};
/** The index of a body as an argument, or a plain integer. */
using MobodArgument = IndexArgument<MobodIndex>;

/** Values by one kind of index. Plain integers go too, in loops over all of
them; another kind of index does not compile. */
template <class Index, class Value>
class IndexedVector : public std::vector<Value> {
  using Base = std::vector<Value>;

 public:
  using Base::Base;

  /** Returns the value of an index or a plain integer; none of the four checks
  it. */
  Value& operator[](Index i) { return Base::operator[](int(i)); }
  const Value& operator[](Index i) const { return Base::operator[](int(i)); }
  Value& operator[](int i) { return Base::operator[](i); }
  const Value& operator[](int i) const { return Base::operator[](i); }
  template <class Tag>
  const Value& operator[](TypeSafeIndex<Tag> i) const = delete;
};

}  // namespace dynamics
}  // namespace wyvern::multibody
