#pragma once

#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::multibody::internal {

/** Parameters with the same equations of motion, and more zeros. Forces inside
a mobilizer are not the same.

What of a node's inertia its mobilizer's motion does not show is added to the
parent, where it is constant (Khalil and Dombre, Modeling, Identification and
Control of Robots, 2002, section 9.4): of a node that turns about z, mass, first
moment along z, and a moment of inertia that is the same about x and y; of one
that slides, all of its inertia to rotation. A chain of turning joints on the
world then has no mass at all, and seven numbers for each node.

Constants that are 0 or ±1 but for rounding become so.
@param parameters As Compile() leaves them; so is the result, except that
its bodies are not those of its nodes. */
dynamics::ModelParameters<symbolic::Expression> ToBaseParameters(
    const dynamics::Model& model,
    dynamics::ModelParameters<symbolic::Expression> parameters);

}  // namespace wyvern::multibody::internal
