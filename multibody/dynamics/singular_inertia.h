#pragma once

#include <stdexcept>
#include <string>

#include "wyvern/multibody/dynamics/topology/indexes.h"

namespace wyvern::multibody::dynamics {

/** Thrown where the inertia that a mobilizer moves is zero, negative or not
finite. It has the node; callers who know the bodies catch it and say their
names. */
class SingularInertia : public std::runtime_error {
 public:
  /** Takes the node of the Model and the whole message. */
  SingularInertia(NodeIndex node, const std::string& message)
      : std::runtime_error(message), node_(node) {}
  /** Returns the node of the Model. */
  NodeIndex node() const { return node_; }

 private:
  NodeIndex node_;
};

}  // namespace wyvern::multibody::dynamics
