#pragma once

#include <array>
#include <vector>

#include "wyvern/multibody/step/laws/contact_law.h"
#include "wyvern/multibody/step/laws/hunt_crossley.h"

namespace wyvern::multibody::internal {

/** Four contacts, by parameter. */
struct ContactPack4 {
  /** The first of the three entries of each in arrays by row. */
  int row[4];
  HuntCrossley<std::array<double, 4>> law;
  /** Friction directions. */
  double w[2][4];
  /** The line v + alpha dv. */
  double v[3][4];
  double dv[3][4];
  /** The upper triangles of the slopes, column by column. */
  double G[6][4];
};

/** Contacts with the laws of Hunt and Crossley, evaluated up to four at once as
ContactLaw evaluates each. Velocities and impulses are in arrays by row, three
(t1, t2, n) a contact. Bits do not depend on the processor, nor on the place of
a contact in the batch. Storage is kept.

Each contact has a friction direction w. The derivative of u = v_t / s is (1 - u
u') / s, almost 0 along a slip that is to stop, so that Newton's steps from
there go much too far. With w in place of one of the two u, w = 0 gives the
secant, and w = u at the solution the derivative. After a step, w follows from w
s = v_t to first order (Chan, Golub, Mulet, "A Nonlinear Primal-Dual Method for
Total Variation-Based Image Restoration", SIAM J. Sci. Comput. 1999). */
class ContactBatch {
 public:
  /** Removes all contacts. */
  void Clear() { size_ = 0; }
  /** Adds the next contact, of kind kLagged or kSimilar.
  @param row The first of its three entries in arrays by row. */
  void Add(const ContactLaw<double>& law, int row);
  int size() const { return size_; }

  /** Sets the friction directions to w = v_t / s if v is near the solution, to
  0 if not. */
  void ResetFrictionDirections(const double* v, bool is_near);
  /** Writes the impulses g at v. */
  void CalcImpulses(const double* v, double* g) const;
  /** Writes g and computes G = -dg/dv by the friction directions. */
  void CalcSlopes(const double* v, double* g);
  /** Copies G of contact i from the last CalcSlopes().
  @returns false if it is 0. */
  bool GetSlopes(int i, Matrix3<double>* G) const;

  /** Sets the line v + alpha dv for the following two functions. */
  void StartLine(const double* v, const double* dv);
  /** Adds dv'g at v + alpha dv to *impulse and dv'G dv, with w = v_t / s, to
   *curvature. */
  void AddAlong(double alpha, double* impulse, double* curvature) const;
  /** Moves the friction directions by a step of alpha: w <- (v_t + alpha dv_t -
  w alpha s') / s with s' = v_t'dv_t / s, shortened to length 1 if longer. */
  void UpdateFrictionDirections(double alpha);

 private:
  int size_{};
  std::vector<ContactPack4> packs_;
};

}  // namespace wyvern::multibody::internal
