#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sdf/Error.hh>
#include <sdf/InterfaceElements.hh>
#include <sdf/InterfaceModel.hh>
#include <sdf/ParserConfig.hh>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/sdf_includes.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** The URDF models that an SDFormat document includes. libsdformat is told of
their links and frames, which it poses; all else is read here. */
class SdfUrdfModels {
 public:
  /** Arguments must outlive this; see ReadSdf(). */
  SdfUrdfModels(const SdfIncludes& includes, const PackageMap& packages,
                bool with_shapes, WarningLog* log)
      : includes_(includes),
        packages_(packages),
        with_shapes_(with_shapes),
        log_(log) {}

  /** Has libsdformat ask this for what it includes. */
  void Register(sdf::ParserConfig* config);
  /** @throws std::runtime_error "file:line: ..." if a URDF file that was asked
  for is not valid. */
  void RequireAccepted() const;

  /** Of a document that was loaded: the model placed where it is in the world.
   */
  ParsedModel Get(const sdf::InterfaceModel& model) const;

 private:
  struct Included {
    ParsedModel model;
    math::RigidTransform<double> X_WM;
  };
  sdf::InterfaceModelPtr Make(const sdf::NestedInclude& include);
  const ParsedModel& ReadOnce(const std::filesystem::path& path,
                              const XmlDocument& document);

  const SdfIncludes& includes_;
  const PackageMap& packages_;
  const bool with_shapes_;
  WarningLog* const log_;
  std::map<std::filesystem::path, ParsedModel> read_;
  // What libsdformat was given, kept so that no other has its address.
  std::vector<std::pair<sdf::InterfaceModelPtr, std::shared_ptr<Included>>>
      given_;
  std::string error_;
};

}  // namespace wyvern::multibody::internal
