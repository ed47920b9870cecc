/** @file
What <attach> stands for. That masses and dynamics are MuJoCo's is held by
mjcf_dynamics_test.cc, with models/mjcf/attached.xml. */

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace mjcf_attach_test {

using internal::ParsedModel;

const std::string kModels =
    WYVERN_SOURCE_DIR "/tests/multibody/parsing/models/mjcf/";

ParsedModel ReadFile(const std::string& file,
                     std::vector<std::string>* warnings = nullptr) {
  internal::WarningLog log;
  log.set_handler({});
  auto model = internal::ReadMjcf(internal::XmlDocument::FromFile(file),
                                  PackageMap{}, true, &log);
  log.EndFile();
  if (warnings != nullptr) *warnings = log.warnings();
  return model;
}

const ParsedModel& Attached() {
  static const ParsedModel model = ReadFile(kModels + "attached.xml");
  return model;
}

// A model in which the finger is attached like this, in line 3.
ParsedModel WithFinger(const std::string& attach, const std::string& more = {},
                       std::vector<std::string>* warnings = nullptr) {
  return ReadMjcfText(
      MjcfText(fmt::format("<asset><model name='f' file='{}parts/finger.xml'/>"
                           "</asset><worldbody>\n{}</worldbody>{}",
                           kModels, attach, more)),
      warnings);
}

TEST(MjcfAttach, KeepsUnitsAndDefaultsOfItsModel) {
  const auto& bend = JointNamed(Attached(), "a_bend");
  EXPECT_EQ(bend.upper, 1);  // rad
  EXPECT_EQ(bend.damping[0], 0.3);
  const auto& wrist = JointNamed(Attached(), "wrist");
  EXPECT_NEAR(wrist.upper, M_PI / 2, 1e-15);
  EXPECT_EQ(wrist.damping[0], 7);
  // By the class of the body.
  const auto& slide = JointNamed(Attached(), "c_slide0");
  EXPECT_EQ(slide.type, internal::ParsedJointType::kPrismatic);
  EXPECT_EQ(slide.damping[0], 0.05);
}

TEST(MjcfAttach, BringsWhatRefersToNothingElse) {
  std::vector<std::string> names;
  for (const auto& actuator : Attached().actuators) {
    names.push_back(actuator.name);
  }
  // As MuJoCo has them.
  EXPECT_EQ(names, (std::vector<std::string>{"wrist", "spin", "extra", "a_bend",
                                             "b_bend", "all_bend", "all_nail",
                                             "second_spin", "second_all_bend",
                                             "second_all_nail"}));
  EXPECT_EQ(Attached().couplers.size(), 4u);
  EXPECT_EQ(std::ranges::count(Attached().couplers, "second_all_bend",
                               &internal::ParsedCoupler::joint0),
            1);
}

// Attaching brings constraints of the model and of its own document to the
// world; constraints on a body that is not attached stay behind.
TEST(MjcfAttach, BringsWhatHoldsItToTheWorld) {
  const std::string parts =
      "<body name='arm'><joint name='j'/><geom size='.1'/></body>"
      "<body name='other'><joint name='k'/><geom size='.1'/></body>";
  const std::string holds =
      "<equality><weld body1='arm' body2='world'/>"
      "<weld body1='arm' body2='other'/></equality>";
  const auto ends = [](const ParsedModel& model) {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& weld : model.weld_constraints) {
      result.emplace_back(weld.body_A, weld.body_B);
    }
    return result;
  };
  using Ends = std::vector<std::pair<std::string, std::string>>;
  const auto own = ReadMjcfText(
      MjcfText("<worldbody>" + parts +
               "<frame pos='1 0 0'><attach body='arm' prefix='x_'/></frame>"
               "</worldbody>" +
               holds));
  EXPECT_EQ(ends(own),
            (Ends{{"arm", "world"}, {"arm", "other"}, {"x_arm", "world"}}));
  const std::string file =
      (std::filesystem::temp_directory_path() / "mjcf_attach_world.xml")
          .string();
  std::ofstream(file) << MjcfText("<worldbody>" + parts + "</worldbody>" +
                                  holds);
  const auto other = ReadMjcfText(
      MjcfText("<asset><model name='f' file='" + file +
               "'/></asset><worldbody><attach model='f' body='arm' "
               "prefix='x_'/></worldbody>"));
  EXPECT_EQ(ends(other), (Ends{{"x_arm", "world"}}));
  std::filesystem::remove(file);
}

TEST(MjcfAttach, OfABodyLeavesItsFrameBehindAndOfAFrameTakesItAlong) {
  const auto body = WithFinger("<attach model='f' body='root' prefix='x_'/>");
  const auto& bend = JointNamed(body, "x_bend");
  EXPECT_EQ(bend.X_PF->translation(), Vector3<double>(0.01, 0.02, 0.03));
  const auto frame =
      WithFinger("<attach model='f' frame='mount' prefix='x_'/>");
  EXPECT_EQ(JointNamed(frame, "x_bend").X_PF->translation(),
            Vector3<double>(0.01, 0.02, 0.08));
}

