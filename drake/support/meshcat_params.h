#pragma once

#include <optional>
#include <string>

#include "wyvern/systems/common/name_value.h"

namespace wyvern::geometry {

/** How a Meshcat would serve its page; nothing reads it yet. */
struct MeshcatParams {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(host));
    a->Visit(WYVERN_NVP(port));
    a->Visit(WYVERN_NVP(web_url_pattern));
    a->Visit(WYVERN_NVP(show_stats_plot));
  }

  std::string host{"*"};
  std::optional<int> port;
  std::string web_url_pattern{"http://{host}:{port}"};
  bool show_stats_plot{true};
};

}  // namespace wyvern::geometry
