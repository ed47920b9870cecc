#pragma once

#include <vector>

#include "wyvern/multibody/contact/contact_law.h"

namespace wyvern::multibody::internal {

/** Contacts of Hunt and Crossley's laws along a line v + alpha dv of their
velocities: what a line search asks for again and again, with what it needs of
each contact side by side, so that two are evaluated at once. Keeps its
memory. */
class ContactLines {
 public:
  void Clear() { size_ = 0; }
  /** Adds a contact, of kind kLagged or kSimilar. */
  void Add(const ContactLaw<double>& law, const double* v, const double* dv);
  /** Adds, over all contacts, dv'g at v + alpha dv to *impulse and dv'G dv to
   *curvature: ContactLaw::CalcAlong(). */
  void AddAlong(double alpha, double* impulse, double* curvature) const;

 private:
  static constexpr int kNumFields = 15;
  // Of two contacts: each field of the one, then of the other.
  struct Pair {
    double fields[kNumFields][2];
  };
  int size_{};
  std::vector<Pair> pairs_;
};

}  // namespace wyvern::multibody::internal
