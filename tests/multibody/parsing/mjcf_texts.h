#pragma once

/** @file
MJCF for tests, and its reading. */

#include <algorithm>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_reader.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody {

/** Reads `text` with shapes, appending warnings to `warnings` if not null. */
inline internal::ParsedModel ReadMjcfText(
    const std::string& text, std::vector<std::string>* warnings = nullptr) {
  internal::WarningLog log;
  log.set_handler({});
  auto model =
      internal::ReadMjcf(internal::XmlDocument::FromString(text, "m.xml"),
                         PackageMap{}, true, &log);
  log.EndFile();
  if (warnings != nullptr) *warnings = log.warnings();
  return model;
}

/** The model `m` with this in it from line 2 on. */
inline std::string MjcfText(const std::string& inside) {
  return "<mujoco model=\"m\">\n" + inside + "\n</mujoco>\n";
}

/** The model `m`, radians, with the body `a`, in line 3, with this in it. */
inline std::string MjcfBodyText(const std::string& inside,
                                const std::string& more = {}) {
  return MjcfText("<compiler angle=\"radian\"/><worldbody>\n<body name=\"a\">" +
                  inside + "</body></worldbody>\n" + more);
}

inline const internal::ParsedLink& LinkNamed(const internal::ParsedModel& model,
                                             const std::string& name) {
  return *std::ranges::find(model.links, name, &internal::ParsedLink::name);
}

inline const internal::ParsedJoint& JointNamed(
    const internal::ParsedModel& model, const std::string& name) {
  return *std::ranges::find(model.joints, name, &internal::ParsedJoint::name);
}

}  // namespace wyvern::multibody
