// Model directives: scene.dmd.yaml has all kinds of them, and its figures are
// Drake's, by tests/oracles/drake_directives.py.
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/parsing/directives/process_model_directives.h"
#include "wyvern/multibody/parsing/directives/scoped_names.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::multibody::parsing {
namespace directives_test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using test::Near;

const fs::path kFolder =
    fs::path(WYVERN_SOURCE_DIR) / "tests/multibody/parsing/models/directives";

class DirectivesTest : public testing::Test {
 protected:
  DirectivesTest() {
    parser_.package_map().AddPackageXml((kFolder / "package.xml").string());
    parser_.SetWarningHandler({});
  }
  std::vector<ModelInstanceIndex> Add(const std::string& text) {
    return parser_.AddModelsFromString(text, "dmd.yaml");
  }
  std::vector<ModelInstanceInfo> AddScene() {
    return ProcessModelDirectives(
        LoadModelDirectives((kFolder / "scene.dmd.yaml").string()), &parser_);
  }
  // Expects an error of this text, and that nothing was added.
  void ExpectRefusal(const std::string& text, const std::string& message) {
    EXPECT_THROWS_MESSAGE(Add(text), std::runtime_error, message);
    EXPECT_EQ(plant_.num_bodies(), 1) << text;
    EXPECT_EQ(plant_.num_model_instances(), 2) << text;
    EXPECT_TRUE(parser_.GetCollisionFilterGroups().empty());
  }

  geometry::SceneGraph<double> scene_graph_;
  MultibodyPlant<double> plant_{0.001};
  Parser parser_{&plant_, &scene_graph_};
};

constexpr char kArm[] =
    "add_model: {file: 'package://scene/arm.urdf', name: arm}";

Names FramesOf(const MultibodyPlant<double>& plant) {
  Names names;
  for (FrameIndex i(0); i < plant.num_frames(); ++i) {
    names.push_back(plant.get_frame(i).scoped_name().to_string());
  }
  return names;
}

TEST_F(DirectivesTest, AddTheModelsAndTellTheirWelds) {
  const auto added = AddScene();
  ASSERT_EQ(added.size(), 3u);
  EXPECT_EQ(added[0].model_name, "left::arm");
  EXPECT_EQ(added[0].model_path, (kFolder / "arm.urdf").string());
  EXPECT_EQ(added[0].parent_frame_name, "world");
  EXPECT_EQ(added[0].child_frame_name, "base");
  EXPECT_TRUE(Near(added[0].X_PC.translation(), Vector3<double>(0, 0, 1), 0));
  EXPECT_EQ(added[1].model_name, "held");
  EXPECT_EQ(added[1].parent_frame_name, "");
  EXPECT_EQ(plant_.GetModelInstanceName(added[2].model_instance), "free");
}

TEST_F(DirectivesTest, GiveTheFramesAndJointsThatDrakeGives) {
  AddScene();
  Names frames = FramesOf(plant_);
  Names wanted{"WorldModelInstance::world",
               "left::arm::base",
               "left::arm::tip",
               "left::arm::grip",
               "left::arm::marker",
               "held::base",
               "held::tip",
               "free::base",
               "free::tip"};
  for (const std::string& name : wanted) {
    EXPECT_EQ(std::ranges::count(frames, name), 1) << name;
  }
  EXPECT_TRUE(plant_.HasJointNamed("world_welds_to_base"));
  const auto& floating =
      plant_.GetJointByName("base", plant_.GetModelInstanceByName("held"));
  EXPECT_EQ(floating.type_name(), "quaternion_floating");
  EXPECT_EQ(floating.frame_on_parent().name(), "grip");
}

TEST_F(DirectivesTest, PutBodiesWhereDrakeDoes) {
  AddScene();
  plant_.Finalize();
  const auto context = plant_.CreateDefaultContext();
  const auto tip_of = [&](const char* model) {
    return Vector3<double>(
        plant_
            .EvalBodyPoseInWorld(
                *context, plant_.GetBodyByName(
                              "tip", plant_.GetModelInstanceByName(model)))
            .translation());
  };
  // Rounding of a few products of numbers below 6.
  const Vector3<double> held(1.8418971091096246, -2.5704892607154783, 4.0);
  EXPECT_TRUE(Near(tip_of("held"), held, 1e-14));
  EXPECT_TRUE(Near(tip_of("free"), Vector3<double>(0, 0, 6), 1e-14));
  const auto& free =
      plant_.GetBodyByName("base", plant_.GetModelInstanceByName("free"));
  EXPECT_TRUE(free.is_floating());
  EXPECT_NEAR(plant_.GetFreeBodyPose(*context, free).rotation().matrix()(2, 1),
              1, 1e-15);
}

