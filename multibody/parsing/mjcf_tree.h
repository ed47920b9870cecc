#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/mjcf_inertia.h"
#include "wyvern/multibody/parsing/mjcf_joint.h"

namespace wyvern::multibody::internal {

/** A shape that touches. */
struct MjcfShape {
  std::string name;
  MjcfMask mask;
  /** The name of its <geom>; empty if not given. */
  std::string geom{};
};

/** A body B of an MJCF file; the first is the world. */
struct MjcfBody {
  XmlElement element;
  std::string name;
  int parent{-1};
  /** Where all joints are as the file draws them. */
  math::RigidTransform<double> X_WB{};
  MjcfInertia inertia{};
  /** Index into ParsedModel::links; of the world -1. */
  int link{-1};
  bool has_joints{false};
  bool is_mocap{false};
  std::vector<MjcfShape> shapes{};
  std::vector<MjcfFluidShape> fluid_shapes{};
  double gravity_compensation{0};
};

/** A joint as MuJoCo counts them. */
struct MjcfMovement {
  MjcfJoint joint;
  /** Index of the body that the joint moves. */
  int body{};
  /** Index into ParsedModel::joints; -1 of a free joint that has none there. */
  int index{-1};
};

/** A <site>, a frame S fixed to a body. */
struct MjcfSite {
  int body{};
  math::RigidTransform<double> X_BS;
};

/** A geom that a tendon can bend around: a sphere, or a cylinder about Gz. */
struct MjcfRoundGeom {
  int body{};
  math::RigidTransform<double> X_BG;
  double radius{};
  bool is_cylinder{};
};

/** Contents of a file's <worldbody>. */
struct MjcfTree {
  /** Parents before children. */
  std::vector<MjcfBody> bodies;
  std::vector<MjcfMovement> joints;
  std::map<std::string, MjcfSite> sites;
  /** The names of all geoms, those that do not touch too. */
  std::set<std::string> geoms;
  /** By name. */
  std::map<std::string, MjcfRoundGeom> round_geoms;

  /** Null if there is none of that name. */
  const MjcfBody* FindBody(const std::string& name) const;
  const MjcfMovement* FindJoint(const std::string& name) const;
  /** The element on the diagonal of the mass matrix of a joint of one degree of
  freedom, where the file draws it; without rotors. */
  double CalcInertiaFelt(const MjcfMovement& moved) const;
};

/** Adds a body with a free joint at this place: its link, and the joint's
default positions unless the plant makes the joint itself. */
void SetMjcfFreePose(const MjcfMovement& moved, const MjcfTree& tree,
                     const math::RigidTransform<double>& X_WB,
                     ParsedModel* model);

}  // namespace wyvern::multibody::internal
