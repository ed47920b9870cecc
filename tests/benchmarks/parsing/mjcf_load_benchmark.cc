// Loads the MJCF files of a folder that both engines load, as its figures.txt
// names them (tests/oracles/mjcf_dynamics.py), into a finalized plant with a
// scene graph each, twice, and prints the milliseconds of each file, the
// lesser; mjcf_load.py does the same with MuJoCo and compares.
//   parsing_benchmark FOLDER > wyvern.txt
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>

#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern {
namespace {

double LoadInMilliseconds(const std::string& file) {
  const auto begin = std::chrono::steady_clock::now();
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] =
      multibody::AddMultibodyPlantSceneGraph(&builder, 0.001);
  multibody::Parser parser(&plant);
  parser.SetWarningHandler({});
  parser.AddModels(file);
  plant.Finalize();
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - begin)
      .count();
}

int Main(const std::string& folder) {
  std::ifstream figures(folder + "/figures.txt");
  for (std::string line; std::getline(figures, line);) {
    std::istringstream words(line);
    std::string word, path;
    words >> word >> path;
    if (word != "model") continue;
    try {
      const double first = LoadInMilliseconds(folder + "/" + path);
      const double second = LoadInMilliseconds(folder + "/" + path);
      std::printf("%s %.4f\n", path.c_str(), std::min(first, second));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
    }
  }
  return 0;
}

}  // namespace
}  // namespace wyvern

int main(int argc, char** argv) {
  if (argc == 2) return wyvern::Main(argv[1]);
  std::fprintf(stderr, "parsing_benchmark: give a folder with figures.txt.\n");
  return 1;
}
