#include "wyvern/multibody/parsing/conversion/xml_text.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/parsing/number_text.h"
#include "wyvern/systems/common/file_paths.h"

namespace wyvern::multibody::internal {

namespace fs = std::filesystem;

XmlText::XmlText() : printer_(std::make_unique<tinyxml2::XMLPrinter>()) {
  printer_->PushHeader(false, true);
}

XmlText::~XmlText() = default;

void XmlText::Open(const std::string& name, const Attributes& attributes) {
  printer_->OpenElement(names_.insert(name).first->c_str());
  for (const auto& [attribute, value] : attributes) {
    printer_->PushAttribute(attribute.c_str(), value.c_str());
  }
}

void XmlText::Close() { printer_->CloseElement(); }

void XmlText::Leaf(const std::string& name, const Attributes& attributes) {
  Open(name, attributes);
  Close();
}

void XmlText::Text(const std::string& name, const std::string& text,
                   const Attributes& attributes) {
  Open(name, attributes);
  printer_->PushText(text.c_str());
  Close();
}

std::string XmlText::text() const { return printer_->CStr(); }

std::string RpyText(const math::RigidTransform<double>& X) {
  return ToText(math::RollPitchYaw<double>(X.rotation()).vector());
}

std::string PositionText(const math::RigidTransform<double>& X) {
  return ToText(X.translation());
}

bool IsIdentity(const math::RigidTransform<double>& X) {
  return X.IsNearlyIdentity(1e-14);
}

FileNames::FileNames(const fs::path& out)
    : folder_(
          wyvern::internal::MakeAbsolute("ConvertModel()", out).parent_path()),
      mesh_folder_(folder_ / (out.stem().string() + "_meshes")) {}

std::string FileNames::NameOfFile(const fs::path& file) const {
  const fs::path name = wyvern::internal::MakeAbsolute("ConvertModel()", file)
                            .lexically_relative(folder_);
  return name.empty() ? file.string() : name.string();
}

std::string FileNames::NameOfMesh(const geometry::MeshSource& mesh) {
  if (mesh.is_path()) return NameOfFile(mesh.path());
  const std::string& contents = mesh.in_memory().mesh_file.contents();
  fs::path& file = by_contents_[mesh.extension() + contents];
  if (file.empty()) {
    file = mesh_folder_ /
           fmt::format("mesh_{}{}", by_contents_.size(), mesh.extension());
    meshes_[file] = contents;
  }
  return NameOfFile(file);
}

}  // namespace wyvern::multibody::internal
