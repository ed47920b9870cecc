#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/geometry/math/transform_schema.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
Model directives: how a scene is put together from model files, as plain data
that a .dmd.yaml document spells. README.md of this folder's parent has a table
of them. Names are scoped, "arm::hand"; "world" is the world's frame. */

namespace wyvern::multibody::parsing {

/** Adds the one model of a file under a name. */
struct AddModel {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(
        file, "Model file: a URL, or a path from the folder of this file."));
    a->Visit(WYVERN_DNVP(name, "Name of the model instance."));
    a->Visit(WYVERN_DNVP(default_joint_positions,
                         "Default positions by joint, rad or m."));
    a->Visit(WYVERN_DNVP(
        default_free_body_pose,
        "Default pose of a free body by its name; \"\" for the only body."));
  }
  /** True if the directive can be followed. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns what is wrong and how to fix it; empty if the directive is valid.
  The same holds for the functions of this name below. */
  std::string WhyInvalid() const;

  /** A URL as PackageMap::ResolveUrl() takes; in a file also a path, from that
  file's folder if it is relative. */
  std::string file;
  /** Name of the model instance. */
  std::string name;
  /** By the name of the joint in the model: [rad], [m]. */
  std::map<std::string, VectorX<double>> default_joint_positions;
  /** X_BF of a body or frame F by its name in the model; "" is the only body's.
  In the world, or without a base frame B, F's body stays free. In any other B
  the body gets a QuaternionFloatingJoint of its name from B to F. */
  std::map<std::string, schema::Transform> default_free_body_pose;
};

/** Adds a model instance, with nothing in it. */
struct AddModelInstance {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(name, "Name of the model instance."));
  }
  /** True if WhyInvalid() is empty. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns what is wrong and how to fix it; empty if nothing is. */
  std::string WhyInvalid() const;

  /** Name of the model instance. */
  std::string name;
};

/** Adds a frame F fixed to the frame P that X_PF has for its base frame. */
struct AddFrame {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(name,
                         "Name of the frame; without a scope it belongs to the "
                         "base frame's model instance."));
    a->Visit(WYVERN_DNVP(X_PF, "Pose of the frame; must have a base_frame."));
  }
  /** True if WhyInvalid() is empty. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns what is wrong and how to fix it; empty if nothing is. */
  std::string WhyInvalid() const;

  /** Without a scope, F is of P's model instance. */
  std::string name;
  /** Pose of F in P; must have a base frame. */
  schema::Transform X_PF;
};

/** Welds a frame C to a frame P. */
struct AddWeld {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(parent, "Frame of the parent, as model::frame."));
    a->Visit(WYVERN_DNVP(child, "Frame of the child, as model::frame."));
    a->Visit(WYVERN_DNVP(X_PC,
                         "Pose of the child's frame in the parent's (default: "
                         "identity); has no base_frame."));
  }
  /** True if WhyInvalid() is empty. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns what is wrong and how to fix it; empty if nothing is. */
  std::string WhyInvalid() const;

  /** Scoped name of P. */
  std::string parent;
  /** Scoped name of C. */
  std::string child;
  /** The identity, unless given. It has no base frame. */
  std::optional<schema::Transform> X_PC;
};

/** A group of bodies that do not collide with those of other groups. */
struct AddCollisionFilterGroup {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(name, "Name of the group, without a scope."));
    a->Visit(WYVERN_DNVP(members, "Names of the bodies in the group."));
    a->Visit(WYVERN_DNVP(member_groups,
                         "Groups whose members also belong to this group."));
    a->Visit(
        WYVERN_DNVP(model_namespace,
                    "Model instance that contains the name and the members."));
    a->Visit(WYVERN_DNVP(ignored_collision_filter_groups,
                         "Groups whose bodies do not collide with this "
                         "group's; the group itself is allowed."));
  }
  /** True if WhyInvalid() is empty. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns what is wrong and how to fix it; empty if nothing is. */
  std::string WhyInvalid() const;

  /** Without a scope. */
  std::string name;
  /** Bodies. */
  std::vector<std::string> members;
  /** Groups whose members are members. */
  std::vector<std::string> member_groups;
  /** The model instance that contains the name and the members. Groups are
  found by their full name or by their name in this instance. */
  std::optional<std::string> model_namespace;
  /** Groups of these directives, of all that they add, and of model files;
  itself: its members do not collide with each other. */
  std::vector<std::string> ignored_collision_filter_groups;
};

/** Does what another file of directives says. */
struct AddDirectives {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(
        file,
        "File of directives: a URL, or a path from the folder of this file."));
    a->Visit(WYVERN_DNVP(
        model_namespace,
        "Model instance that is put before all names in that file."));
  }
  /** True if WhyInvalid() is empty. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns what is wrong and how to fix it; empty if nothing is. */
  std::string WhyInvalid() const;

  /** The other file; see AddModel::file. */
  std::string file;
  /** A model instance, put before all names in that file but "world". */
  std::optional<std::string> model_namespace;
};

/** One of the above. */
struct ModelDirective {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(add_model, "Add a model from a file."));
    a->Visit(WYVERN_DNVP(add_model_instance, "Add an empty model instance."));
    a->Visit(WYVERN_DNVP(add_frame, "Add a frame."));
    a->Visit(WYVERN_DNVP(add_weld, "Weld two frames together."));
    a->Visit(WYVERN_DNVP(add_collision_filter_group,
                         "Exclude collisions between groups of bodies."));
    a->Visit(
        WYVERN_DNVP(add_directives, "Follow the directives in another file."));
  }
  /** Whether there is one, and it is valid. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns what is wrong and how to fix it; empty if nothing is. */
  std::string WhyInvalid() const;

  /** The directive, if it adds a model. */
  std::optional<AddModel> add_model;
  /** The directive, if it adds a model instance. */
  std::optional<AddModelInstance> add_model_instance;
  /** The directive, if it adds a frame. */
  std::optional<AddFrame> add_frame;
  /** The directive, if it adds a weld. */
  std::optional<AddWeld> add_weld;
  /** The directive, if it adds a collision filter group. */
  std::optional<AddCollisionFilterGroup> add_collision_filter_group;
  /** The directive, if it names another file. */
  std::optional<AddDirectives> add_directives;
};

/** Directives in the order they are followed; but the collision filter groups
come into effect after all others. */
struct ModelDirectives {
  /** Visits the list, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(
        WYVERN_DNVP(directives, "Directives, which are followed in order."));
  }
  /** True if every directive is valid. */
  bool IsValid() const { return WhyInvalid().empty(); }
  /** Returns the reason for the first directive that is not valid. */
  std::string WhyInvalid() const;

  /** The directives, in order. */
  std::vector<ModelDirective> directives;
};

}  // namespace wyvern::multibody::parsing
