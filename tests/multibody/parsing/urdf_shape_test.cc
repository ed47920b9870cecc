#include "wyvern/multibody/parsing/urdf_shape.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/urdf_texts.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace {

std::string Visual(const std::string& shape) {
  return OneLink("<visual><geometry>" + shape + "</geometry></visual>");
}

TEST(UrdfShape, PassesEveryShape) {
  for (const char* shape :
       {"<box size='1 2 3'/>", "<sphere radius='0'/>",
        "<cylinder radius='1' length='2'/>",
        "<drake:capsule radius='1' length='2'/>",
        "<wyvern:ellipsoid a='1' b='2' c='3'/>", "<mesh filename='m.obj'/>",
        "<mesh filename='m.obj' scale='-1 1 1'><drake:declare_convex/></mesh>",
        "<mesh filename='m.obj' scale='0.001'/><drake:declare_convex/>"}) {
    EXPECT_NO_THROW(ReadText(Visual(shape))) << shape;
  }
}

TEST(UrdfShape, RefusesShapesThatAreNotComplete) {
  for (const char* shape :
       {"<box/>", "<box size='1 2'/>", "<sphere/>", "<cylinder radius='1'/>",
        "<capsule radius='1'/>", "<ellipsoid a='1' b='2'/>", "<mesh/>",
        "<mesh filename=' '/>", "<mesh filename='m' scale='1 2'/>",
        "<mesh filename='m' scale='0'/>", "<sphere radius='nan'/>"}) {
    EXPECT_THROW(ReadText(Visual(shape)), std::runtime_error) << shape;
  }
}

TEST(UrdfShape, OfNoSizeIsLeftOutWithAWarning) {
  for (const char* shape : {"<box size='1 2 0'/>", "<sphere radius='-1'/>",
                            "<cylinder radius='0' length='1'/>",
                            "<capsule radius='1' length='-1'/>",
                            "<ellipsoid a='1' b='2' c='0'/>"}) {
    const auto warnings = WarningsOf(Visual(shape));
    ASSERT_EQ(warnings.size(), 1u) << shape;
    EXPECT_EQ(warnings[0].rfind("r.urdf:2: link 'a': this <", 0), 0u);
    EXPECT_NE(warnings[0].find("> is left out: "), std::string::npos);
  }
}

TEST(UrdfShape, WantsOneShape) {
  EXPECT_THROWS_MESSAGE(
      ReadText(Visual("<sphere radius='1'/><sphere radius='1'/>")),
      std::runtime_error, "<geometry> has 2 shapes; one is wanted.");
}

TEST(UrdfShape, ThatIsNotThereIsLeftOutWithAWarning) {
  EXPECT_EQ(WarningsOf(OneLink("<collision/>")),
            std::vector<std::string>{"r.urdf:2: link 'a': this <collision> is "
                                     "left out: it has no <geometry>."});
  EXPECT_EQ(WarningsOf(Visual("")),
            std::vector<std::string>{
                "r.urdf:2: link 'a': this <visual> is left out: its <geometry> "
                "has no shape."});
  const auto warnings = WarningsOf(Visual("<cone radius='1'/>"));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("<cone> is no known shape"), std::string::npos);
}

TEST(UrdfShape, ChecksThePose) {
  EXPECT_THROWS_MESSAGE(
      ReadText(OneLink("<collision><origin xyz='1 2'/><geometry>"
                       "<sphere radius='1'/></geometry></collision>")),
      std::runtime_error, "xyz=\"1 2\"");
}

}  // namespace
}  // namespace wyvern::multibody
