#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/package_map.h"

namespace wyvern::multibody {

/** How ConvertModel() works. */
struct ModelConversionOptions {
  /** Resolves URLs in the file; other packages are searched for as by
  Parser. */
  PackageMap packages{};
  /** Whether a file that loses something is written all the same. */
  bool is_lossy{false};
};

/** Result of ConvertModel(). */
struct ModelConversion {
  /** Differences of the new file, one element each, as "joint 'elbow': its
  spring_stiffness 3 becomes 0". */
  std::vector<std::string> losses;
  /** Parts of the old file that Wyvern does not read, and joints that are
  renamed in the new file. */
  std::vector<std::string> warnings;
  /** True if the new file was written. */
  bool is_written{false};
};

/** Writes the model of a file in another format. What is written is read again
and compared with what it was made of, number by number, so that nothing is lost
unsaid; poses and inertias may differ by rounding. A file that would lose
something is not written, unless told to.

@param in a .urdf, .sdf or .xml (MJCF) of one model. @param out the new file, a
.urdf or .sdf; it replaces an older one. Meshes are named by path from its
folder; those that are in no file, as stretched ones, are written into a folder
beside it.
@throws std::runtime_error if a file cannot be read or written, has several
models, or is of another type; or if they are the same file. */
ModelConversion ConvertModel(const std::filesystem::path& in,
                             const std::filesystem::path& out,
                             const ModelConversionOptions& options = {});

}  // namespace wyvern::multibody
