#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_joint.h"
#include "wyvern/multibody/parsing/mjcf_names.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Ties bodies to their parents, by the joints that lie in them. */
class MjcfChains {
 public:
  /** @param root with all joints that will come. All must outlive this. */
  MjcfChains(const MjcfNode& root, MjcfNames* body_names, MjcfTree* tree,
             ParsedModel* model)
      : body_names_(*body_names),
        joint_names_(root, {"joint", "freejoint"}),
        tree_(*tree),
        model_(*model) {}

  /** Ties the body of that index, which is in the tree.
  @param X_PB where it is in its parent at rest.
  @throws std::runtime_error "file:line: ..." if a free joint is not the body's
  only one, or the body not in the world. */
  void Add(int body, const std::vector<MjcfJoint>& joints,
           const math::RigidTransform<double>& X_PB);

 private:
  const std::string& ParentName(int body) const;
  void Weld(int body, const math::RigidTransform<double>& X_PB);
  void AddFree(int body, const std::vector<MjcfJoint>& joints,
               const math::RigidTransform<double>& X_WB);
  void AddFloating(int body, const MjcfJoint& joint);
  void AddChain(int body, const std::vector<MjcfJoint>& joints,
                const math::RigidTransform<double>& X_PB);
  void AddJoint(int body, const MjcfJoint& read, const std::string& parent,
                const std::string& child,
                const math::RigidTransform<double>& X_PB);

  MjcfNames& body_names_;
  MjcfNames joint_names_;
  MjcfTree& tree_;
  ParsedModel& model_;
};

}  // namespace wyvern::multibody::internal
