/** @file Elements of a URDF document that URDF does not have. */

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/parsing/filter_groups.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"

namespace wyvern::multibody {
namespace {

std::string Without(std::string text, const std::string& part) {
  const std::size_t begin = text.find(part);
  return text.erase(begin, part.size());
}

class UrdfExtension : public testing::Test {
 protected:
  UrdfExtension() { parser_.SetWarningHandler({}); }
  void Add(const std::string& text) {
    parser_.AddModelsFromString(text, "urdf");
  }
  template <template <typename> class Element>
  const Element<double>& ForceElementOfType() {
    for (int i = 0; i < plant_.num_force_elements(); ++i) {
      const auto* element = dynamic_cast<const Element<double>*>(
          &plant_.GetForceElement(ForceElementIndex(i)));
      if (element != nullptr) return *element;
    }
    throw std::runtime_error("none");
  }

  MultibodyPlant<double> plant_{0.001};
  Parser parser_{&plant_};
};

TEST_F(UrdfExtension, ABushingIsAsWritten) {
  Add(FullRobot());
  const auto& bushing = ForceElementOfType<LinearBushingRollPitchYaw>();
  EXPECT_EQ(bushing.frameA().name(), "a");
  EXPECT_EQ(bushing.frameC().name(), "tip");
  EXPECT_EQ(bushing.torque_stiffness_constants(), Vector3<double>(1, 2, 3));
  EXPECT_EQ(bushing.torque_damping_constants(), Vector3<double>(4, 5, 6));
  EXPECT_EQ(bushing.force_stiffness_constants(), Vector3<double>(7, 8, 9));
  EXPECT_EQ(bushing.force_damping_constants(), Vector3<double>(10, 11, 12));
}

TEST_F(UrdfExtension, ASpringIsAsWritten) {
  Add(FullRobot());
  const auto& spring = ForceElementOfType<LinearSpringDamper>();
  EXPECT_EQ(&spring.bodyA(), &plant_.world_body());
  EXPECT_EQ(spring.bodyB().name(), "c");
  EXPECT_EQ(spring.p_AP(), Vector3<double>(1, 2, 3));
  EXPECT_EQ(spring.p_BQ(), Vector3<double>(4, 5, 6));
  EXPECT_EQ(spring.free_length(), 0.5);
  EXPECT_EQ(spring.stiffness(), 100);
  EXPECT_EQ(spring.damping(), 2);
}

TEST_F(UrdfExtension, ABallConstraintIsAsWritten) {
  Add(FullRobot());
  ASSERT_EQ(plant_.num_ball_constraints(), 1);
  const auto& ball = plant_.get_ball_constraint_specs().begin()->second;
  EXPECT_EQ(plant_.get_body(ball.body_A).name(), "a");
  EXPECT_EQ(plant_.get_body(ball.body_B).name(), "c");
  EXPECT_EQ(ball.p_AP, Vector3<double>(1, 2, 3));
  EXPECT_EQ(*ball.p_BQ, Vector3<double>(4, 5, 6));
}

TEST_F(UrdfExtension, AMimicIsACoupler) {
  Add(FullRobot());
  ASSERT_EQ(plant_.num_coupler_constraints(), 1);
  const auto& spec = plant_.get_coupler_constraint_specs().begin()->second;
  EXPECT_EQ(plant_.get_joint(spec.joint0_index).name(), "slide");
  EXPECT_EQ(plant_.get_joint(spec.joint1_index).name(), "j");
  EXPECT_EQ(spec.gear_ratio, 0.5);
  EXPECT_EQ(spec.offset, 0.1);
}

TEST_F(UrdfExtension, RefusesTagsMissingWrongOrOdd) {
  const std::string text = FullRobot();
  for (const char* tag :
       {"<drake:bushing_frameA name=\"a\"/>",
        "<drake:bushing_torque_damping value=\"4 5 6\"/>",
        "<drake:linear_spring_damper_free_length value=\"0.5\"/>",
        "<drake:linear_spring_damper_body_A name=\"world\"/>",
        "<drake:ball_constraint_p_BQ value=\"4 5 6\"/>"}) {
    EXPECT_THROWS_MESSAGE(ReadText(Without(text, tag)), std::runtime_error,
                          "there is no <drake:");
  }
  EXPECT_THROW(ReadText(Without(text, "value=\"0.5\"")), std::runtime_error);
}

TEST_F(UrdfExtension, WarnsOfTagsAndAttributesThatAreNotKnown) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = FullRobot();
    text.replace(text.find(from), from.size(), to);
    return WarningsOf(text);
  };
  const std::size_t usual = WarningsOf(FullRobot()).size();
  const std::string tag = "<drake:linear_spring_damper_damping value=\"2\"/>";
  EXPECT_EQ(with(tag, tag + "<drake:odd value='1'/>").size(), usual + 1);
  EXPECT_EQ(
      with("damping value=\"2\"", "damping vale=\"1\" value=\"2\"").size(),
      usual + 1);
  EXPECT_EQ(with("<drake:linear_spring_damper>",
                 "<drake:linear_spring_damper name='s'>")
                .size(),
            usual + 1);
  EXPECT_EQ(with("<drake:collision_filter_group name=\"arm\">",
                 "<drake:collision_filter_group name=\"arm\" ignored=\"hand\">")
                .size(),
            usual + 1);
}

