// Model files.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/gil.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::python {

using namespace multibody;  // NOLINT(build/namespaces)

namespace {

using Indices = std::vector<ModelInstanceIndex>;

Indices AddModels(Parser* parser,
                  const std::optional<std::filesystem::path>& file_name,
                  const std::optional<std::string>& url,
                  const std::optional<std::string>& contents,
                  const std::optional<std::string>& type) {
  const int num_given =
      file_name.has_value() + url.has_value() + contents.has_value();
  if (num_given != 1 || contents.has_value() != type.has_value()) {
    throw nb::type_error(
        "Parser.AddModels() wants either a file name, or url, or "
        "file_contents with file_type.");
  }
  if (url.has_value()) return parser->AddModelsFromUrl(*url);
  if (contents.has_value())
    return parser->AddModelsFromString(*contents, *type);
  return parser->AddModels(*file_name);
}

}  // namespace

void BindParsing(nb::module_ m) {
  DocumentedClass<PackageMap>(m, "PackageMap", "Folders of packages by name.")
      .def("Add", &PackageMap::Add, "package_name"_a, "package_path"_a)
      .def("Contains", &PackageMap::Contains, "package_name"_a);
  DocumentedClass<Parser>(m, "Parser",
                          "Reads URDF, SDFormat, MJCF, directives.")
      .def(
          "__init__",
          [](Parser* self, MultibodyPlant<double>* plant,
             const std::string& prefix) { new (self) Parser(plant, prefix); },
          "plant"_a, "model_name_prefix"_a = "", nb::keep_alive<1, 2>())
      .def("plant", &Parser::plant, nb::rv_policy::reference_internal)
      .def("package_map", &Parser::package_map,
           nb::rv_policy::reference_internal)
      .def("AddModels", &AddModels, "file_name"_a.none() = nb::none(),
           nb::kw_only(), "url"_a.none() = nb::none(),
           "file_contents"_a.none() = nb::none(),
           "file_type"_a.none() = nb::none(), nb::call_guard<GilRelease>(),
           "Adds the models of a file, a URL or a text; returns their model "
           "instances.")
      .def("SetAutoRenaming", &Parser::SetAutoRenaming, "value"_a)
      .def("GetAutoRenaming", &Parser::GetAutoRenaming)
      .def("SetStrictParsing", &Parser::SetStrictParsing)
      .def("warnings", &Parser::warnings);
}

}  // namespace wyvern::python