TEST_F(DirectivesTest, MakeTheGroupsThatDrakeMakes) {
  AddScene();
  EXPECT_EQ(parser_.GetCollisionFilterGroups().to_string(),
            "\nCollision filter groups:\n    left::all\n"
            "        left::arm::base\n        left::arm::tip\n"
            "    left::bases\n        left::arm::base\n"
            "Collision filter exclusion pairs:\n    left::all, left::all\n"
            "    left::all, left::bases\n");
}

// Groups of an instance that is renamed follow it, and another instance may
// take the old name.
TEST_F(DirectivesTest, GroupsFollowTheNamesOfModelInstances) {
  const std::string text =
      "directives:\n"
      "- add_model: {file: 'package://scene/arm.urdf', name: a}\n"
      "- add_collision_filter_group: {name: g, model_namespace: a, members: "
      "[tip], ignored_collision_filter_groups: [g]}";
  Add(text);
  const auto a = plant_.GetModelInstanceByName("a");
  plant_.RenameModelInstance(a, "b");
  using Members = std::set<std::string>;
  const auto renamed = parser_.GetCollisionFilterGroups();
  EXPECT_EQ(renamed.groups().at("b::g"), Members{"b::tip"});
  EXPECT_TRUE(renamed.exclusion_pairs().contains({"b::g", "b::g"}));
  Add(text);
  const auto both = parser_.GetCollisionFilterGroups();
  EXPECT_EQ(both.groups().size(), 2u);
  EXPECT_EQ(both.groups().at("a::g"), Members{"a::tip"});
  plant_.RenameModelInstance(a, "c");
  EXPECT_TRUE(parser_.GetCollisionFilterGroups().groups().contains("c::g"));
}

TEST_F(DirectivesTest, GroupsKeepBodiesFromColliding) {
  const auto pairs_of = [](const char* group) {
    geometry::SceneGraph<double> scene_graph;
    MultibodyPlant<double> plant(0.001);
    Parser parser(&plant, &scene_graph);
    parser.package_map().AddPackageXml((kFolder / "package.xml").string());
    parser.AddModelsFromString(
        "directives:\n"
        "- add_model: {file: 'package://scene/arm.urdf', name: a}\n"
        "- add_model: {file: 'package://scene/arm.urdf', name: b}\n" +
            std::string(group),
        "dmd.yaml");
    plant.Finalize();
    return scene_graph.model_inspector().GetCollisionCandidates().size();
  };
  // Each of one with each of the other; those of one are neighbours.
  EXPECT_EQ(pairs_of(""), 4u);
  EXPECT_EQ(
      pairs_of("- add_collision_filter_group: {name: g, members: [a::tip, "
               "b::tip], ignored_collision_filter_groups: [g]}"),
      3u);
  // Groups may name what comes later, and groups of groups.
  EXPECT_EQ(pairs_of("- add_collision_filter_group: {name: g, member_groups: "
                     "[a::h], ignored_collision_filter_groups: [k]}\n"
                     "- add_collision_filter_group: {name: h, model_namespace: "
                     "a, members: [tip, base]}\n"
                     "- add_collision_filter_group: {name: k, members: "
                     "[b::tip]}\n"),
            2u);
}

TEST_F(DirectivesTest, FlattenedTheyGiveTheSame) {
  const auto directives =
      LoadModelDirectives((kFolder / "scene.dmd.yaml").string());
  ModelDirectives flat;
  FlattenModelDirectives(directives, parser_.package_map(), &flat);
  EXPECT_EQ(flat.directives.size(), 9u);
  EXPECT_EQ(flat.directives[2].add_frame->name, "left::arm::grip");
  ModelDirectives twice;
  FlattenModelDirectives(flat, parser_.package_map(), &twice);
  EXPECT_EQ(yaml::SaveYamlString(flat), yaml::SaveYamlString(twice));
  AddScene();
  MultibodyPlant<double> other(0.001);
  Parser parser(&other);
  parser.package_map().AddMap(parser_.package_map());
  ProcessModelDirectives(flat, &parser);
  EXPECT_EQ(FramesOf(other), FramesOf(plant_));
  EXPECT_EQ(parser.GetCollisionFilterGroups(),
            parser_.GetCollisionFilterGroups());
}

