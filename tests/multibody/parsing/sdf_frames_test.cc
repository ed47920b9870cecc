/** @file The frames of SDFormat: what poses are relative to, what frames are
attached to, and models that are merged. */

#include "wyvern/multibody/parsing/sdf_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/sdf_texts.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody {
namespace sdf_frames_test {

namespace fs = std::filesystem;
using internal::ParsedModel;
using math::RigidTransform;
using test::Near;

std::string InVersion(std::string text, const std::string& version) {
  return text.replace(text.find("1.9"), 3, version);
}

std::string Pose(const RigidTransform<double>& X, const std::string& in) {
  const Vector3<double> p = X.translation();
  const Vector3<double> rpy = X.rotation().ToRollPitchYaw().vector();
  std::ostringstream text;
  text.precision(17);
  text << "<pose" << (in.empty() ? "" : " relative_to='" + in + "'") << ">"
       << p.transpose() << " " << rpy.transpose() << "</pose>";
  return text.str();
}

// A tree of links in random order, each posed in an earlier one, is posed by
// the products of their poses.
TEST(SdfFrames, PosesAreProductsAlongTheirTree) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.5, 1.5);
  std::vector<RigidTransform<double>> X_WL;
  std::vector<std::string> links;
  for (int i = 0; i < 40; ++i) {
    const RigidTransform<double> X(
        math::RollPitchYaw<double>(number(random), number(random),
                                   number(random)),
        Vector3<double>(number(random), number(random), number(random)));
    const int in = i == 0 ? -1 : static_cast<int>(random() % i);
    X_WL.push_back(in < 0 ? X : X_WL[in] * X);
    links.push_back("<link name='l" + std::to_string(i) + "'>" +
                    Pose(X, in < 0 ? "" : "l" + std::to_string(in)) +
                    "</link>");
  }
  std::shuffle(links.begin(), links.end(), random);
  std::string text;
  for (const std::string& link : links) text += link;
  for (const auto& link :
       ReadSdfText(Sdf("<model name='m'>" + text + "</model>")).links) {
    const int i = std::stoi(link.name.substr(1));
    EXPECT_TRUE(link.X_WB->IsNearlyEqualTo(X_WL[i], 1e-14)) << i;
  }
}

TEST(SdfFrames, PosesAreReadInDegreesAndAsQuaternions) {
  const auto read = [](const std::string& attributes,
                       const std::string& numbers) {
    return *ReadSdfText(Sdf("<model name='m'><link name='a'><pose " +
                            attributes + ">" + numbers +
                            "</pose></link></model>"))
                .links.at(0)
                .X_WB;
  };
  const RigidTransform<double> X(
      math::RollPitchYaw<double>(0, 0, std::numbers::pi / 2),
      Vector3<double>(1, 2, 3));
  EXPECT_TRUE(read("degrees='true'", "1 2 3 0 0 90").IsNearlyEqualTo(X, 1e-15));
  EXPECT_TRUE(read("rotation_format='quat_xyzw'", "1 2 3 0 0 2 2")
                  .IsNearlyEqualTo(X, 1e-15));
  EXPECT_TRUE(read("", "").IsExactlyIdentity());
  for (const auto& [attributes, numbers, why] :
       std::vector<std::array<std::string, 3>>{
           {"", "1 2 3", "6 finite numbers"},
           {"rotation_format='quat_xyzw'", "1 2 3 0 0 1", "7 finite numbers"},
           {"rotation_format='quat_xyzw'", "1 2 3 0 0 0 0", "is zero"},
           {"rotation_format='rpy'", "1 2 3 0 0 0", "euler_rpy or quat_xyzw"},
           {"degrees='maybe'", "1 2 3 0 0 0", "neither true nor false"}}) {
    EXPECT_THROWS_MESSAGE(read(attributes, numbers), std::runtime_error, why);
  }
}

