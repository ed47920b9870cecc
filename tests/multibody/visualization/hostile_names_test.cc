// Names that are made to break a page: of models, bodies, joints, blocks,
// ports, elements of vectors, sliders and buttons. A real browser shows them as
// text.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/visualization/plant_page.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/gain.h"

namespace wyvern::multibody {
namespace hostile_names_test {

using Eigen::Vector3d;
using Numbers = std::vector<double>;

// Markup, quotes of each kind, entities, an override of the writing direction,
// and the end of a script.
std::string Hostile(const std::string& start) {
  return start +
         " </script><script>window.intrusions = 1</script>"
         "<img src=x onerror=\"window.intrusions = 2\"><b>'`\"&amp;&lt;${1}\\"
         "\u202eabc\u202c\u2066\x01\n tail";
}

std::string Long(const std::string& start) {
  return start + std::string(10'000, 'x');
}

// Two numbers at a port of a hostile name.
class Source final : public systems::LeafSystem<double> {
 public:
  Source() {
    DeclareVectorOutputPort(Hostile("out"), 2, &Source::Calc)
        .set_units({"<i>", Hostile("unit")});
    DeclareVectorOutputPort(Long("out"), 2, &Source::Calc);
  }

 private:
  void Calc(const systems::Context<double>&,
            systems::BasicVector<double>* y) const {
    y->SetFromVector(Eigen::Vector2d(0.25, 0.75));
  }
};

class HostileNamesTest : public test::PlantPageTest {
 protected:
  void SetUp() override {
    PlantPageTest::SetUp();
    if (IsSkipped()) return;
    systems::DiagramBuilder<double> builder;
    AddPlant(&AddCubes, &builder);
    auto* source = builder.AddNamedSystem<Source>(Hostile("source"));
    auto* gain =
        builder.AddNamedSystem<systems::Gain<double>>(Long("gain"), 1.0, 2);
    builder.Connect(source->get_output_port(0), gain->get_input_port());
    Build(&builder);
    viewer->AddSlider(Hostile("slider"), 0, 1, 0.1, 0.5);
    viewer->AddSlider(Long("slider"), 0, 1, 0.1, 0.5);
    viewer->AddButton(Hostile("button"));
    viewer->SetCameraPose({2.4, -0.6, 1.1}, {0, 0, 0});
  }

 private:
  static void AddCubes(MultibodyPlant<double>* plant) {
    const auto model = plant->AddModelInstance(Hostile("model"));
    const auto inertia = SpatialInertia<double>::SolidCubeWithMass(2, 0.4);
    const geometry::Box shape(0.4, 0.4, 0.4);
    for (const auto& name : {Hostile("cube"), Long("cube")}) {
      const auto& cube = plant->AddRigidBody(name, model, inertia);
      plant->RegisterVisualGeometry(cube, {}, shape, Hostile("look"),
                                    Eigen::Vector4d(0.9, 0.2, 0.1, 1));
      plant->AddJoint<RevoluteJoint>("pin " + name, plant->world_body(), {},
                                     cube, {}, Vector3d::UnitZ());
    }
  }
};

TEST_F(HostileNamesTest, AreTextsOfAPageThatWorks) {
  const auto names = [](const systems::PortBase& port) {
    return port.size() == 2
               ? std::vector<std::string>{Hostile("one"), Long("two")}
               : std::vector<std::string>();
  };
  const auto said = DoWhileItRuns(
      {"size=900x700", "wait-for=/wyvern/illustration", "key=t",
       "click=450,350", "wait-for-text=Drag it to pull it.", "press=Diagram",
       "press=Values", "readings", "click-on=#diagram circle.vector >> nth=-1",
       "fill-first=#controls input[type=range]:0.7",
       "click-on=#controls > button", "svg=never", "intrusions"},
      {.element_names = names});
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[0].at(0), 0.25);
  EXPECT_EQ(said[1],
            (Numbers{0, 0, 0}));  // Errors of the SVG; scripts, images.
  EXPECT_EQ(said[2], (Numbers{0, 0, 0}));
  EXPECT_EQ(viewer->GetSliderValue(Hostile("slider")), 0.7);
  EXPECT_EQ(viewer->GetButtonClicks(Hostile("button")), 1);
}

TEST_F(HostileNamesTest, StayTextsInASavedPage) {
  viewer->StartRecording(10);
  simulator->AdvanceTo(0.3);
  viewer->MarkRecording(Hostile("mark"), 0.1);
  viewer->PublishRecording();
  const std::string file = testing::TempDir() + "/wyvern_hostile_names.html";
  viewer->SaveStaticHtml(file);
  const auto said =
      Do("file://" + file, {"wait-for=/wyvern/illustration", "key=t",
                            "count=#timeline", "intrusions"});
  EXPECT_EQ(said, (std::vector<Numbers>{{1}, {0, 0, 0}}));
}

}  // namespace hostile_names_test
}  // namespace wyvern::multibody