TEST_F(DirectivesTest, FlattenedTheyKeepTheUrlsOfPackages) {
  ModelDirectives flat;
  FlattenModelDirectives(
      LoadModelDirectives((kFolder / "scene.dmd.yaml").string()),
      parser_.package_map(), &flat);
  int num_models = 0;
  for (const ModelDirective& directive : flat.directives) {
    if (!directive.add_model.has_value()) continue;
    EXPECT_EQ(directive.add_model->file, "package://scene/arm.urdf");
    ++num_models;
  }
  EXPECT_EQ(num_models, 3);
}

// The text and the groups are those of pydrake 1.51, which flattens a group of
// an included file into one with a model_namespace.
TEST_F(DirectivesTest, AModelNamespaceIsOfMembersAndOfGroups) {
  Add("directives:\n"
      "- add_model: {file: 'package://scene/arm.urdf', name: a}\n"
      "- add_model_instance: {name: left}\n"
      "- add_model: {file: 'package://scene/arm.urdf', name: left::b}\n"
      "- add_collision_filter_group: {name: g2, members: ['b::base'], "
      "member_groups: [], model_namespace: left, "
      "ignored_collision_filter_groups: [g2]}\n"
      "- add_collision_filter_group: {name: g, model_namespace: a, members: "
      "[tip, base], member_groups: [h], ignored_collision_filter_groups: [h]}\n"
      "- add_collision_filter_group: {name: h, model_namespace: a, members: "
      "[base], ignored_collision_filter_groups: []}");
  EXPECT_EQ(parser_.GetCollisionFilterGroups().to_string(),
            "\nCollision filter groups:\n    a::g\n        a::base\n"
            "        a::tip\n    a::h\n        a::base\n    left::g2\n"
            "        left::b::base\nCollision filter exclusion pairs:\n"
            "    a::g, a::h\n    left::g2, left::g2\n");
}

// As in pydrake 1.51, which takes add_model alone from such a Parser.
TEST(DirectivesWithPrefix, TheParsersPrefixIsBeforeAllNames) {
  MultibodyPlant<double> plant(0.001);
  Parser parser(&plant, "pre");
  parser.SetWarningHandler({});
  parser.package_map().AddPackageXml((kFolder / "package.xml").string());
  parser.AddModelsFromString(
      "directives:\n"
      "- add_model: {file: 'package://scene/arm.urdf', name: a}\n"
      "- add_frame: {name: f, X_PF: {base_frame: a::tip}}\n"
      "- add_weld: {parent: world, child: a::base}\n"
      "- add_collision_filter_group: {name: g, model_namespace: a, members: "
      "[tip], ignored_collision_filter_groups: [g]}",
      "dmd.yaml");
  ASSERT_EQ(plant.num_model_instances(), 3);
  EXPECT_EQ(plant.GetModelInstanceName(ModelInstanceIndex(2)), "pre::a");
  EXPECT_EQ(FramesOf(plant).back(), "pre::a::f");
  EXPECT_EQ(parser.GetCollisionFilterGroups().groups().at("pre::a::g"),
            std::set<std::string>{"pre::a::tip"});
  plant.Finalize();
  EXPECT_EQ(plant.num_velocities(), 1);
}

TEST_F(DirectivesTest, AreSavedAndLoadedTheSame) {
  const auto text = yaml::SaveYamlString(
      LoadModelDirectives((kFolder / "scene.dmd.yaml").string()));
  EXPECT_EQ(yaml::SaveYamlString(LoadModelDirectivesFromString(text)), text);
}

TEST_F(DirectivesTest, AParserAddsAFileOfThemByItsName) {
  const auto added = parser_.AddModels(kFolder / "scene.dmd.yaml");
  EXPECT_EQ(added.size(), 3u);
  EXPECT_EQ(plant_.num_bodies(), 7);
  // Packages beside the file are found, too. Names get the prefix, which need
  // not be a model instance.
  MultibodyPlant<double> other(0.0);
  Parser parser(&other, "robot");
  parser.AddModelsFromUrl("file://" + (kFolder / "side.dmd.yaml").string());
  EXPECT_TRUE(other.HasModelInstanceNamed("robot::arm"));
}

TEST_F(DirectivesTest, MayReferToWhatThePlantHas) {
  parser_.AddModels(kFolder / "arm.urdf");
  Add("directives: [{add_frame: {name: f, X_PF: {base_frame: 'arm::tip'}}},"
      "{add_weld: {parent: world, child: 'arm::base'}}]");
  EXPECT_EQ(GetScopedFrameByName(plant_, "arm::f").body().name(), "tip");
  EXPECT_EQ(GetScopedFrameByNameMaybe(plant_, "leg::f"), nullptr);
  EXPECT_THROWS_MESSAGE(GetScopedFrameByName(plant_, "leg::f"),
                        std::logic_error, "no frame 'leg::f'");
}

