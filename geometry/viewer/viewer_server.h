#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "wyvern/geometry/viewer/viewer_params.h"
#include "wyvern/geometry/viewer/viewer_state.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::geometry::internal {

/** Serves one page over HTTP, and what it shows over a WebSocket, on a thread
of its own: the page at /, the socket at /socket, nothing else, and neither
without the token. A socket's origin has to be the page itself, so that no other
page of a browser can ask for it.

Sixty times a second each client gets what is new since its last message,
unless it has not taken that yet: a slow one sees fewer states, and holds up
nobody. One that says "read" after each message has three at most on their way
to it. What it may send is 64 kB a message; more ends the connection. A request
has 5 s to arrive; of more than 256 connections, the one that has been silent
for the longest time is closed. */
class ViewerServer {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ViewerServer);

  /** Begins to listen. `receive` is called with what clients say, on the
  server's thread. `state` and `page` must outlive the server.
  @throws std::runtime_error if no port can be had.
  @throws std::logic_error if the host is no address, the port is out of range,
  or the token is not of letters and digits. */
  ViewerServer(const ViewerParams& params, std::string_view page,
               const ViewerState& state,
               std::function<void(std::string_view)> receive);
  /** Ends all connections and the thread. */
  ~ViewerServer();

  int port() const;
  const std::string& token() const;
  /** Of sockets that are open now. */
  int num_connections() const;
  /** Waits until every client has all changes up to now, or `limit` is over;
  whether they have. */
  bool WaitUntilSeen(std::chrono::milliseconds limit) const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace wyvern::geometry::internal
