#include "wyvern/multibody/parsing/conversion/convert_model.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/conversion/model_differences.h"
#include "wyvern/multibody/parsing/conversion/sdf_writer.h"
#include "wyvern/multibody/parsing/conversion/shape_pairs.h"
#include "wyvern/multibody/parsing/conversion/unique_names.h"
#include "wyvern/multibody/parsing/conversion/urdf_writer.h"
#include "wyvern/multibody/parsing/model_file.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/common/output_file.h"

/* Conversion turns a file into a ParsedModel, the model into text, and the text
into a ParsedModel again. The text is written only if the two models are the
same, or if losses are allowed. Otherwise the meshes, which are written
first, are removed. */

namespace wyvern::multibody {

namespace fs = std::filesystem;

namespace {

using internal::FileNames;
using internal::ModelFileType;
using internal::ParsedJoint;
using internal::ParsedModel;

std::string ReadFileIfThere(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/** Files that are there as long as this lives, unless kept. */
class NewFiles {
 public:
  NewFiles() = default;
  NewFiles(const NewFiles&) = delete;
  ~NewFiles() {
    std::error_code error;
    for (const fs::path& path : created_) fs::remove(path, error);
    // Remove the folder only if it is empty.
    if (!folder_.empty()) fs::remove(folder_, error);
  }

  // One that has another text already is somebody else's.
  void WriteMesh(const fs::path& file, const std::string& text) {
    const fs::path folder = file.parent_path();
    if (wyvern::internal::MakeFolders("ConvertModel()", folder)) {
      folder_ = folder;
    }
    const bool is_there = wyvern::internal::Exists(file);
    if (is_there && ReadFileIfThere(file) != text) {
      throw std::runtime_error(fmt::format(
          "'{}' is there already, with other contents; move it, or give the "
          "new model another name.",
          file.string()));
    }
    if (is_there) return;
    created_.push_back(file);
    wyvern::internal::WriteWholeFile("ConvertModel()", file, text);
  }
  void Keep() {
    created_.clear();
    folder_.clear();
  }

 private:
  std::vector<fs::path> created_;
  fs::path folder_;
};

// Links that are static are fixed to the world; couplers are mimics as far as a
// joint has one; and shapes that do not touch are links, as far as may be.
ParsedModel Normalize(ParsedModel model) {
  if (model.is_static) {
    model.joints.clear();
    model.actuators.clear();
    model.couplers.clear();
    for (const internal::ParsedLink& link : model.links) {
      ParsedJoint joint;
      joint.name = "static_world_welds_to_" + link.name;
      joint.type = internal::ParsedJointType::kFixed;
      joint.parent = internal::kWorldName;
      joint.child = link.name;
      joint.X_PF = link.X_WB;
      model.joints.push_back(std::move(joint));
    }
    model.is_static = false;
  }
  std::erase_if(model.couplers, [&](const internal::ParsedCoupler& coupler) {
    for (ParsedJoint& joint : model.joints) {
      if (joint.name != coupler.joint0 || joint.mimic.has_value()) continue;
      joint.mimic = {coupler.joint1, coupler.gear_ratio, coupler.offset};
      return true;
    }
    return false;
  });
  // SDFormat's name for the origin of a model.
  std::erase_if(model.frames, [](const internal::ParsedFrame& frame) {
    return frame.name == "__model__";
  });
  return model;
}

bool IsNested(const std::string& name) { return name.find("::") != name.npos; }

// Without what refers to models that are nested, as those are not written.
void RemoveNested(ParsedModel* model) {
  std::erase_if(model->joints, [](const ParsedJoint& joint) {
    return IsNested(joint.parent) || IsNested(joint.child);
  });
  for (ParsedJoint& joint : model->joints) {
    if (joint.mimic.has_value() && IsNested(joint.mimic->joint)) {
      joint.mimic.reset();
    }
  }
  std::erase_if(model->frames,
                [](const auto& frame) { return IsNested(frame.link); });
  std::erase_if(model->actuators, [&](const auto& actuator) {
    return std::ranges::find(model->joints, actuator.joint,
                             &ParsedJoint::name) == model->joints.end();
  });
  std::erase_if(model->bushings, [](const auto& x) {
    return IsNested(x.frame_A) || IsNested(x.frame_C);
  });
  const auto joins_nested = [](const auto& x) {
    return IsNested(x.body_A) || IsNested(x.body_B);
  };
  std::erase_if(model->spring_dampers, joins_nested);
  std::erase_if(model->ball_constraints, joins_nested);
  for (auto& group : model->filter_groups) {
    std::erase_if(group.members, IsNested);
  }
}

ParsedModel Read(const internal::XmlDocument& document, ModelFileType type,
                 const ModelConversionOptions& options,
                 std::vector<std::string>* warnings) {
  internal::WarningLog log;
  log.set_handler({});
  log.BeginFile();
  ParsedModel model =
      internal::ReadModelDocument(document, type, options.packages, true, &log);
  log.EndFile();
  if (warnings != nullptr) *warnings = log.warnings();
  return Normalize(internal::TakeOneModel(std::move(model), document.source(),
                                          "a conversion"));
}

ModelFileType TypeToRead(const fs::path& in) {
  const auto type = internal::FindModelFileType(in.filename().string());
  if (type == ModelFileType::kDirectives) {
    throw std::runtime_error(fmt::format(
        "ConvertModel(): '{}' is a scene of several files; convert the models "
        "that its directives name.",
        in.string()));
  }
  if (!type.has_value()) {
    throw std::runtime_error(fmt::format(
        "ConvertModel(): '{}' is not of a type that can be read; give a file "
        "whose name ends in .urdf, .sdf or .xml.",
        in.string()));
  }
  return *type;
}

ModelFileType TypeToWrite(const fs::path& out) {
  const auto type = internal::FindModelFileType(out.filename().string());
  if (type != ModelFileType::kUrdf && type != ModelFileType::kSdf) {
    throw std::runtime_error(fmt::format(
        "ConvertModel(): '{}' is not of a type that can be written; give a "
        "name that ends in .urdf or .sdf.",
        out.string()));
  }
  return *type;
}

}  // namespace

ModelConversion ConvertModel(const fs::path& in, const fs::path& out,
                             const ModelConversionOptions& options) {
  const ModelFileType type_in = TypeToRead(in);
  const ModelFileType type_out = TypeToWrite(out);
  std::error_code error;
  if (fs::equivalent(in, out, error)) {
    throw std::runtime_error(fmt::format(
        "ConvertModel(): '{}' is both the old and the new file; give two.",
        in.string()));
  }
  ModelConversion result;
  ParsedModel before = Read(internal::XmlDocument::FromFile(in), type_in,
                            options, &result.warnings);
  if (type_out == ModelFileType::kSdf) {
    std::ranges::move(internal::MakeJointNamesUnique(&before),
                      std::back_inserter(result.warnings));
  }
  ParsedModel to_write = before;
  internal::MakeGroupsOfExclusions(&to_write);
  RemoveNested(&to_write);
  FileNames names(out);
  const std::string text = type_out == ModelFileType::kUrdf
                               ? internal::WriteUrdf(to_write, &names)
                               : internal::WriteSdf(to_write, &names);
  NewFiles files;
  for (const auto& [file, contents] : names.meshes()) {
    files.WriteMesh(file, contents);
  }
  try {
    result.losses = internal::FindDifferences(
        before, Read(internal::XmlDocument::FromContents(text, out), type_out,
                     options, nullptr));
  } catch (const std::runtime_error& reason) {
    throw std::runtime_error(fmt::format("{} cannot be written as {}: {}",
                                         in.string(), out.string(),
                                         reason.what()));
  }
  if (!result.losses.empty() && !options.is_lossy) return result;
  wyvern::internal::WriteWholeFile("ConvertModel()", out, text);
  files.Keep();
  result.is_written = true;
  return result;
}

}  // namespace wyvern::multibody