TEST_F(DirectivesTest, AFrameIsPosedWithItsBody) {
  std::ofstream(fs::path(testing::TempDir()) / "wyvern_box.urdf")
      << "<robot name='b'><link name='b'/><frame name='lid' link='b' "
         "xyz='0 0 2' rpy='0 0 0'/></robot>";
  Add(
      fmt::format("directives:\n- add_model:\n    file: {}/wyvern_box.urdf\n"
                  "    name: b\n    default_free_body_pose: {{lid: "
                  "{{translation: [1, 0, 5]}}}}",
                  testing::TempDir()));
  const auto X_WB = plant_.GetDefaultFreeBodyPose(plant_.GetBodyByName("b"));
  EXPECT_TRUE(Near(X_WB.translation(), Vector3<double>(1, 0, 3), 0));
}

TEST_F(DirectivesTest, APoseWithoutEffectIsAWarning) {
  Add("directives:\n- add_model: {file: 'package://scene/arm.urdf', name: a, "
      "default_free_body_pose: {tip: {translation: [0, 0, 1]}}}");
  ASSERT_EQ(parser_.warnings().size(), 1u);
  EXPECT_NE(parser_.warnings()[0].find("<string>:2:3: default_free_body_pose "
                                       "of 'tip' is left out"),
            std::string::npos);
}

TEST_F(DirectivesTest, WhatIsWrongIsSaidWithItsPlaceAndNothingIsAdded) {
  const std::string arm = fmt::format("directives:\n- {}\n- ", kArm);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"add_weld: {parent: world, child: arm::hand}",
       "<string>:3:3: GetScopedFrameByName(): there is no frame 'arm::hand'"},
      {"add_weld: {parent: world, chid: x}", "is 'child' meant?"},
      {"add_weld: {parent: world}", "<string>:3:3: add_weld has no 'child'"},
      {"add_weld: {parent: world, child: world}", "<string>:3:3:"},
      {"add_model: {file: 'package://scene/arm.urdf'}", "has no 'name'"},
      {kArm, "<string>:3:3: there is already a model instance named 'arm'"},
      {"add_model: {file: 'package://scene/leg.urdf', name: x}",
       "does not exist"},
      {"add_model: {file: 'package://scene/side.dmd.yaml', name: x}",
       "a .dmd.yaml to add_directives"},
      {"add_model: {file: arm.urdf, name: x}", "is relative"},
      {"add_frame: {name: f, X_PF: {translation: [0, 0, 0]}}",
       "no 'X_PF.base_frame'"},
      {"add_frame: {name: arm::tip, X_PF: {base_frame: world}}", "tip"},
      {"add_frame: {name: f, X_PF: {base_frame: world, translation: [.nan, 0, "
       "0]}}",
       "must be finite"},
      {"add_frame: {name: f, X_PF: {base_frame: world, rotation: !AngleAxis "
       "{axis: [0, 0, 0]}}}",
       "give a direction"},
      {"add_directives: {file: 'package://scene/side.dmd.yaml', "
       "model_namespace: right}",
       "'right' is no model instance"},
      {"add_collision_filter_group: {name: g, members: [arm::hand]}",
       "no frame 'arm::hand'"},
      {"add_collision_filter_group: {name: g, model_namespace: arm, members: "
       "[arm::tip]}",
       "no frame 'arm::arm::tip'"},
      {"add_collision_filter_group: {name: g, members: [arm::tip], "
       "ignored_collision_filter_groups: [h]}",
       "<string>:3:3: there is no collision filter group 'h'"},
      {"{}", "<string>:3:3: a directive is of 0 kinds"},
      {"{add_model_instance: {name: a}, add_directives: {file: b}}",
       "of 2 kinds"}};
  for (const auto& [directive, message] : cases) {
    ExpectRefusal(arm + directive, message);
  }
}

