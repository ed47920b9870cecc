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

/** Serves one page over HTTP, and its contents over a WebSocket, on a thread of
its own. The page is at / and the socket at /socket; there is nothing else, and
both need the token. The origin of a socket must be the page itself, so that no
other page of a browser can open it.

Each client gets, sixty times a second, the changes since its last message,
unless it has not yet taken that message. A slow client sees fewer states and
holds up nobody. A client that answers "read" after each message has at most
three messages on their way. A client may send 64 kB a message; longer messages
end the connection. A request has 5 s to arrive. Beyond 256 connections the one
that has been silent for the longest time is closed. */
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
  /** Returns the number of sockets that are open now. */
  int num_connections() const;
  /** Waits until every client has all changes up to now, or `limit` is over;
  whether they have. */
  bool WaitUntilSeen(std::chrono::milliseconds limit) const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace wyvern::geometry::internal
