#pragma once

#include <optional>
#include <string>

#include "wyvern/systems/common/name_value.h"

namespace wyvern::geometry {

/** How a Viewer serves its page. */
struct ViewerParams {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(host));
    a->Visit(WYVERN_NVP(port));
    a->Visit(WYVERN_NVP(web_url_pattern));
    a->Visit(WYVERN_NVP(show_stats_plot));
    a->Visit(WYVERN_NVP(token));
  }

  /** The address to listen at: "localhost", an IP address of this machine, or
  "*" for all of them. With "*", whoever can reach the machine and knows the
  token sees the page. */
  std::string host{"localhost"};
  /** The port; by default the first free one from 7000 to 7999. */
  std::optional<int> port;
  /** Address that web_url() returns, without the token. {host} and {port} are
  filled in. */
  std::string web_url_pattern{"http://{host}:{port}"};
  /** Whether the page counts its frames per second. */
  bool show_stats_plot{true};
  /** Word that a client must send to see the page; a random word by default.
  Letters and digits only. */
  std::string token;
};

}  // namespace wyvern::geometry
