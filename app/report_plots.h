#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/plotting/svg_plot.h"

namespace wyvern::app {

/** @file
Plots of a run for its report: a plot for each joint, or several if its
coordinates have several units. Each has its unit beside its title. */

/** Returns plots of the positions of all joints.
@param times n of them [s].
@param positions nq x n, the plant's positions. */
std::vector<plotting::Plot> PlotPositions(
    const multibody::MultibodyPlant<double>& plant,
    const VectorX<double>& times, const MatrixX<double>& positions);

/** Returns plots of the velocities of all joints.
@param velocities nv x n, the plant's velocities. */
std::vector<plotting::Plot> PlotVelocities(
    const multibody::MultibodyPlant<double>& plant,
    const VectorX<double>& times, const MatrixX<double>& velocities);

/** A plot for each actuator.
@param efforts nu x n, in the order of JointActuator::input_start(). */
std::vector<plotting::Plot> PlotEfforts(
    const multibody::MultibodyPlant<double>& plant,
    const VectorX<double>& times, const MatrixX<double>& efforts);

/** Plots the elements of one port: those with one unit together, at most as
many in a plot as there are colours.
@param values a row for each element.
@param names of the elements; the part of all names that is the same is left
out.
@param units of the elements; empty texts if they are unknown. */
std::vector<plotting::Plot> PlotElements(const std::string& title,
                                         const VectorX<double>& times,
                                         const MatrixX<double>& values,
                                         const std::vector<std::string>& names,
                                         const std::vector<std::string>& units);

/** Kinetic and potential energy, and the work of the actuators since the start,
by the trapezoidal rule.
@param states nq + nv rows. @param efforts empty, or sampled at `times`. */
plotting::Plot PlotEnergy(const multibody::MultibodyPlant<double>& plant,
                          const VectorX<double>& times,
                          const MatrixX<double>& states,
                          const MatrixX<double>& efforts);

}  // namespace wyvern::app