TEST(MjcfAttach, StartsWhereTheKeyOfItsModelHasIt) {
  const auto model = WithFinger(
      "<attach model='f' body='nail' prefix='n_'/>"
      "<attach model='f' body='root' prefix='x_'/>");
  EXPECT_EQ(JointNamed(model, "n_nail").default_positions->coeff(0), 0.5);
  EXPECT_EQ(JointNamed(model, "x_bend").default_positions->coeff(0), 0.2);
  EXPECT_EQ(JointNamed(model, "x_slide").default_positions->coeff(0), 0.03);
  // A key of its own counts.
  const auto own = WithFinger("<attach model='f' body='nail' prefix='n_'/>",
                              "<keyframe><key qpos='0.25'/></keyframe>");
  EXPECT_EQ(JointNamed(own, "n_nail").default_positions->coeff(0), 0.25);
}

TEST(MjcfAttach, WithoutAPrefixClassesAreStillItsOwn) {
  const auto model = WithFinger(
      "<body childclass='tip'><joint name='j'/><geom size='.1'/></body>"
      "<attach model='f' body='end' prefix=''/>",
      "<default><joint armature='5'/><default class='tip'>"
      "<joint damping='9'/></default></default>");
  EXPECT_EQ(JointNamed(model, "j").damping[0], 9);
  EXPECT_EQ(JointNamed(model, "slide").damping[0], 0.05);
  EXPECT_EQ(JointNamed(model, "slide").armature, 0.01);
  // By the prefix the document may use them.
  const auto other = WithFinger(
      "<attach model='f' body='end' prefix='x_'/>"
      "<body><joint name='j' class='x_tip'/><geom size='.1'/></body>");
  EXPECT_EQ(JointNamed(other, "j").damping[0], 0.05);
}

TEST(MjcfAttach, OptionsStayUnlessTheyAreMerged) {
  std::vector<std::string> warnings;
  const std::string attach = "<attach model='f' body='nail' prefix='n_'/>";
  const auto model = WithFinger(attach, {}, &warnings);
  EXPECT_EQ(model.gravity, std::nullopt);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("are not taken"), std::string::npos);
  const auto merged = WithFinger(attach, "<compiler conflict='merge'/>");
  EXPECT_EQ(merged.gravity, Vector3<double>(0, 0, -1));
}

TEST(MjcfAttach, SaysWhatIsNotThere) {
  EXPECT_THROWS_MESSAGE(
      WithFinger("<attach model='g' body='root' prefix='x_'/>"),
      std::runtime_error, "m.xml:3: there is no <model> 'g' in <asset>");
  EXPECT_THROWS_MESSAGE(
      WithFinger("<attach model='f' body='toe' prefix='x_'/>"),
      std::runtime_error, "m.xml:3: there is no body 'toe' in the model 'f'");
  EXPECT_THROWS_MESSAGE(WithFinger("<attach model='f' body='root'/>"),
                        std::runtime_error,
                        "m.xml:3: <attach> has no attribute 'prefix'");
  EXPECT_THROWS_MESSAGE(
      WithFinger("<attach model='f' body='root' frame='mount' prefix='x'/>"),
      std::runtime_error, "has body and frame; give one");
  EXPECT_THROWS_MESSAGE(
      WithFinger("<attach body='p' prefix='x_'/><body name='p'/>"),
      std::runtime_error, "there is no body 'p' in this file above it");
  EXPECT_THROWS_MESSAGE(
      WithFinger("<body name='p'/><attach body='p' prefix=''/>"),
      std::runtime_error, "wants a prefix");
  EXPECT_THROWS_MESSAGE(
      WithFinger({}, "<asset><model name='f' file='/x.xml'/></asset>"),
      std::runtime_error, "there is a model 'f' already");
  EXPECT_THROWS_MESSAGE(
      ReadMjcfText(MjcfText("<asset><model file='f.xml'/></asset>")),
      std::runtime_error, "the file 'f.xml' is relative");
}

// Without end, or of an end too far away.
TEST(MjcfAttach, IsNotEndless) {
  const std::string file =
      (std::filesystem::temp_directory_path() / "mjcf_attach_test.xml")
          .string();
  std::ofstream(file) << fmt::format(
      "<mujoco model='m'><asset><model name='m' file='{0}'/></asset><worldbody>"
      "<body name='b'/><attach model='m' body='b' prefix='x'/></worldbody>"
      "</mujoco>",
      file);
  EXPECT_THROWS_MESSAGE(ReadFile(file), std::runtime_error,
                        "nested more than 16 deep");
  std::string many = "<body name='p0'/>";
  for (int i = 0; i < 40; ++i) {
    many += fmt::format("<frame name='f{}'>", i);
    for (const char* const side : {"a", "b"}) {
      many += fmt::format(
          "<attach {} prefix='{}{}'/>",
          i == 0 ? std::string("body='p0'") : fmt::format("frame='f{}'", i - 1),
          side, i);
    }
    many += "</frame>";
  }
  EXPECT_THROWS_MESSAGE(
      ReadMjcfText(MjcfText("<worldbody>" + many + "</worldbody>")),
      std::runtime_error, "<attach> makes more than 100000 elements");
  std::filesystem::remove(file);
}

}  // namespace mjcf_attach_test
}  // namespace wyvern::multibody
