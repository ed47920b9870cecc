#pragma once

#include <istream>
#include <ostream>

#include "wyvern/simulator/simulator.h"

namespace wyvern::systems {

/** Writes where a simulation stands, between two steps: after AdvanceTo() or
Initialize(), or in the monitor or an event handler during them. That is the
Context, by SaveContext(); the integrator's next step and what its method
carries from step to step; which witness functions have events that are still
to be handled; and, if AdvanceTo() stopped in the middle of a step, where that
step began. A simulation that is loaded goes on as this one would, bit for bit.

Not written: the System, settings, statistics, dense output, the monitor.
A version of the format and a checksum are written too.
@throws std::logic_error if `simulator` is not initialized or in the middle of a
step, if somebody changed its time, if `stream` is null, or as SaveContext()
does.
@throws std::runtime_error if the stream cannot be written. */
void SaveSimulation(const Simulator<double>& simulator, std::ostream* stream);

/** Reads what SaveSimulation() wrote into a Simulator of the same System, or of
one built the same way, with the same integrator and settings. It is then ready
for AdvanceTo(), without Initialize(): no event is handled again. Statistics
start anew.
@throws std::logic_error if `simulator` has no Context, if a null is given, or
if it is called within Initialize() or AdvanceTo() of `simulator`, by its
monitor or an event handler.
@throws std::runtime_error if the integrator or its settings differ, if the
System does not repeat the timed events or the witness functions that were due,
or as LoadContext() does; Initialize() must follow then. */
void LoadSimulation(std::istream* stream, Simulator<double>* simulator);

}  // namespace wyvern::systems
