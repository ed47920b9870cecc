#pragma once

#include <memory>

#include "wyvern/multibody/tree/linear_coordinate.h"

namespace wyvern::multibody::internal {

/** Base of the elements that act along a single coordinate s(q): the position
of a joint, or the length of a tendon. The elastic force and the other force act
along s. */
template <typename T>
class CoordinateForce : public BasicForceElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CoordinateForce);
  ~CoordinateForce() override;

  const ScalarCoordinate<T>& coordinate() const { return *coordinate_; }

 protected:
  /** Requires a coordinate. */
  explicit CoordinateForce(
      std::unique_ptr<const ScalarCoordinate<T>> coordinate);
  /** Acts along the position of one joint. */
  explicit CoordinateForce(const Joint<T>& joint);

 private:
  virtual T CalcElasticEnergy(const T& s) const = 0;
  /** Computes minus the derivative of the elastic energy. */
  virtual T CalcElasticForce(const T& s) const = 0;
  /** Computes the force that depends on the rate. The default is zero. */
  virtual T CalcRateForce(const T& s_rate) const;
  /** Whether the element exerts forces at all. The default is true. */
  virtual bool HasForce() const;

  T CalcValue(const ForceState<T>& state) const;
  T CalcRate(const ForceState<T>& state) const;
  T CalcEnergy(const ForceState<T>& state) const final;
  T CalcReleasedPower(const ForceState<T>& state) const final;
  T CalcOtherPower(const ForceState<T>& state) const final;
  void AddForces(const ForceState<T>& state,
                 MultibodyForces<T>* forces) const final;
  void DoRequireMembers(const MultibodyTree<T>& tree) const final;

  const std::unique_ptr<const ScalarCoordinate<T>> coordinate_;
};

}  // namespace wyvern::multibody::internal
