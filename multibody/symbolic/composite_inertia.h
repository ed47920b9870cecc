#pragma once

#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::multibody::internal {

/** Mass, first moment and moment of inertia about a frame's origin, in its
axes. */
struct CompositeInertia {
  symbolic::Expression m;
  Vector3<symbolic::Expression> h;
  Matrix3<symbolic::Expression> I;
};

CompositeInertia CompositeOf(
    const dynamics::NodeConstants<symbolic::Expression>& node);

/** In axes P, about the same point. */
CompositeInertia Turn(const CompositeInertia& c,
                      const Matrix3<symbolic::Expression>& R_PN);

/** Adds one in the same axes that is about the point p of `sum`. What is a
product of numbers is not taken away again, so that zeros stay. */
void AddShifted(const CompositeInertia& c,
                const Vector3<symbolic::Expression>& p, CompositeInertia* sum);

}  // namespace wyvern::multibody::internal
