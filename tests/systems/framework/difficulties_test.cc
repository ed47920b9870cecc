// Systems describe why a model is hard to advance.
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {
namespace difficulties_test {

class Complainer final : public LeafSystem<double> {
 public:
  explicit Complainer(std::string text) : text_(std::move(text)) {}

 private:
  std::string DoDescribeDifficulties(const Context<double>& context,
                                     Difficulty least) const final {
    if (least == Difficulty::kSevere && text_.starts_with("One")) return "";
    if (text_ == "throw") throw std::runtime_error("cannot say");
    return text_.empty()
               ? ""
               : text_ + std::to_string(int(context.get_time())) + ".";
  }
  const std::string text_;
};

TEST(Difficulties, OfADiagramAreThoseOfItsSystems) {
  DiagramBuilder<double> builder, inner;
  builder.AddSystem<Complainer>("One is stuck at ");
  builder.AddSystem<Complainer>("");
  inner.AddSystem<Complainer>("Two is stuck at ");
  builder.AddSystem(inner.Build());
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  context->SetTime(3);
  EXPECT_EQ(diagram->DescribeDifficulties(*context),
            "One is stuck at 3. Two is stuck at 3.");
}

TEST(Difficulties, ThatAreSevereAreAskedForAlone) {
  DiagramBuilder<double> builder;
  builder.AddSystem<Complainer>("One is stuck at ");
  builder.AddSystem<Complainer>("Two is stuck at ");
  const auto diagram = builder.Build();
  EXPECT_EQ(diagram->DescribeDifficulties(*diagram->CreateDefaultContext(),
                                          Difficulty::kSevere),
            "Two is stuck at 0.");
}

TEST(Difficulties, ThatCannotBeDescribedDoNotHideOthers) {
  DiagramBuilder<double> builder;
  builder.AddSystem<Complainer>("throw");
  builder.AddSystem<Complainer>("Two is stuck at ");
  const auto diagram = builder.Build();
  EXPECT_EQ(diagram->DescribeDifficulties(*diagram->CreateDefaultContext()),
            "Two is stuck at 0.");
}

}  // namespace difficulties_test
}  // namespace wyvern::systems
