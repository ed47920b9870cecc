#pragma once

#include <array>
#include <vector>

#include "wyvern/multibody/contact/contact_law.h"
#include "wyvern/multibody/contact/hunt_crossley.h"
#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

/** Contacts of Hunt and Crossley's laws side by side, so that up to four are
evaluated at once: ContactLaw::Calc(), CalcImpulse() and CalcAlong() of each.
Velocities and impulses are in arrays by row, three (t1, t2, n) a contact. Bits
are the same whatever the processor, and wherever a contact is among the others.
Keeps its memory. */
class ContactLanes {
 public:
  /** @param is_wide Whether to use registers of four numbers. */
  explicit ContactLanes(bool is_wide = wyvern::internal::kHasWideRegisters)
      : is_wide_(is_wide) {}

  void Clear() { size_ = 0; }
  /** Adds a contact, of kind kLagged or kSimilar.
  @param row The first of its three in arrays by row. */
  void Add(const ContactLaw<double>& law, int row);
  /** Those that were added are contacts 0, 1 ... */
  int size() const { return size_; }

  /** Sets the direction w of each contact to v_t / s, or 0. */
  void StartDirections(const double* v, bool is_near);
  /** Writes g of each contact at v. */
  void CalcImpulses(const double* v, double* g) const;
  /** The same, and G = -dg/dv by the contact's direction w. */
  void CalcSlopes(const double* v, double* g);
  /** G of contact i, of the last CalcSlopes(). @returns false if it is 0. */
  bool GetSlopes(int i, Matrix3<double>* G) const;

  /** The line v + alpha dv that AddAlong() and MoveDirections() are for. */
  void StartLine(const double* v, const double* dv);
  /** Adds, over all contacts, dv'g at v + alpha dv to *impulse and dv'G dv, by
  w = v_t / s, to *curvature. */
  void AddAlong(double alpha, double* impulse, double* curvature) const;
  /** After a step of alpha: w <- (v_t + dv_t - w s') / s with dv_t = alpha
  dv_t, s' = v_t'dv_t / s, which solves w s = v_t to first order; of length 1 at
  most. */
  void MoveDirections(double alpha);

 private:
  // Of four contacts, each number of one after the other.
  struct Four {
    int row[4];
    HuntCrossley<std::array<double, 4>> law;
    double w[2][4];
    double v[3][4];
    double dv[3][4];
    double G[6][4];
  };
  friend struct ContactLaneKernels;

  bool is_wide_{};
  int size_{};
  std::vector<Four> fours_;
};

}  // namespace wyvern::multibody::internal