TEST(SdfFrames, AJointIsPosedInItsChildUnlessItSaysOtherwise) {
  const auto read = [](const std::string& pose) {
    return ReadSdfText(
        Sdf("<model name='m'><link name='a'/><link name='b'>"
            "<pose>0 0 2 0 0 0</pose></link>"
            "<joint name='j' type='fixed'><parent>a</parent><child>b"
            "</child>" +
            pose + "</joint><frame name='f' attached_to='j'/></model>"));
  };
  const ParsedModel usual = read("");
  EXPECT_TRUE(usual.joints[0].X_CM->IsExactlyIdentity());
  EXPECT_EQ(usual.joints[0].X_PF->translation(), Vector3<double>(0, 0, 2));
  const ParsedModel other =
      read("<pose relative_to='__model__'>0 0 1 0 0 0</pose>");
  EXPECT_EQ(other.joints[0].X_CM->translation(), Vector3<double>(0, 0, -1));
  EXPECT_EQ(other.frames.at(1).link, "b");
  EXPECT_EQ(other.frames[1].X_LF.translation(), Vector3<double>(0, 0, -1));
}

TEST(SdfFrames, NamesReachIntoModels) {
  const ParsedModel model = ReadSdfText(Sdf(
      "<model name='o'><link name='a'><pose relative_to='n::i::f'>1 0 0 0 0 0"
      "</pose></link><model name='n'><pose>0 2 0 0 0 0</pose><model name='i'>"
      "<pose>0 0 3 0 0 0</pose><link name='x'/><frame name='f'>"
      "<pose>0 0 4 0 0 0</pose></frame></model></model>"
      "<frame name='g' attached_to='n'/></model>"));
  EXPECT_EQ(model.links[0].X_WB->translation(), Vector3<double>(1, 2, 7));
  // The frame of a model without links is fixed to the first link in it.
  EXPECT_EQ(model.frames.at(1).link, "n::i::x");
  EXPECT_EQ(model.frames[1].X_LF.translation(), Vector3<double>(0, 0, -3));
}

TEST(SdfFrames, ACanonicalLinkCarriesTheModelsFrame) {
  const auto read = [](const std::string& link) {
    return ReadSdfText(Sdf("<model name='m' canonical_link='" + link +
                           "'>\n<link name='a'/><link name='b'><pose>0 0 1 0 "
                           "0 0</pose></link></model>"));
  };
  EXPECT_EQ(read("").frames.at(0).link, "a");
  EXPECT_EQ(read("b").frames.at(0).link, "b");
  EXPECT_EQ(read("b").frames[0].X_LF.translation(), Vector3<double>(0, 0, -1));
  EXPECT_THROWS_MESSAGE(read("z"), std::runtime_error,
                        "<string>:2: model 'm': there is no link or frame 'z'");
}

TEST(SdfFrames, ThatGoInCirclesAreRefused) {
  const auto expect = [](const std::string& text, const char* why) {
    EXPECT_THROWS_MESSAGE(ReadSdfText(SdfModel(text)), std::runtime_error, why);
  };
  const std::string in_g = "<pose relative_to='g'/></frame>";
  const std::string in_f = "<pose relative_to='f'/></frame>";
  expect("<frame name='f'>" + in_g + "<frame name='g'>" + in_f,
         "posed in itself");
  expect("<frame name='f'>" + in_f,
         "<string>:3: frame 'f': the frame is posed");
  expect(
      "<frame name='f' attached_to='g'><pose relative_to='a'/></frame>"
      "<frame name='g' attached_to='f'><pose relative_to='a'/></frame>",
      "attached to itself");
  expect(
      "<link name='c'><pose relative_to='j'/></link><joint name='j' "
      "type='fixed'><parent>a</parent><child>c</child></joint>",
      "posed in itself");
}

TEST(SdfFrames, NamesThatNobodyMayTakeAreRefused) {
  for (const std::string name : {"world", "__x__", "__model__"}) {
    for (const std::string kind : {"link", "frame", "model"}) {
      EXPECT_THROWS_MESSAGE(
          ReadSdfText(SdfModel("<" + kind + " name='" + name + "'/>")),
          std::runtime_error, "is reserved");
    }
  }
  EXPECT_THROWS_MESSAGE(ReadSdfText(SdfModel("<link name=''/>")),
                        std::runtime_error, "<link> has no attribute 'name'");
  EXPECT_THROWS_MESSAGE(ReadSdfText(SdfModel("<frame name='a'/>")),
                        std::runtime_error,
                        "<string>:3: frame 'a': there is already a link");
}

