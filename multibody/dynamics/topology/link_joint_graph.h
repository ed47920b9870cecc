#pragma once

#include <vector>

namespace wyvern::multibody::dynamics {

/** Links and the joints between them, as integers: what a user adds, in the
order it was added. Link 0 is the world. A joint has a parent and a child link
in the user's sense; either may turn out to be the inboard one. Names, frames
and joint types are the caller's business, who finds them by these indices. */
class LinkJointGraph {
 public:
  /** A joint, by the links it connects. */
  struct Joint {
    /** The parent in the user's sense; its outboard or inboard end. */
    int parent_link{};
    /** The child in the user's sense. */
    int child_link{};
  };

  /** Adds a link and returns its index: 1 for the first. */
  int AddLink() { return num_links_++; }

  /** Adds a joint and returns its index: 0 for the first.
  @throws std::out_of_range if a link does not exist.
  @throws std::logic_error if both links are the same. */
  int AddJoint(int parent_link, int child_link);

  /** The links, the world among them. */
  int num_links() const { return num_links_; }
  /** Returns how many joints were added. */
  int num_joints() const { return static_cast<int>(joints_.size()); }
  /** Returns the joints, in the order added; a reference until the next
  AddJoint(). */
  const std::vector<Joint>& joints() const { return joints_; }

 private:
  int num_links_{1};
  std::vector<Joint> joints_;
};

}  // namespace wyvern::multibody::dynamics
