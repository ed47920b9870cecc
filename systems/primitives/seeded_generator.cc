#include "wyvern/systems/primitives/seeded_generator.h"

#include <atomic>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/systems/common/value_serialization.h"

namespace wyvern::systems {

// Makes a new distribution object each time: one that keeps a second Gaussian
// for later would be state outside the Context.
double SeededGenerator::Draw(RandomDistribution distribution) {
  switch (distribution) {
    case RandomDistribution::kUniform:
      return std::uniform_real_distribution<double>()(engine);
    case RandomDistribution::kGaussian:
      return std::normal_distribution<double>()(engine);
    case RandomDistribution::kExponential:
      return std::exponential_distribution<double>()(engine);
  }
  throw std::logic_error(
      fmt::format("RandomSource: {} is no RandomDistribution.",
                  static_cast<int>(distribution)));
}

SeededGenerator::Seed SeededGenerator::NextInstanceSeed() {
  static std::atomic<Seed> next{RandomGenerator::default_seed};
  return next++;
}

// The engine is saved as text in the classic locale, the form in which the
// standard promises to read it back.
void SeededGenerator::RegisterSerialization() {
  static const bool once = [] {
    ValueSerialization::Register<SeededGenerator>(
        [](const SeededGenerator& value, std::ostream* stream) {
          std::ostringstream text;
          text.imbue(std::locale::classic());
          text << value.engine;
          WriteBinary(value.seed, stream);
          WriteBinary(text.str(), stream);
        },
        [](SeededGenerator* value, std::istream* stream) {
          std::string engine;
          ReadBinary(&value->seed, stream);
          ReadBinary(&engine, stream);
          std::istringstream text(engine);
          text.imbue(std::locale::classic());
          text >> value->engine;
          if (text.fail()) {
            throw std::runtime_error(
                "RandomSource: the stream does not hold the state of a random "
                "generator.");
          }
        });
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace wyvern::systems