TEST(SdfFrames, BeforeVersion1_7PosesHaveFramesAndAxesThatOfTheModel) {
  const auto read = [](const std::string& axis, const std::string& version) {
    return ReadSdfText(InVersion(
        Sdf("<model name='m'><link name='a'/><link name='b'>"
            "<pose frame='a'>0 0 1 0 0 1.5</pose></link>" +
            SdfJoint("<axis><xyz>1 0 0</xyz>" + axis + "</axis>") + "</model>"),
        version));
  };
  const std::string use =
      "<use_parent_model_frame>True</use_parent_model_frame>";
  const ParsedModel model = read(use, "1.6");
  EXPECT_EQ(model.links[1].X_WB->translation(), Vector3<double>(0, 0, 1));
  const Vector3<double> turned(std::cos(1.5), -std::sin(1.5), 0);
  EXPECT_TRUE(Near(model.joints[0].axis, turned, 1e-15));
  EXPECT_TRUE(Near(read("", "1.4").joints[0].axis, turned, 1e-15));
  EXPECT_EQ(read("", "1.5").joints[0].axis, Vector3<double>::UnitX());
  EXPECT_EQ(read(use, "1.7").joints[0].axis, Vector3<double>::UnitX());
}

TEST(SdfFrames, BeforeVersion1_7NamesThatAreTakenAreChanged) {
  const std::string text =
      Sdf("<model name='m'><link name='a'/><link name='b'/>\n<joint name='b' "
          "type='revolute'><parent>a</parent><child>b</child><axis/></joint>"
          "</model>");
  std::vector<std::string> warnings;
  const ParsedModel model = ReadSdfText(InVersion(text, "1.6"), &warnings);
  EXPECT_EQ(model.joints.at(0).name, "b_joint");
  EXPECT_EQ(model.joints[0].child, "b");
  EXPECT_EQ(model.actuators.at(0).joint, "b_joint");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("<string>:3: joint 'b': the name is taken"),
            std::string::npos);
  EXPECT_THROWS_MESSAGE(ReadSdfText(text), std::runtime_error,
                        "there is already a link");
}

TEST(SdfFrames, InEveryVersionNamesOfOneKindDiffer) {
  for (const std::string version : {"1.6", "1.9"}) {
    for (const std::string two :
         {"<frame name='f'/>\n<frame name='f'/>",
          "<joint name='f' type='fixed'><parent>world</parent><child>a</child>"
          "</joint>\n<joint name='f' type='fixed'><parent>world</parent>"
          "<child>b</child></joint>"}) {
      EXPECT_THROWS_MESSAGE(ReadSdfText(InVersion(SdfModel(two), version)),
                            std::runtime_error, "<string>:4: ");
    }
  }
}

TEST(SdfFrames, APlacementFrameThatDoesNotMoveWithItsModelIsRefused) {
  EXPECT_THROWS_MESSAGE(
      ReadSdfText(Sdf("<model name='m' placement_frame='j'><link name='a'/>"
                      "<joint name='j' type='fixed'><parent>a</parent>"
                      "<child>world</child></joint></model>")),
      std::runtime_error,
      "<string>:2: model 'm': the placement frame 'j' does not move");
}

class SdfMerge : public testing::Test {
 protected:
  SdfMerge() {
    fs::create_directories(folder_);
    parser_.SetWarningHandler({});
  }
  ~SdfMerge() override { fs::remove_all(folder_); }
  void Write(const std::string& name, const std::string& inside) {
    std::ofstream(folder_ / name) << Sdf(inside);
  }
  void Add() { parser_.AddModels(folder_ / "top.sdf"); }
  RigidTransform<double> PoseOf(const std::string& frame) {
    const auto context = plant_.CreateDefaultContext();
    return plant_.GetFrameByName(frame).CalcPoseInWorld(*context);
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("sdf_merge_") +
       testing::UnitTest::GetInstance()->current_test_info()->name());
  MultibodyPlant<double> plant_{0.001};
  Parser parser_{&plant_};
};

