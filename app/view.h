#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/multibody/parsing/package_map.h"

namespace wyvern::app {

/** Shows a model file, such as a URDF, with a slider for each joint of one
degree of freedom, until `should_stop`, which is asked 60 times a second. When
the file changes it is read again, with the sliders where they were; a file that
cannot be read then is said on `out`, and what was shown before stays.
@param packages that URLs may name, besides those that are found.
@throws std::exception as the parser, if the file cannot be read at first. */
void ViewModel(const std::filesystem::path& file,
               std::shared_ptr<geometry::Viewer> viewer,
               const std::function<bool()>& should_stop, std::ostream& out,
               const multibody::PackageMap& packages = {});

/** Opens an address in the browser of this machine's desktop, if it has one. */
void OpenInBrowser(const std::string& url);

}  // namespace wyvern::app
