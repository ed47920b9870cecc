#pragma once

#include <string_view>

#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems::internal {

/** The tickets every System has, in the order of their numbers. A ticket names
something that can change; a cache entry lists the tickets it depends on. */
enum KnownTicket : int {
  kNothingTicket = 0,
  // Sources: time, accuracy, the parts of the continuous state, and the
  // totals of the state and parameter groups.
  kTimeTicket,
  kAccuracyTicket,
  kQTicket,
  kVTicket,
  kZTicket,
  kXcTicket,
  kXdTicket,
  kXaTicket,
  kXTicket,
  kPnTicket,
  kPaTicket,
  kAllParametersTicket,
  kAllInputPortsTicket,
  kAllSourcesExceptInputPortsTicket,
  kAllSourcesTicket,
  // Roles that a derived System may narrow.
  kConfigurationTicket,
  kKinematicsTicket,
  // Computations every System has.
  kXcdotTicket,
  kPeTicket,
  kKeTicket,
  kPcTicket,
  kPncTicket,
  kXdUniquePeriodicUpdateTicket,
  kNextAvailableTicket
};

}  // namespace wyvern::systems::internal
