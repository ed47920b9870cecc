#pragma once

#include <string>
#include <vector>

#include "wyvern/app/scenario.h"

namespace wyvern::app {

/** Reads a scenario. What it does not say has its default. Where a number may
stand there may be a distribution (random_values.h), of which `random_seed` and
the path of the key choose the number.
@param settings each "path=value", of which the value, any YAML, takes the place
of what is at the path: "plant_config.time_step=0.002", "logs[0].period=0.1".
@throws std::runtime_error naming file, line, column, the key and the one that
was meant, if something cannot be read; the setting, if it names no place. */
Scenario LoadScenario(const std::string& filename,
                      const std::vector<std::string>& settings = {});
/** Loads a scenario from a text, which messages call `source`. */
Scenario LoadScenarioFromString(const std::string& text,
                                const std::vector<std::string>& settings = {},
                                const std::string& source = "<string>");
/** The document that LoadScenarioFromString() reads back, with all defaults. */
std::string SaveScenario(const Scenario& scenario);

/** Returns the number at a path of the scenario with all defaults.
@throws std::runtime_error if there is no number. */
double GetScenarioNumber(const Scenario& scenario, const std::string& path);

/** Returns the text of a scenario with other numbers, and with its comments and
its layout as they are. @param settings each "path=value" of a number, or of a
list of numbers in the place of one of as many or of one. `gravity` and numbers
of `model_parameters` are added if the text does not have them.
@throws std::runtime_error naming the path, if the text has no such number, or
another value would change too, as that of an alias. */
std::string EditScenarioText(const std::string& text,
                             const std::vector<std::string>& settings,
                             const std::string& source = "<string>");

}  // namespace wyvern::app
