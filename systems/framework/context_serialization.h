#pragma once

#include <istream>
#include <ostream>

#include "wyvern/systems/framework/context.h"

namespace wyvern::systems {

/** Writes all that `context`, a root Context, holds: time, accuracy, state,
parameters and fixed inputs. A Context that is loaded with it goes on as this
one would, bit for bit.

Abstract values are written by ValueSerialization.
@throws std::logic_error if `context` is not a root Context, or holds a value of
a type that ValueSerialization does not know.
@throws std::runtime_error if the stream cannot be written. */
void SaveContext(const Context<double>& context, std::ostream* stream);

/** Reads what SaveContext() wrote into a Context of the same System, or of one
built the same way.
@throws std::logic_error if `context` is not a root Context.
@throws std::runtime_error if the stream is truncated, is not a saved Context,
or one of a System of another shape; `context` is then as it was. */
void LoadContext(std::istream* stream, Context<double>* context);

}  // namespace wyvern::systems
