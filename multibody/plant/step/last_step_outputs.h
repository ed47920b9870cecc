#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "wyvern/multibody/plant/parts/shared_value.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/plant/step/surface_numbers.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

// Type of a sample's member on another scalar: derivatives are lost in the
// conversion to double.

template <typename T>
bool Converted(bool x) {
  return x;
}

template <typename T, typename U, int rows>
Eigen::Matrix<T, rows, 1> Converted(const Eigen::Matrix<U, rows, 1>& x) {
  if constexpr (std::is_same_v<T, double>) {
    return ToDouble(x);
  } else {
    return x.template cast<T>();
  }
}

template <typename T, typename U>
PointPairContactInfo<T> Converted(const PointPairContactInfo<U>& contact) {
  const auto& pair = contact.point_pair();
  return {contact.bodyA_index(),
          contact.bodyB_index(),
          Converted<T>(contact.contact_force()),
          Converted<T>(contact.contact_point()),
          T(ToDouble(contact.separation_speed())),
          T(ToDouble(contact.slip_speed())),
          geometry::PenetrationAsPointPair<T>{
              pair.id_A, pair.id_B, Converted<T>(pair.p_WCa),
              Converted<T>(pair.p_WCb), Converted<T>(pair.nhat_BA_W),
              T(ToDouble(pair.depth))}};
}

template <typename T, typename U>
HydroelasticContactInfo<T> Converted(const HydroelasticContactInfo<U>& info);

template <typename T, typename U>
DeformableContactInfo<T> Converted(const DeformableContactInfo<U>& info);

template <typename T, typename Element>
auto Converted(const std::vector<Element>& list) {
  std::vector<std::remove_cvref_t<decltype(Converted<T>(list[0]))>> result;
  result.reserve(list.size());
  for (const Element& x : list) result.push_back(Converted<T>(x));
  return result;
}

template <typename T, typename U>
HydroelasticContactInfo<T> Converted(const HydroelasticContactInfo<U>& info) {
  if constexpr (std::is_same_v<T, U>) {
    return info;
  } else {
    const SurfaceNumbers<U> from = NumbersOf(info.contact_surface());
    SurfaceNumbers<T> to;
    to.id_M = from.id_M;
    to.id_N = from.id_N;
    to.is_triangle = from.is_triangle;
    to.face_data = from.face_data;
    to.vertices = Converted<T>(from.vertices);
    for (const U& p : from.pressures) {
      to.pressures.push_back(T(ToDouble(p)));
    }
    to.gradients = Converted<T>(from.gradients);
    to.gradients_M = Converted<T>(from.gradients_M);
    to.gradients_N = Converted<T>(from.gradients_N);
    return {MakeSurface(to),
            SpatialForce<T>(Converted<T>(info.F_Ac_W().get_coeffs()))};
  }
}

template <typename T, typename U>
DeformableContactInfo<T> Converted(const DeformableContactInfo<U>& info) {
  const auto& mesh = info.contact_mesh();
  return {info.id_A(), info.id_B(),
          geometry::PolygonSurfaceMesh<T>(mesh.face_data(),
                                          Converted<T>(mesh.vertices())),
          SpatialForce<T>(Converted<T>(info.F_Ac_W().get_coeffs()))};
}

/** The abstract state of a plant with sampled outputs: the outputs of the last
step, shared with it and with copies of the state, on the scalar that they were
written with, so that a state can be copied to a Context of another scalar. */
class LastStepOutputs {
 public:
  template <typename T>
  using Sample = SharedValue<StepOutputs<T>>;

  template <typename T>
  explicit LastStepOutputs(const Sample<T>& sample) : sample_(sample) {}

  template <typename T>
  void set(const Sample<T>& sample) {
    sample_ = sample;
  }
  /** Null if they are of another scalar. */
  template <typename T>
  const StepOutputs<T>* get_if() const {
    const auto* sample = std::get_if<Sample<T>>(&sample_);
    return sample == nullptr ? nullptr : &sample->get();
  }
  template <typename T>
  StepOutputs<T> Convert() const {
    StepOutputs<T> result;
    const auto convert = [](auto& to, const auto& from) {
      to = Converted<T>(from);
    };
    std::visit(
        [&]<typename U>(const Sample<U>& sample) {
          // A scalar that the library lacks has no sample.
          if constexpr (kHasScalar<U>) {
            StepOutputs<T>::VisitSampled(convert, result, sample.get());
          }
        },
        sample_);
    return result;
  }

 private:
  std::variant<Sample<double>, Sample<AutoDiffXd>> sample_;
};

}  // namespace wyvern::multibody::internal
