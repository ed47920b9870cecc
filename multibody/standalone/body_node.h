#pragma once

#include "wyvern/multibody/standalone/mobilizer.h"

namespace wyvern::multibody::internal {

/** One body of the tree with the mobilizer that moves it, and the node it hangs
on. The world's node has neither. */
template <typename T>
class BodyNode {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BodyNode);

  BodyNode(const BodyNode<T>* parent_node, const Body<T>* body,
           const Mobilizer<T>* mobilizer)
      : parent_node_(parent_node),
        body_(*body),
        mobilizer_(mobilizer),
        level_(parent_node == nullptr ? 0 : parent_node->level() + 1) {}

  const BodyNode<T>* parent_node() const { return parent_node_; }
  const Body<T>& body() const { return body_; }
  /** Null for the world. */
  const Mobilizer<T>* mobilizer() const { return mobilizer_; }
  /** Bodies on the path from the world, the world not counted. */
  int level() const { return level_; }

 private:
  const BodyNode<T>* parent_node_{};
  const Body<T>& body_;
  const Mobilizer<T>* mobilizer_{};
  const int level_;
};

}  // namespace wyvern::multibody::internal
