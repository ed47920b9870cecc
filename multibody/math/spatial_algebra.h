#pragma once

/** @file
All spatial vectors in one include. */

#include "wyvern/multibody/math/spatial_acceleration.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/math/spatial_momentum.h"
#include "wyvern/multibody/math/spatial_velocity.h"
