#pragma once

#include <istream>
#include <ostream>

#include "wyvern/systems/framework/context.h"

namespace wyvern::systems {

/** Writes all that `context`, a root Context, holds: time, accuracy, state,
parameters and fixed inputs. A Context that is loaded with it goes on as this
one would, bit for bit.

Abstract values are written by ValueSerialization, which knows the types of the
library. A version of the format, what kind of model it is and a checksum are
written too. Not written is what is only cached, such as a VectorLogSink's log.
@throws std::logic_error if `stream` is null, `context` is not a root Context,
or holds a value of a type that ValueSerialization does not know.
@throws std::runtime_error if the stream cannot be written. */
void SaveContext(const Context<double>& context, std::ostream* stream);

/** Reads what SaveContext() wrote into a Context of the same System, or of one
built the same way. Ids in it become those of this System.
@throws std::logic_error if one is null, or `context` is not a root Context.
@throws std::runtime_error saying what is wrong if the stream is truncated or
changed, is not a saved Context, is of another version, or of a System of
another shape; `context` is then as it was. */
void LoadContext(std::istream* stream, Context<double>* context);

}  // namespace wyvern::systems
