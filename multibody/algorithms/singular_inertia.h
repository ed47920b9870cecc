#pragma once

#include <stdexcept>
#include <string>

#include "wyvern/multibody/topology/indexes.h"

namespace wyvern::multibody::engine {

/** That the inertia which a mobilizer moves is zero, negative or not finite:
what knows the names of bodies says them. */
class SingularInertia : public std::runtime_error {
 public:
  SingularInertia(NodeIndex node, const std::string& message)
      : std::runtime_error(message), node_(node) {}
  /** Of the Model. */
  NodeIndex node() const { return node_; }

 private:
  NodeIndex node_;
};

}  // namespace wyvern::multibody::engine
