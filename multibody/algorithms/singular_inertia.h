#pragma once

#include <stdexcept>
#include <string>

namespace wyvern::multibody::engine {

/** That the inertia which a mobilizer moves is zero, negative or not finite:
what knows the names of bodies says them. */
class SingularInertia : public std::runtime_error {
 public:
  SingularInertia(int node, const std::string& message)
      : std::runtime_error(message), node_(node) {}
  /** Of the Model. */
  int node() const { return node_; }

 private:
  int node_;
};

}  // namespace wyvern::multibody::engine