constexpr char kArm[] =
    "<model name='arm'><pose>9 9 9 0 0 0</pose><link name='upper'>"
    "<pose>0 0 1 0 0 0</pose></link><link name='lower'>"
    "<pose>0 0 2 0 0 0</pose></link><frame name='tip' attached_to='lower'/>"
    "<joint name='elbow' type='revolute'><parent>upper</parent>"
    "<child>lower</child><axis><xyz expressed_in='__model__'>0 1 0</xyz></axis>"
    "</joint><model name='tool'><link name='blade'/></model></model>";

TEST_F(SdfMerge, PartsOfAMergedModelAreThoseOfTheOuterOne) {
  Write("arm.sdf", kArm);
  Write("top.sdf",
        "<model name='top'><link name='base'/><include merge='true'>"
        "<uri>arm.sdf</uri><pose relative_to='base'>1 0 0 0 0 1.5</pose>"
        "</include><joint name='fix' type='fixed'><parent>base</parent>"
        "<child>upper</child></joint></model>");
  Add();
  const auto top = plant_.GetModelInstanceByName("top");
  EXPECT_FALSE(plant_.HasModelInstanceNamed("top::arm"));
  EXPECT_EQ(plant_.GetBodyByName("lower").model_instance(), top);
  EXPECT_TRUE(plant_.HasModelInstanceNamed("top::tool"));
  EXPECT_TRUE(
      Near(plant_.GetJointByName<RevoluteJoint>("elbow").revolute_axis(),
           Vector3<double>::UnitY(), 1e-15));
  EXPECT_TRUE(parser_.warnings().empty());
  plant_.Finalize();
  const RigidTransform<double> X_WM(math::RollPitchYaw<double>(0, 0, 1.5),
                                    Vector3<double>(1, 0, 0));
  EXPECT_TRUE(PoseOf("tip").IsNearlyEqualTo(
      X_WM * RigidTransform<double>(Vector3<double>(0, 0, 2)), 1e-15));
  EXPECT_TRUE(PoseOf("blade").IsNearlyEqualTo(X_WM, 1e-15));
  EXPECT_TRUE(PoseOf("_merged__arm__model__").IsNearlyEqualTo(X_WM, 1e-15));
  EXPECT_TRUE(plant_.GetFrameByName("__model__", top)
                  .GetFixedPoseInBodyFrame()
                  .IsExactlyIdentity());
}

TEST_F(SdfMerge, ABushingOfAMergedModelMayBeAtItsModelFrame) {
  Write("arm.sdf",
        "<model name='arm'><link name='upper'/><drake:linear_bushing_rpy>"
        "<drake:bushing_frameA>__model__</drake:bushing_frameA>"
        "<drake:bushing_frameC>upper</drake:bushing_frameC>"
        "<drake:bushing_torque_stiffness>1 1 1</drake:bushing_torque_stiffness>"
        "<drake:bushing_torque_damping>0 0 0</drake:bushing_torque_damping>"
        "<drake:bushing_force_stiffness>1 1 1</drake:bushing_force_stiffness>"
        "<drake:bushing_force_damping>0 0 0</drake:bushing_force_damping>"
        "</drake:linear_bushing_rpy></model>");
  Write("top.sdf",
        "<model name='top'><link name='base'/><include merge='true'>"
        "<uri>arm.sdf</uri></include></model>");
  Add();
  const auto& bushing =
      plant_.GetForceElement<LinearBushingRollPitchYaw>(ForceElementIndex(1));
  EXPECT_EQ(bushing.frameA().name(), "_merged__arm__model__");
}

