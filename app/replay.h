#pragma once

#include <memory>
#include <string>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::app {

/** Returns the multiple of a plant's time step that is nearest to a period, so
that sampling splits no step. In continuous time it is the period itself.
@param period [s], positive. @param time_step [s]; 0: continuous time. */
double AlignPeriod(double period, double time_step);

/** Adds visualizers that publish at multiples of the time step, so that a run
that is watched takes the steps of one that is not. @returns their period [s].
@param period wanted [s], positive. @param time_step of the plant [s]; 0:
continuous time, where the integrator's steps end at frames, too. */
double AddAlignedVisualization(double period, double time_step,
                               std::shared_ptr<geometry::Viewer> viewer,
                               systems::DiagramBuilder<double>* builder);

/** Adds a viewer that nobody watches to a scenario's diagram, and records the
motion at about 30 frames per second.
@param time_step of the plant [s]; 0: continuous time.
@returns null in a library without the viewer's page. */
std::shared_ptr<geometry::Viewer> AddReplayViewer(
    double time_step, systems::DiagramBuilder<double>* builder);

/** Ends the recording of a viewer with a mark.
@param reason why the run ended. @param time when it ended [s].
@returns a page that plays it, or an empty text if `viewer` is null. */
std::string FinishReplay(geometry::Viewer* viewer, const std::string& reason,
                         double time);

}  // namespace wyvern::app
