#include "wyvern/app/scenario_schema.h"

#include "wyvern/app/scenario.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/yaml/yaml_schema.h"

namespace wyvern::app {

std::string MakeScenarioSchema() {
  std::string schema = yaml::SchemaOf(Scenario{});
  // Numbers may be spelt as JSON cannot (.inf), or be drawn.
  schema.insert(1, R"("$schema": "https://json-schema.org/draft/2020-12/schema",
"title": "Wyvern scenario",
"$defs": {
  "distribution": {"type": "object", "minProperties": 1,
    "description": "A random number or vector, with a tag such as !Gaussian.",
    "properties": {
      "value": {"description": "Value of !Deterministic."},
      "min": {"description": "Lower end of !Uniform."},
      "max": {"description": "Upper end of !Uniform."},
      "mean": {"description": "Mean of !Gaussian."},
      "stddev": {"description": "Standard deviation of !Gaussian."},
      "values": {"description": "Values of !UniformDiscrete."}},
    "additionalProperties": false},
  "number": {"anyOf": [{"type": "number"},
    {"enum": [".inf", "-.inf"]}, {"$ref": "#/$defs/distribution"}]},
  "integer": {"anyOf": [{"type": "integer"},
    {"$ref": "#/$defs/distribution"}]},
  "block": )" + systems::BlockRegistry::Get().MakeSchema() +
                       R"(
},
)");
  return schema + "\n";
}

}  // namespace wyvern::app