TEST_F(SdfMerge, APlacementFrameIsWhereTheMergedModelIsPut) {
  Write("arm.sdf", kArm);
  Write("top.sdf",
        "<model name='top'><link name='base'/><include merge='1'>"
        "<uri>arm.sdf</uri><placement_frame>tip</placement_frame>"
        "<pose>0 0 5 0 0 0</pose></include></model>");
  Add();
  plant_.Finalize();
  EXPECT_EQ(PoseOf("tip").translation(), Vector3<double>(0, 0, 5));
  EXPECT_EQ(PoseOf("upper").translation(), Vector3<double>(0, 0, 4));
}

// As in Drake 1.51.
TEST_F(SdfMerge, APlacementFrameMayBeThatOfTheMergedModelItself) {
  Write("arm.sdf", kArm);
  Write("top.sdf",
        "<model name='top'><pose>0 0 10 0 0 0</pose><link name='base'>"
        "<pose>0 7 0 0 0 0</pose></link><include merge='1'><uri>arm.sdf</uri>"
        "<placement_frame>__model__</placement_frame>"
        "<pose>1 0 0 0 0 0</pose></include></model>");
  Add();
  plant_.Finalize();
  EXPECT_EQ(PoseOf("tip").translation(), Vector3<double>(1, 0, 12));
  EXPECT_EQ(PoseOf("_merged__arm__model__").translation(),
            Vector3<double>(1, 0, 10));
}

TEST_F(SdfMerge, AMergedModelMayMergeAnother) {
  Write("arm.sdf", kArm);
  Write("mid.sdf",
        "<model name='mid'><link name='m'/><include merge='true'><uri>arm.sdf"
        "</uri><pose>0 0 0 0 0 0</pose></include></model>");
  Write("top.sdf",
        "<model name='top'><include merge='true'><uri>mid.sdf</uri>"
        "<pose>0 7 0 0 0 0</pose></include></model>");
  Add();
  plant_.Finalize();
  EXPECT_EQ(plant_.num_model_instances(), 2 + 2);
  EXPECT_EQ(PoseOf("tip").translation(), Vector3<double>(0, 7, 2));
}

TEST_F(SdfMerge, MergesThatMeanNothingAreRefused) {
  Write("arm.sdf", kArm);
  Write("still.sdf",
        "<model name='s'><static>1</static><link name='l'/></model>");
  const auto expect = [&](const std::string& top, const char* why) {
    Write("top.sdf", top);
    EXPECT_THROWS_MESSAGE(Add(), std::runtime_error, why);
    EXPECT_EQ(plant_.num_model_instances(), 2);
  };
  const auto include = [](const std::string& merge, const std::string& file) {
    return "\n<include merge='" + merge + "'><uri>" + file + "</uri></include>";
  };
  const std::string model = "<model name='m'><link name='tip'/>";
  expect(
      model + include("yes", "arm.sdf") + "</model>",
      "top.sdf:3: model 'm': merge=\"yes\" in <include> is neither true nor");
  expect(model + include("true", "arm.sdf") + "</model>",
         "there is already a link, joint, frame or model 'tip' in model 'm'");
  expect(model + include("true", "still.sdf") + "</model>",
         "top.sdf:3: model 'm': model 's' is static");
  expect("<world name='w'>" + include("true", "arm.sdf") + "</world>",
         "top.sdf:3: world 'w': a model cannot be merged into a <world>");
  expect(model +
             "<include><uri>arm.sdf</uri><placement_frame>tip"
             "</placement_frame></include></model>",
         "<placement_frame> needs a <pose>");
  expect(model +
             "<include><uri>arm.sdf</uri><placement_frame>nope"
             "</placement_frame><pose/></include></model>",
         "there is no link or frame 'nope' in model 'arm'");
  expect(
      "<model name='m'><link name='base'/>\n<include merge='1'>"
      "<uri>arm.sdf</uri><placement_frame>base</placement_frame><pose/>"
      "</include></model>",
      "top.sdf:3: model 'm': the placement frame 'base' does not move");
}

}  // namespace sdf_frames_test
}  // namespace wyvern::multibody
