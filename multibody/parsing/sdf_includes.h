#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** What a document includes. */
struct SdfIncludes {
  /** Files by the URIs that <include>s name them by. */
  std::map<std::string, std::filesystem::path> paths;
  /** Each SDFormat file once, after those that it includes. */
  std::vector<XmlDocument> documents;
  /** The URDF files. */
  std::map<std::filesystem::path, XmlDocument> urdfs;
};

/** Finds all files that an SDFormat document includes, and those that they do,
and reads their XML. A URI is as for MeshFiles::Resolve(), of an SDFormat or
URDF file or of a folder whose model.config names one.
@throws std::runtime_error "file:line: ..." if a document is not well-formed or
not an <sdf>, if its version is not one, if a name of version 1.8 or later has
"::" in it, if a file is not there or includes itself, if more than 1000 files
are included or elements nested more than 300 deep through them, if the same
relative URI means different files, or also one in the present folder. */
SdfIncludes FindSdfIncludes(const XmlDocument& document,
                            const PackageMap& packages);

}  // namespace wyvern::multibody::internal
