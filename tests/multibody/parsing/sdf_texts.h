#pragma once

/** @file
SDFormat for tests, and its reading. */

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/sdf_reader.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody {

/** A document with this inside, from line 2 on. */
inline std::string Sdf(const std::string& inside) {
  return "<sdf version='1.9' xmlns:drake='http://drake'>\n" + inside +
         "\n</sdf>\n";
}

/** A model of the links `a` and `b` on line 2, with `more` from line 3 on. */
inline std::string SdfModel(const std::string& more) {
  return Sdf("<model name='m'><link name='a'/><link name='b'/>\n" + more +
             "\n</model>");
}

/** The joint `j` from `a` to `b`, with `more` in it. */
inline std::string SdfJoint(const std::string& more,
                            const std::string& type = "revolute") {
  return "<joint name='j' type='" + type +
         "'><parent>a</parent><child>b</child>" + more + "</joint>";
}

/** Reads `text` with shapes, appending warnings to `warnings` if not null. */
inline internal::ParsedModel ReadSdfText(
    const std::string& text, std::vector<std::string>* warnings = nullptr) {
  internal::WarningLog log;
  log.set_handler({});
  const PackageMap packages;
  auto model =
      internal::ReadSdf(internal::XmlDocument::FromString(text, "<string>"),
                        packages, true, &log);
  log.EndFile();
  if (warnings != nullptr) *warnings = log.warnings();
  return model;
}

}  // namespace wyvern::multibody