TEST_F(UrdfExtension, RefusesReferencesToWhatIsNotThere) {
  const auto replaced = [](const std::string& from, const std::string& to) {
    std::string text = FullRobot();
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THROWS_MESSAGE(ReadText(replaced("bushing_frameA name=\"a\"",
                                          "bushing_frameA name=\"z\"")),
                        std::runtime_error, "there is no link or frame 'z'");
  EXPECT_THROWS_MESSAGE(
      ReadText(replaced("body_B name=\"c\"", "body_B name=\"z\"")),
      std::runtime_error, "there is no link 'z'");
  EXPECT_THROWS_MESSAGE(
      ReadText(replaced("member link=\"a\"", "member link=\"z\"")),
      std::runtime_error, "there is no link 'z'");
  EXPECT_THROWS_MESSAGE(
      ReadText(replaced("group name=\"hand\"/>", "group name=\"z\"/>")),
      std::runtime_error,
      "collision filter group 'arm' refers to the group 'z'");
}

TEST_F(UrdfExtension, SkipsElementsThatAreMarked) {
  const auto read = [](const std::string& mark) {
    return ReadText(TwoLinks("<link name='c' drake_ignore='" + mark +
                             "'/><joint name='k' type='odd' drake_ignore='" +
                             mark +
                             "'/><drake:collision_filter_group name='g' "
                             "ignore='" +
                             mark +
                             "'><drake:member link='z'/>"
                             "</drake:collision_filter_group>"));
  };
  const internal::ParsedModel model = read("true");
  EXPECT_EQ(model.links.size(), 2u);
  EXPECT_TRUE(model.joints.empty());
  EXPECT_TRUE(model.filter_groups.empty());
  EXPECT_THROWS_MESSAGE(read("false"), std::runtime_error, "type");
  EXPECT_THROWS_MESSAGE(read("yes"), std::runtime_error,
                        "drake_ignore=\"yes\" in <link> is neither true nor");
}

TEST(FilterGroups, ResolveGroupsInGroupsAndCycles) {
  using internal::ParsedFilterGroup;
  const auto pairs = internal::FindFilteredPairs({
      ParsedFilterGroup{.name = "x", .members = {"1"}, .member_groups = {"y"}},
      ParsedFilterGroup{.name = "y",
                        .members = {"2"},
                        .member_groups = {"x"},
                        .ignored_groups = {"z", "y"}},
      ParsedFilterGroup{
          .name = "z", .members = {"3", "3"}, .ignored_groups = {"y"}},
  });
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].names, std::pair(std::string("y"), std::string("y")));
  EXPECT_EQ(pairs[0].members.first, (std::set<std::string>{"1", "2"}));
  EXPECT_EQ(pairs[1].names, std::pair(std::string("y"), std::string("z")));
  EXPECT_EQ(pairs[1].members.second, std::set<std::string>{"3"});
}

}  // namespace
}  // namespace wyvern::multibody