// Drake takes and refuses the same.
TEST_F(DirectivesTest, APoseThatIsRandomIsReadAndRefused) {
  const std::string frame =
      "directives:\n- add_frame:\n    name: f\n    X_PF: {base_frame: world, ";
  for (const char* const random :
       {"rotation: !Uniform {}",
        "rotation: !Rpy {deg: !UniformVector {min: [0, 0, 0], max: [1, 1, 1]}}",
        "rotation: !AngleAxis {angle_deg: !Gaussian {mean: 1, stddev: 2}}",
        "translation: !GaussianVector {mean: [0, 0, 0], stddev: [1]}"}) {
    ExpectRefusal(frame + random + "}", "<string>:2:3: X_PF of add_frame");
  }
  ExpectRefusal(
      "directives:\n- add_weld: {parent: world, child: b, X_PC: {rotation: "
      "!Uniform {}}}",
      "X_PC of add_weld is random");
  ExpectRefusal(
      "directives:\n- add_model: {file: f, name: n, default_free_body_pose: "
      "{b: {rotation: !Uniform {}}}}",
      "default_free_body_pose['b'] of add_model is random");
  Add(frame +
      "translation: !DeterministicVector {value: [1, 2, 3]}, rotation: "
      "!AngleAxis {angle_deg: !Deterministic {value: 90}, axis: "
      "!UniformVector {min: [0, 0, 1], max: [0, 0, 1]}}}");
  const auto X = plant_.GetFrameByName("f").GetFixedPoseInBodyFrame();
  EXPECT_TRUE(Near(X.translation(), Vector3<double>(1, 2, 3), 0));
  EXPECT_NEAR(X.rotation().matrix()(1, 0), 1, 1e-15);
}

TEST_F(DirectivesTest, PositionsOfAJointHaveItsSizeAndAreFinite) {
  const std::string model =
      "directives:\n- add_model: {file: 'package://scene/arm.urdf', name: arm, "
      "default_joint_positions: {";
  ExpectRefusal(model + "elbow: [1, 2]}}", "<string>:2:3: ");
  ExpectRefusal(model + "elbow: [.nan]}}", "<string>:2:3: ");
  ExpectRefusal(model + "knee: [1]}}", "there is no joint 'knee' in 'arm'");
}

TEST_F(DirectivesTest, AFileThatIncludesItselfIsAnError) {
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_loop";
  fs::create_directories(folder);
  std::ofstream(folder / "a.dmd.yaml")
      << "directives: [{add_directives: {file: b.dmd.yaml}}]";
  std::ofstream(folder / "b.dmd.yaml")
      << "directives: [{add_directives: {file: ./a.dmd.yaml}}]";
  EXPECT_THROWS_MESSAGE(parser_.AddModels(folder / "a.dmd.yaml"),
                        std::runtime_error, "includes itself");
  // Twice at each of many levels: more files than anyone can read.
  for (int i = 0; i < 30; ++i) {
    const std::string next =
        fmt::format("{{add_directives: {{file: c{}.dmd.yaml}}}}", i + 1);
    std::ofstream(folder / fmt::format("c{}.dmd.yaml", i))
        << "directives: [" << next << ", " << next << "]";
  }
  std::ofstream(folder / "c30.dmd.yaml") << "directives: []";
  EXPECT_THROWS_MESSAGE(parser_.AddModels(folder / "c0.dmd.yaml"),
                        std::runtime_error, "fewer files");
  fs::remove_all(folder);
}

TEST_F(DirectivesTest, NullsAndOtherPlantsAreErrors) {
  EXPECT_THROWS_MESSAGE(
      ProcessModelDirectives(ModelDirectives{}, static_cast<Parser*>(nullptr)),
      std::logic_error, "the parser is null");
  EXPECT_THROWS_MESSAGE(
      FlattenModelDirectives(ModelDirectives{}, parser_.package_map(), nullptr),
      std::logic_error, "out is null");
  MultibodyPlant<double> other(0.0);
  EXPECT_THROWS_MESSAGE(
      ProcessModelDirectives(ModelDirectives{}, &other, nullptr, &parser_),
      std::logic_error, "of another plant");
  plant_.Finalize();
  EXPECT_THROWS_MESSAGE(Add("directives: []"), std::logic_error,
                        "after Finalize()");
}

// Any text is added or refused by an exception.
TEST_F(DirectivesTest, ATextThatWasChangedAtRandomIsAddedOrRefused) {
  std::ifstream stream(kFolder / "side.dmd.yaml");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::mt19937 random(20);
  const std::string letters = "{}[]:,-!&*'\"# \n01.ea%|>";
  int num_refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = text;
    for (int k = 0; k < 1 + i % 4; ++k) {
      const std::size_t at = random() % changed.size();
      if (random() % 3 == 0)
        changed.erase(at, 1 + random() % 9);
      else
        changed[at] = letters[random() % letters.size()];
    }
    MultibodyPlant<double> plant(0.0);
    Parser parser(&plant);
    parser.package_map().AddMap(parser_.package_map());
    try {
      parser.AddModelsFromString(changed, "dmd.yaml");
    } catch (const std::runtime_error&) {
      ++num_refused;
      EXPECT_EQ(plant.num_bodies(), 1);
    }
  }
  EXPECT_GT(num_refused, 100);
}

}  // namespace directives_test
}  // namespace wyvern::multibody::parsing
