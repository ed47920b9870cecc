#pragma once

#include "wyvern/geometry/proximity/penetration_as_point_pair.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::multibody {

/** One contact point of two bodies. The point pair's geometry A is on body A.
 */
template <typename T>
class PointPairContactInfo {
 public:
  /** @param f_Bc_W the force on body B at the contact point C, [N].
  @param p_WC [m].
  @param separation_speed of the bodies along the normal, positive if they move
  apart, [m/s].
  @param slip_speed of the bodies across the normal, [m/s]. */
  PointPairContactInfo(BodyIndex bodyA_index, BodyIndex bodyB_index,
                       const Vector3<T>& f_Bc_W, const Vector3<T>& p_WC,
                       const T& separation_speed, const T& slip_speed,
                       const geometry::PenetrationAsPointPair<T>& point_pair)
      : bodyA_index_(bodyA_index),
        bodyB_index_(bodyB_index),
        f_Bc_W_(f_Bc_W),
        p_WC_(p_WC),
        separation_speed_(separation_speed),
        slip_speed_(slip_speed),
        point_pair_(point_pair) {}

  /** Index of body A. */
  BodyIndex bodyA_index() const { return bodyA_index_; }
  /** Index of body B. */
  BodyIndex bodyB_index() const { return bodyB_index_; }
  /** Force on body B at the contact point, in the world, [N]. */
  const Vector3<T>& contact_force() const { return f_Bc_W_; }
  /** Contact point C, in the world, [m]. */
  const Vector3<T>& contact_point() const { return p_WC_; }
  /** Speed of separation along the normal, positive if the bodies part,
  [m/s]. */
  const T& separation_speed() const { return separation_speed_; }
  /** Slip speed across the normal, [m/s]. */
  const T& slip_speed() const { return slip_speed_; }
  /** Geometries, witness points, normal and depth of the contact. */
  const geometry::PenetrationAsPointPair<T>& point_pair() const {
    return point_pair_;
  }

 private:
  BodyIndex bodyA_index_;
  BodyIndex bodyB_index_;
  Vector3<T> f_Bc_W_;
  Vector3<T> p_WC_;
  T separation_speed_;
  T slip_speed_;
  geometry::PenetrationAsPointPair<T> point_pair_;
};

}  // namespace wyvern::multibody
