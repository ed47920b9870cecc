#pragma once

#include <algorithm>
#include <vector>

#include "wyvern/multibody/plant/deformable_contact_info.h"
#include "wyvern/multibody/plant/hydroelastic_contact_info.h"
#include "wyvern/multibody/plant/point_pair_contact_info.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Results of a step: accelerations and the forces that go with them, of the
present state in a continuous model, of the coming step in a discrete one. All
dynamic output ports read one of these: the live one, or the sample that the
last step left.

To add an output, declare it here, name it in VisitSampled(), and write it where
it is found; its row in plant_ports.cc says how a port shows it. */
template <typename T>
struct StepOutputs {
  StepOutputs() = default;
  /** Zero, and not valid. */
  StepOutputs(int num_q, int num_v, int num_actuated, int num_constraint_rows,
              int num_bodies)
      : q(VectorX<T>::Zero(num_q)),
        v(VectorX<T>::Zero(num_v)),
        vdot(v),
        net_actuation(VectorX<T>::Zero(num_actuated)),
        tau_contact(v),
        multipliers(VectorX<T>::Zero(num_constraint_rows)),
        F_BBo_W(num_bodies, Vector6<T>::Zero()),
        v_next(v),
        tau_limit_rows(v) {}

  /** False in a sample before the first step: then all else is zero. */
  bool is_valid{false};
  /** The state that all is of; a step begins with it. */
  VectorX<T> q;
  VectorX<T> v;
  VectorX<T> vdot;
  /** By actuation input. */
  VectorX<T> net_actuation;
  /** The generalized forces of contact, sum Jᵀ f. */
  VectorX<T> tau_contact;
  /** By row of the constraints; 0 of those that do not act. */
  VectorX<T> multipliers;
  std::vector<PointPairContactInfo<T>> contacts;
  std::vector<HydroelasticContactInfo<T>> surfaces;
  std::vector<DeformableContactInfo<T>> deformable_contacts;
  /** Whether anything but gravity and joints acts on bodies: inputs, force
  elements, constraints or contacts. */
  bool has_body_forces{false};
  /** By the model's bodies; stale if there are none. */
  std::vector<Vector6<T>> F_BBo_W;

  // Members that no port shows are not kept in samples.

  /** The velocities that a step ends with; v in a continuous model. */
  VectorX<T> v_next;
  /** Generalized forces of the limits on roll, pitch and yaw. */
  VectorX<T> tau_limit_rows;
  /** The states that deformable bodies end with, by body. */
  std::vector<VectorX<T>> deformables;

  /** Calls visit(field...) with each field that a sample keeps, of all outputs
  given at once: saved Contexts and conversions know no other list of them. To
  change it is to change the format that Contexts are saved in, which has a
  version: kVersion in context_serialization.cc. */
  template <class Visitor, class... Outputs>
  static void VisitSampled(const Visitor& visit, Outputs&... outputs) {
    visit(outputs.is_valid...);
    visit(outputs.q...);
    visit(outputs.v...);
    visit(outputs.vdot...);
    visit(outputs.net_actuation...);
    visit(outputs.tau_contact...);
    visit(outputs.multipliers...);
    visit(outputs.contacts...);
    visit(outputs.surfaces...);
    visit(outputs.deformable_contacts...);
    visit(outputs.has_body_forces...);
    visit(outputs.F_BBo_W...);
  }

  /** Makes F_BBo_W ready to be added to. */
  void BeginBodyForces() {
    if (has_body_forces) return;
    has_body_forces = true;
    std::ranges::fill(F_BBo_W, Vector6<T>::Zero());
  }
};

}  // namespace wyvern::multibody::internal
