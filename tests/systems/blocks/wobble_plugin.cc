// A plug-in with one block, which the tests load.
#include <memory>
#include <optional>

#include "wyvern/systems/blocks/block_plugin.h"
#include "wyvern/systems/primitives/gain.h"

struct Wobble {
  static constexpr char kSummary[] = "Twice the factor times u0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(factor, "Half of the gain."));
  }
  std::unique_ptr<wyvern::systems::System<double>> Make() const {
    return std::make_unique<wyvern::systems::Gain<double>>(2 * factor, 1);
  }
  double factor{1};
};

WYVERN_BLOCK_PLUGIN(registry) { registry->Add<Wobble>(); }
