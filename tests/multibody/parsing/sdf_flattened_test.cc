// Names with "::" in documents before SDFormat 1.8, which tell of models in
// models. Wanted poses and instances are those of Drake 1.51 for the first
// text.
#include "wyvern/multibody/parsing/sdf_flattened.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/sdf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::multibody {
namespace {

std::string OldSdf(const std::string& inside,
                   const std::string& version = "1.6") {
  return "<sdf version='" + version + "'>\n" + inside + "\n</sdf>\n";
}

std::string OldModel(const std::string& more,
                     const std::string& version = "1.6") {
  return OldSdf("<model name='m'>\n" + more + "\n</model>", version);
}

constexpr char kFlatArm[] =
    "<link name='arm::a'><pose>0 0 1 0 0 0</pose></link>"
    "<link name='arm::b'><pose>1 0 0 0 0 0</pose></link>"
    "<joint name='arm::j' type='revolute'><parent>arm::a</parent>"
    "<child>arm::b</child><axis><xyz>0 0 1</xyz></axis></joint>"
    "<link name='c'/><joint name='k' type='fixed'><parent>c</parent>"
    "<child>arm::a</child></joint>";

TEST(SdfFlattened, NamesWithAScopeAreThoseOfAModelInTheModel) {
  for (const std::string version : {"1.4", "1.6", "1.7"}) {
    MultibodyPlant<double> plant(0.0);
    Parser parser(&plant);
    parser.SetWarningHandler({});
    parser.AddModelsFromString(
        OldSdf("<world name='w'><model name='m'>\n" + std::string(kFlatArm) +
                   "</model></world>",
               version),
        "sdf");
    ASSERT_EQ(parser.warnings().size(), 1u) << version;
    EXPECT_NE(parser.warnings()[0].find("'arm' in model 'm'"),
              std::string::npos);
    plant.Finalize();
    EXPECT_EQ(plant.num_model_instances(), 2 + 2);
    EXPECT_EQ(plant.num_positions(), 8);
    const auto arm = plant.GetModelInstanceByName("m::arm");
    const auto context = plant.CreateDefaultContext();
    const auto position = [&](const RigidBody<double>& body) {
      return plant.EvalBodyPoseInWorld(*context, body).translation();
    };
    EXPECT_EQ(position(plant.GetBodyByName("a", arm)),
              Vector3<double>(0, 0, 1));
    EXPECT_EQ(position(plant.GetBodyByName("b", arm)),
              Vector3<double>(1, 0, 0));
    EXPECT_EQ(plant.GetJointByName("j", arm).parent_body().name(), "a");
    EXPECT_EQ(plant.GetJointActuatorByName("j").model_instance(), arm);
  }
}

// `more` follows a model in a model that is posed by its own frame.
std::string Posed(const std::string& more) {
  return OldModel(
      "<frame name='arm::__model__' attached_to='arm::a'>"
      "<pose relative_to='__model__'>1 2 3 0 0 0</pose></frame>"
      "<link name='arm::a'><pose relative_to='arm::__model__'>0 0 1 0 0 0"
      "</pose></link>\n" +
          more,
      "1.7");
}

TEST(SdfFlattened, TheFrameOfAModelPosesIt) {
  const internal::ParsedModel model = ReadSdfText(Posed(
      "<frame name='arm::tip' attached_to='arm::a'><pose "
      "relative_to='arm::__model__'>0 5 0 0 0 0</pose></frame>"
      "<frame name='arm::hand::__model__' attached_to='arm::hand::b'>"
      "<pose relative_to='arm::tip'/></frame>"
      "<link name='arm::hand::b'><pose relative_to='arm::hand::__model__'/>"
      "</link>"));
  const internal::ParsedModel& arm = model.nested.at(0);
  EXPECT_EQ(arm.links.at(0).X_WB->translation(), Vector3<double>(1, 2, 4));
  EXPECT_EQ(arm.nested.at(0).name, "hand");
  EXPECT_EQ(arm.nested[0].links.at(0).name, "b");
  EXPECT_EQ(arm.nested[0].links[0].X_WB->translation(),
            Vector3<double>(1, 7, 3));
}

TEST(SdfFlattened, NamesThatLeaveTheirModelAreRefused) {
  const auto expect = [](const std::string& text, const char* why) {
    EXPECT_THROWS_MESSAGE(ReadSdfText(text), std::runtime_error, why);
  };
  expect(Posed("<link name='arm::b'/>"),
         "<string>:4: link 'arm::b': it is posed in the frame of model 'm'; "
         "give the frame 'arm::__model__'");
  expect(Posed("<frame name='arm::f'><pose relative_to='arm::a'/></frame>"),
         "attached to the frame of model 'm'");
  expect(Posed("<joint name='arm::j' type='ball'><parent>d</parent>"
               "<child>arm::a</child></joint><link name='d'/>"),
         "there is no link or frame 'd' in model 'arm'");
  expect(OldModel("<link name='a'/><frame name='x::f' attached_to='a'/>"),
         "there is no link of model 'x'");
  expect(OldModel("<model name='x'><link name='a'/></model>"
                  "<link name='x::b'/>"),
         "<string>:3: link 'x::b': there is already a model 'x'");
  for (const std::string name :
       {"x::", "::x", "x::::y", "x::world", "__x__::y"}) {
    expect(OldModel("<link name='" + name + "'/>"), "; take another");
  }
  std::string deep;
  for (int i = 0; i < 400; ++i) deep += "x::";
  expect(OldModel("<link name='" + deep + "y'/>"), "nested more than 300");
}

TEST(SdfFlattened, ModelsAndShapesMayHaveScopedNames) {
  MultibodyPlant<double> plant(0.0);
  Parser parser(&plant);
  parser.AddModelsFromString(
      OldSdf("<world name='w'><model name='o::m'><link name='a'>"
             "<visual name='v::w'><geometry><sphere><radius>1</radius></sphere>"
             "</geometry></visual></link></model><joint name='j' type='fixed'>"
             "<parent>world</parent><child>o::m::a</child></joint></world>",
             "1.7"),
      "sdf");
  const auto m = plant.GetModelInstanceByName("o::m");
  EXPECT_EQ(plant.GetJointByName("j").child_body().index(),
            plant.GetBodyByName("a", m).index());
}

}  // namespace
}  // namespace wyvern::multibody
