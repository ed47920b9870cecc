#pragma once

#include <string>
#include <tuple>

#include "wyvern/multibody/math/piecewise_constant_curvature_trajectory.h"
#include "wyvern/multibody/tree/single_axis_joint.h"
#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody {

/** M moves in F along a path of lines and arcs in a plane, like a car on a
track: Mx is the path's tangent and Mz the normal of its plane. The one position
is the distance along the path, [m], the velocity its rate; the distance of a
periodic path is not wrapped. See PiecewiseConstantCurvatureTrajectory.

The curvature jumps where a line meets an arc, and with it the acceleration of a
body at constant speed: an error-controlled integrator takes short steps there.
*/
template <typename T>
class CurvilinearJoint final
    : public internal::TypedJoint<CurvilinearJoint, T,
                                  internal::SingleAxisJoint<T>> {
 public:
  /** The type of the path: lines and circular arcs. */
  using Path = trajectories::PiecewiseConstantCurvatureTrajectory<double>;

  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CurvilinearJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "curvilinear";

  /** With the path's ends as position limits, or none if it is periodic.
  @param damping viscous, [N·s/m].
  @throws std::logic_error if the path is empty or the damping not valid. */
  CurvilinearJoint(const std::string& name, const Frame<T>& frame_on_parent,
                   const Frame<T>& frame_on_child, const Path& curvilinear_path,
                   double damping = 0);
  /** Makes the joint with the given position limits. */
  CurvilinearJoint(const std::string& name, const Frame<T>& frame_on_parent,
                   const Frame<T>& frame_on_child, const Path& curvilinear_path,
                   double pos_lower_limit, double pos_upper_limit,
                   double damping = 0);
  ~CurvilinearJoint() override;

  /** X_FM by the distance. */
  const Path& get_trajectory() const { return path_; }

  /** The distance along the path [m], a reference into `context`. */
  const T& get_distance(const systems::Context<T>& context) const {
    return this->GetOnePosition(context);
  }
  /** Sets the distance along the path [m].
  @throws std::logic_error if it is not finite. */
  const CurvilinearJoint<T>& set_distance(systems::Context<T>* context,
                                          const T& distance) const {
    this->SetPositions(context, VectorX<T>::Constant(1, distance));
    return *this;
  }
  /** The speed along the path [m/s], a reference into `context`. */
  const T& get_tangential_velocity(const systems::Context<T>& context) const {
    return this->GetOneVelocity(context);
  }
  /** Sets the speed along the path [m/s].
  @throws std::logic_error if it is not finite. */
  const CurvilinearJoint<T>& set_tangential_velocity(
      systems::Context<T>* context, const T& tangential_velocity) const {
    this->SetVelocities(context, VectorX<T>::Constant(1, tangential_velocity));
    return *this;
  }
  /** The distance that a new Context starts with [m]. */
  double get_default_distance() const { return this->default_positions()[0]; }
  /** Sets the distance that a new Context starts with [m].
  @throws std::logic_error if it is not finite. */
  void set_default_distance(double distance) {
    this->set_default_positions(VectorX<double>::Constant(1, distance));
  }
  /** How a random state has the distance, [m]. */
  void set_random_distance_distribution(const symbolic::Expression& distance) {
    this->SetRandomPositions(0, Vector<symbolic::Expression, 1>(distance));
  }

 private:
  friend class internal::TypedJoint<CurvilinearJoint, T,
                                    internal::SingleAxisJoint<T>>;
  auto clone_arguments() const { return std::tuple(path_); }
  const internal::LineAndArcPath<double>* mobilizer_path() const override {
    return &path_.path();
  }

  const Path path_;
};

}  // namespace wyvern::multibody
