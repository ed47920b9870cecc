#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/sdf_pose.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** A link, joint or frame of an SdfScope. */
struct SdfItem {
  SdfElement element;
  std::string name;
  /** Where it is; relative_to is never empty. Names are those of the scope. */
  SdfPose pose{};
  /** Child of a joint, or the element to which a frame is fixed. */
  std::string attached_to{};
  /** The frame that the element means by `__model__`: another one if it comes
  from a model that was merged into this one. */
  std::string model_frame{};
  /** If not empty, the frame that `pose` places; it moves with this one. */
  std::string placement_frame{};
  /** The scope of names in an element that was written in an outer model, as
  "arm::", or empty; see NestFlattenedParts(). */
  std::string outer_prefix{};

  /** Returns the name in this item's model of what the element calls `name`. */
  std::string Localize(const std::string& given) const {
    if (given == "__model__") return model_frame;
    return given.starts_with(outer_prefix) ? given.substr(outer_prefix.size())
                                           : given;
  }
};

/** A <world> or <model>, with the models that are nested in it or included.
Names in it are those of its items, of its models, which stand for their frames,
and "model::name" for names in a model. */
struct SdfScope {
  SdfElement element;
  /** The outer one; null for the root. */
  const SdfScope* outer{};
  std::string name{};
  bool is_world{false};
  bool is_static{false};
  /** Pose of a model's placement frame or, if that is empty, of the model
   * itself.
   */
  SdfPose pose{};
  std::string placement_frame{};
  /** The link that the model's frame is fixed to; empty: the first one. */
  std::string canonical_link{};
  std::vector<SdfItem> links{};
  std::vector<SdfItem> joints{};
  std::vector<SdfItem> frames{};
  std::vector<SdfItem> extensions{};
  std::vector<std::unique_ptr<SdfScope>> models{};
  /** A model that comes from a URDF file: all that is in it. */
  std::optional<ParsedModel> urdf{};

  /** "model 'm'", for messages; "this world" for a world. */
  std::string Describe() const;
  /** The name of the link, or nested model, that the model's frame is fixed to;
  empty if there is none. */
  std::string FindCanonicalLink() const;
};

/** Reads the models of an SDFormat document and of the files that it includes:
all that gives frames their names and places. An include's URI is as for
MeshFiles::Resolve(), of an SDFormat or URDF file or of a folder whose
model.config names one. */
class SdfTree {
 public:
  /** @param packages must outlive this. @throws std::runtime_error
  "file:line: ..." if a document is not an <sdf> of one model or world, if a
  version or name is not valid, if a file is not there or includes itself, if
  more than 1000 files are included or models nested more than 300 deep. */
  SdfTree(const XmlDocument& document, const PackageMap& packages,
          bool with_shapes, WarningLog* log);
  SdfTree(const SdfTree&) = delete;
  SdfTree& operator=(const SdfTree&) = delete;
  ~SdfTree();

  const SdfScope& root() const { return *root_; }

 private:
  class Reader;

  // The files that are included, by path. Elements refer to them.
  std::map<std::filesystem::path, XmlDocument> documents_;
  std::map<std::filesystem::path, SdfFile> files_;
  SdfFile top_{};
  std::unique_ptr<SdfScope> root_;
};

}  // namespace wyvern::multibody::internal
