#pragma once

#include <string_view>

namespace wyvern::report::internal {

/** The script that makes plots zoom, and the style that it needs: what the
build makes of geometry/viewer/web/src/report, each empty without Node.js. */
std::string_view ReportScript();
std::string_view ReportScriptStyle();

}  // namespace wyvern::report::internal
