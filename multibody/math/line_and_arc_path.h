#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

/** A smooth path of lines and arcs in a plane, by its length s, in metres: the
numbers behind PiecewiseConstantCurvatureTrajectory, which says what they mean,
and behind the engine's curvilinear mobilizer. Not checked. S may be T or, if T
is double, AutoDiffXd.

On an arc of turning rate k, at d from its start, the heading is k d, and the
chord, at half that angle, is of length d sin(k d / 2) / (k d / 2). */
template <typename T>
class LineAndArcPath {
 public:
  /** No segment; of length 0. */
  LineAndArcPath() = default;

  /** @param breaks One more than turning_rates (1/m), increasing from 0.
  @param R,p The pose at s = 0: tangent, normal and plane normal; origin. */
  LineAndArcPath(const std::vector<T>& breaks,
                 const std::vector<T>& turning_rates, const Matrix3<T>& R,
                 const Vector3<T>& p, bool is_periodic)
      : length_(breaks.back()), is_periodic_(is_periodic) {
    Segment segment{breaks[0], turning_rates[0], R, p};
    for (size_t i = 0; i < turning_rates.size(); ++i) {
      segment.turning_rate = turning_rates[i];
      segments_.push_back(segment);
      Advance(segments_.back(), T(breaks[i + 1] - breaks[i]), &segment.R,
              &segment.p);
      segment.start = breaks[i + 1];
    }
  }

  int num_segments() const { return static_cast<int>(segments_.size()); }
  const T& length() const { return length_; }
  bool is_periodic() const { return is_periodic_; }

  /** The pose at s. Past an end the last segment there goes on, or, if the path
  is periodic, it begins anew. */
  template <typename S>
  void CalcPose(const S& s, Matrix3<S>* R, Vector3<S>* p) const {
    const S wrapped = Wrap(s);
    const Segment& segment = Find(wrapped);
    Advance(segment, S(wrapped - segment.start), R, p);
  }

  /** The pose at length(), which of a periodic path CalcPose() has at 0. */
  void CalcEndPose(Matrix3<T>* R, Vector3<T>* p) const {
    const Segment& last = segments_.back();
    Advance(last, T(length_ - last.start), R, p);
  }

  /** Returns the curvature: the tangent's turn about the plane's normal per
  metre, [1/m]. */
  template <typename S>
  const T& turning_rate(const S& s) const {
    return Find(Wrap(s)).turning_rate;
  }

 private:
  struct Segment {
    T start, turning_rate;
    Matrix3<T> R;
    Vector3<T> p;
  };

  template <typename S>
  S Wrap(const S& s) const {
    if (!is_periodic_) return s;
    const double turns = ToDouble(s) / ToDouble(length_);
    return s - std::floor(turns) * length_;
  }

  template <typename S>
  const Segment& Find(const S& s) const {
    const auto after =
        std::upper_bound(segments_.begin() + 1, segments_.end(), ToDouble(s),
                         [](double value, const Segment& segment) {
                           return value < ToDouble(segment.start);
                         });
    return *(after - 1);
  }

  // The pose at d from the segment's start.
  template <typename S>
  static void Advance(const Segment& segment, const S& d, Matrix3<S>* R,
                      Vector3<S>* p) {
    using std::abs;
    using std::cos;
    using std::sin;
    // sin(half) / half; the next term of the series is below rounding.
    const S half = 0.5 * (segment.turning_rate * d);
    const S s = sin(half), c = cos(half), z = half * half;
    const S chord = abs(half) < 1e-3 ? S(d * (1.0 - z * (1.0 / 6 - z / 120.0)))
                                     : S(d * (s / half));
    const S sine = 2.0 * s * c, cosine = 1.0 - 2.0 * s * s;
    const Matrix3<S> R_AS = segment.R.template cast<S>();
    *p = segment.p.template cast<S>() + (chord * c) * R_AS.col(0) +
         (chord * s) * R_AS.col(1);
    R->col(0) = cosine * R_AS.col(0) + sine * R_AS.col(1);
    R->col(1) = cosine * R_AS.col(1) - sine * R_AS.col(0);
    R->col(2) = R_AS.col(2);
  }

  std::vector<Segment> segments_;
  T length_{0};
  bool is_periodic_{false};
};

}  // namespace wyvern::multibody::internal
