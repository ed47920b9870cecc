#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/sdf_tree.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** The frames of an SdfTree, how they are posed in each other and what they are
fixed to, by the rules of SDFormat 1.7 and later. Frames are links, joints,
`<frame>`s, models and the world. All functions that take a name throw
std::runtime_error "file:line: ..." at `by` if there is none of that name, or if
frames are posed or fixed in a circle. */
class SdfFrames {
 public:
  using Id = int;
  /** The world's frame. */
  static constexpr Id kWorld = 0;

  /** @param tree must outlive this. In documents before 1.7 a joint or frame
  that has the name of an element of another kind gets another, with a warning.
  @throws std::runtime_error "file:line: ..." if a name is given twice. */
  SdfFrames(const SdfTree& tree, WarningLog* log);

  /** The frame called `name` in `scope`. */
  Id Find(const SdfScope& scope, const std::string& name,
          const SdfElement& by) const;
  /** The frame of a link, joint or frame of `scope`. */
  Id Get(const SdfItem& item) const { return items_.at(&item); }
  /** The frame of a model. */
  Id Get(const SdfScope& scope) const { return scopes_.at(&scope).frame; }
  /** The name of an item, which may differ from the one in the file. */
  const std::string& NameOf(const SdfItem& item) const;

  /** The pose of B in A. */
  math::RigidTransform<double> CalcPose(Id A, Id B, const SdfElement& by) const;

  /** The link that a frame is fixed to; the world's frame for the world, and
  for a static model without links. */
  Id LinkOf(Id frame, const SdfElement& by) const;
  /** The name of a frame in a scope that it is in, directly or not. */
  std::string NameIn(const SdfScope& scope, Id frame) const;

 private:
  struct Frame {
    const SdfScope* scope{};
    std::string name{};
    bool is_link{false};
    // Null for models, and for parts of URDF files, whose parent is known.
    const SdfItem* item{};
    // The scope of a model's frame.
    const SdfScope* model{};
    // The link that a frame of a URDF file is fixed to.
    std::string link_of_urdf{};
    // Cached by Parent() and Depth().
    mutable std::optional<Id> parent{};
    mutable math::RigidTransform<double> X_PF{};
    mutable std::optional<int> depth{};
  };
  struct Scope {
    Id frame{};
    std::map<std::string, Id, std::less<>> names{};
  };

  void AddScope(const SdfScope& scope, WarningLog* log);
  void AddItem(const SdfScope& scope, const SdfItem& item, WarningLog* log);
  static bool IsItem(const Frame& frame, const std::string& kind,
                     const std::string& name);
  void AddUrdf(const SdfScope& scope);
  Id Claim(const SdfScope& scope, const std::string& name,
           const SdfElement& element, Frame frame);
  std::optional<Id> FindOrNone(const SdfScope& scope,
                               std::string_view name) const;
  Id FindAttached(const SdfScope& scope, const SdfItem& item) const;
  static Id FindAroundRoot(const SdfScope& model);
  Id Parent(Id frame) const;
  int Depth(Id frame) const;
  math::RigidTransform<double> PlaceFrame(const SdfScope& scope,
                                          const std::string& placement_frame,
                                          const SdfPose& pose, Id frame,
                                          const SdfElement& element) const;
  const SdfElement& ElementOf(const Frame& frame) const;

  std::vector<Frame> frames_;
  std::map<const SdfScope*, Scope> scopes_;
  std::map<const SdfItem*, Id> items_;
};

}  // namespace wyvern::multibody::internal
