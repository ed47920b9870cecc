// A converted model is the same robot; losses are reported by name.
// WYVERN_MODELS_DIR, the folder of the package drake_models, adds its models.
#include "wyvern/multibody/parsing/conversion/convert_model.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace convert_model_test {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;

/** A model of a file, alone. */
struct Loaded {
  explicit Loaded(const fs::path& file) {
    Parser parser(&plant, &scene_graph);
    parser.SetWarningHandler({});
    parser.AddModels(file);
    plant.Finalize();
  }
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant{0.001};
};

// The joints with positions, by name: orders may differ.
std::map<std::string, const Joint<double>*> MovingJoints(
    const MultibodyPlant<double>& plant) {
  std::map<std::string, const Joint<double>*> joints;
  for (const JointIndex i : plant.GetJointIndices()) {
    const Joint<double>& joint = plant.get_joint(i);
    if (joint.num_velocities() > 0) joints[joint.name()] = &joint;
  }
  return joints;
}

// The mass matrix of joints with one degree of freedom, in the order of their
// names, in a state that depends on their order alone; and their gravity.
std::pair<MatrixX<double>, VectorX<double>> Dynamics(
    const MultibodyPlant<double>& plant) {
  const auto context = plant.CreateDefaultContext();
  std::vector<int> order;
  double q = 0.1;
  for (const auto& [name, joint] : MovingJoints(plant)) {
    for (int i = 0; i < joint->num_velocities(); ++i) {
      order.push_back(joint->velocity_start() + i);
    }
    if (joint->num_velocities() != 1) continue;
    joint->SetPositions(context.get(), VectorX<double>::Constant(1, q));
    q += 0.07;
  }
  const int n = plant.num_velocities();
  MatrixX<double> M(n, n);
  plant.CalcMassMatrix(*context, &M);
  const VectorX<double> g = plant.CalcGravityGeneralizedForces(*context);
  return {M(order, order), g(order)};
}

// Shapes by body, with their sizes; names of bodies of the world's model are
// the same in all formats.
std::vector<std::string> Shapes(const Loaded& model) {
  std::vector<std::string> shapes;
  const auto& inspector = model.scene_graph.model_inspector();
  for (BodyIndex i(0); i < model.plant.num_bodies(); ++i) {
    const RigidBody<double>& body = model.plant.get_body(i);
    const auto add = [&](const char* role, const auto& ids) {
      for (const geometry::GeometryId id : ids) {
        const geometry::Shape& shape = inspector.GetShape(id);
        const bool is_mesh = shape.type_name() == "Mesh";
        shapes.push_back(fmt::format("{} {} {}", body.name(), role,
                                     is_mesh ? "Mesh" : shape.to_string()));
      }
    };
    add("seen", model.plant.GetVisualGeometriesForBody(body));
    add("touching", model.plant.GetCollisionGeometriesForBody(body));
  }
  std::ranges::sort(shapes);
  return shapes;
}

void ExpectSameRobots(const fs::path& before, const fs::path& after) {
  SCOPED_TRACE(fmt::format("{} and {}", before.string(), after.string()));
  const Loaded a(before);
  const Loaded b(after);
  ASSERT_EQ(a.plant.num_velocities(), b.plant.num_velocities());
  EXPECT_EQ(a.plant.num_actuators(), b.plant.num_actuators());
  EXPECT_EQ(a.plant.num_constraints(), b.plant.num_constraints());
  EXPECT_EQ(Shapes(a), Shapes(b));
  const auto joints_a = MovingJoints(a.plant);
  const auto joints_b = MovingJoints(b.plant);
  ASSERT_EQ(joints_a.size(), joints_b.size());
  for (const auto& [name, joint] : joints_a) {
    ASSERT_TRUE(joints_b.contains(name)) << name;
    const Joint<double>& other = *joints_b.at(name);
    EXPECT_EQ(joint->position_lower_limits(), other.position_lower_limits());
    EXPECT_EQ(joint->position_upper_limits(), other.position_upper_limits());
    EXPECT_EQ(joint->velocity_upper_limits(), other.velocity_upper_limits());
    EXPECT_EQ(joint->default_damping_vector(), other.default_damping_vector());
  }
  const auto [M_a, g_a] = Dynamics(a.plant);
  const auto [M_b, g_b] = Dynamics(b.plant);
  EXPECT_LE((M_a - M_b).norm(), 1e-12 * (1 + M_a.norm()));
  EXPECT_LE((g_a - g_b).norm(), 1e-12 * (1 + g_a.norm()));
}

class ConvertModelTest : public ::testing::Test {
 protected:
  ConvertModelTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ConvertModelTest() override { fs::remove_all(folder_); }

  fs::path Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  // Returns the losses when a robot of URDF with these parts becomes SDFormat.
  std::vector<std::string> LossesOfUrdf(const std::string& parts) const {
    const fs::path in =
        Write("in.urdf", "<robot name='r'>" + parts + "</robot>");
    const ModelConversion result = ConvertModel(in, folder_ / "out.sdf");
    EXPECT_EQ(result.is_written, result.losses.empty());
    return result.losses;
  }
  std::vector<std::string> LossesOfSdf(const std::string& parts) const {
    const fs::path in = Write("in.sdf", "<sdf version='1.9'><model name='r'>" +
                                            parts + "</model></sdf>");
    const ModelConversion result = ConvertModel(in, folder_ / "out.urdf");
    EXPECT_EQ(result.is_written, result.losses.empty());
    return result.losses;
  }
  std::vector<std::string> LossesOfMjcf(const std::string& parts) const {
    const fs::path in =
        Write("in.xml", "<mujoco model='r'>" + parts + "</mujoco>");
    return ConvertModel(in, folder_ / "out.sdf").losses;
  }

  const fs::path folder_{fs::path(testing::TempDir()) / "wyvern_convert"};
};

constexpr char kTwoLinks[] =
    "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
    "izz='1'/></inertial></link>"
    "<link name='b'><inertial><mass value='2'/><inertia ixx='1' iyy='1.5' "
    "izz='1'/></inertial></link>";

// There and back again.
TEST_F(ConvertModelTest, AnArmIsTheSameInBothFormats) {
  const fs::path urdf = kTop / "examples/models/arm.urdf";
  const fs::path sdf = folder_ / "arm.sdf";
  const fs::path again = folder_ / "again.urdf";
  const ModelConversion there = ConvertModel(urdf, sdf);
  EXPECT_TRUE(there.is_written) << fmt::format("{}", there.losses);
  ExpectSameRobots(urdf, sdf);
  const ModelConversion back = ConvertModel(sdf, again);
  EXPECT_TRUE(back.is_written) << fmt::format("{}", back.losses);
  ExpectSameRobots(urdf, again);
}

TEST_F(ConvertModelTest, AllThatAFormatHasIsWritten) {
  const std::string all =
      std::string(kTwoLinks) +
      "<link name='c'><visual name='v'><origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>"
      "<geometry><sphere radius='0.1'/></geometry><material name='m'><color "
      "rgba='0.1 0.2 0.3 1'/></material></visual><collision name='t'><geometry>"
      "<drake:ellipsoid a='1' b='2' c='3'/></geometry>"
      "<drake:proximity_properties><drake:mu_static value='0.7'/>"
      "<drake:mu_dynamic value='0.6'/><drake:compliant_hydroelastic/>"
      "<drake:hydroelastic_modulus value='1e7'/><drake:mesh_resolution_hint "
      "value='0.2'/></drake:proximity_properties></collision></link>"
      "<link name='d'/><link name='e'/>"
      "<joint name='ab' type='revolute'><parent link='a'/><child link='b'/>"
      "<origin xyz='0 0 1' rpy='0.4 0.5 0.6'/><axis xyz='0 0.6 0.8'/><limit "
      "lower='-1' upper='2' velocity='3' effort='4' drake:acceleration='5'/>"
      "<dynamics damping='0.1' friction='0.2'/></joint>"
      "<joint name='bc' type='prismatic'><parent link='b'/><child link='c'/>"
      "<axis xyz='1 0 0'/><mimic joint='ab' multiplier='2' offset='1'/></joint>"
      "<joint name='ad' type='planar'><parent link='a'/><child link='d'/><axis "
      "xyz='0 1 0'/><dynamics damping='1 2 3'/></joint>"
      "<drake:joint name='ae' type='screw'><parent link='a'/><child link='e'/>"
      "<axis xyz='1 0 0'/><drake:screw_thread_pitch value='0.3'/></drake:joint>"
      "<frame name='f' link='b' xyz='1 0 0' rpy='0 0 1'/>"
      "<transmission><type>SimpleTransmission</type><joint "
      "name='ab'/><actuator "
      "name='ab'><drake:rotor_inertia value='0.01'/><drake:gear_ratio "
      "value='50'/><drake:controller_gains p='10' d='1'/></actuator>"
      "</transmission>"
      "<drake:linear_spring_damper><drake:linear_spring_damper_body_A "
      "name='a'/>"
      "<drake:linear_spring_damper_body_B name='c'/>"
      "<drake:linear_spring_damper_p_AP value='0 0 1'/>"
      "<drake:linear_spring_damper_p_BQ value='0 1 0'/>"
      "<drake:linear_spring_damper_free_length value='1'/>"
      "<drake:linear_spring_damper_stiffness value='7'/>"
      "<drake:linear_spring_damper_damping value='8'/>"
      "</drake:linear_spring_damper>"
      "<drake:collision_filter_group name='g'><drake:member link='c'/>"
      "<drake:ignored_collision_filter_group name='g'/>"
      "</drake:collision_filter_group>";
  EXPECT_EQ(LossesOfUrdf(all), std::vector<std::string>{});
  ExpectSameRobots(folder_ / "in.urdf", folder_ / "out.sdf");
  const ModelConversion back =
      ConvertModel(folder_ / "out.sdf", folder_ / "back.urdf");
  EXPECT_EQ(back.losses, std::vector<std::string>{});
  ExpectSameRobots(folder_ / "in.urdf", folder_ / "back.urdf");
}

using Losses = std::vector<std::string>;

TEST_F(ConvertModelTest, SaysWhatSdfHasNot) {
  const std::string links = kTwoLinks;
  const std::string ends = "<parent link='a'/><child link='b'/>";
  EXPECT_EQ(LossesOfUrdf(links + "<joint name='j' type='floating'>" + ends +
                         "</joint>"),
            Losses{"joint 'j' is left out"});
  EXPECT_EQ(LossesOfUrdf(links + "<frame name='f' link='world' xyz='1 0 0'/>"),
            Losses{"frame 'f' is left out"});
  EXPECT_EQ(LossesOfUrdf(links + "<link name='world'><visual><geometry><sphere "
                                 "radius='1'/></geometry></visual></link>"),
            Losses{"visual 'Sphere' of link 'world', a Sphere, is left out"});
}

TEST_F(ConvertModelTest, SaysWhatUrdfHasNot) {
  const std::string links = "<link name='a'/><link name='b'/>";
  const std::string ends = "<parent>a</parent><child>b</child>";
  EXPECT_EQ(
      LossesOfSdf(links + "<joint name='j' type='revolute'>" + ends +
                  "<axis><xyz>0 0 1</xyz><dynamics><spring_stiffness>3"
                  "</spring_stiffness><spring_reference>1</spring_reference>"
                  "</dynamics></axis></joint>"),
      (Losses{"joint 'j': its spring stiffness 3 becomes 0",
              "joint 'j': its spring reference 1 becomes 0"}));
  EXPECT_EQ(LossesOfSdf("<link name='a'><pose>1 0 0 0 0 0</pose></link>"),
            Losses{"link 'a': its pose in the world (xyz 1 0 0, rpy 0 0 0) "
                   "becomes (xyz 0 0 0, rpy 0 0 0)"});
  EXPECT_EQ(LossesOfSdf("<link name='a'><gravity>false</gravity></link>"),
            Losses{"the model: that it has no gravity is left out"});
  EXPECT_EQ(
      LossesOfSdf("<link name='a'><collision name='floor'><geometry><plane>"
                  "<normal>0 0 1</normal></plane></geometry></collision>"
                  "</link>"),
      Losses{"collision 'floor' of link 'a', a HalfSpace, is left out"});
  EXPECT_EQ(LossesOfSdf("<link name='a'/><model name='m'><link name='x'/>"
                        "</model><joint name='j' type='fixed'><parent>a"
                        "</parent><child>m::x</child></joint>"),
            (Losses{"model 'm', which is nested, is left out",
                    "joint 'j' is left out"}));
  EXPECT_EQ(
      LossesOfSdf("<link name='a'><visual name='v'><geometry><sphere><radius>1"
                  "</radius></sphere></geometry><material><emissive>1 0 0 1"
                  "</emissive></material></visual></link>"),
      (Losses{"visual 'v' of link 'a': its emissive 1 0 0 1 for illustration "
              "becomes nothing",
              "visual 'v' of link 'a': its emissive 1 0 0 1 for perception "
              "becomes nothing"}));
}

TEST_F(ConvertModelTest, SaysWhatOfMjcfIsLost) {
  const std::string body =
      "<worldbody><body name='a'><geom size='0.1'/>{}</body></worldbody>{}";
  EXPECT_EQ(LossesOfMjcf(fmt::format(fmt::runtime(body),
                                     "<joint name='j' ref='10'/>", "")),
            Losses{"joint 'j': its default position [0.17453292519943295] "
                   "becomes [0]"});
  EXPECT_EQ(LossesOfMjcf(fmt::format(fmt::runtime(body),
                                     "<joint name='j' armature='2'/>", "")),
            Losses{"joint 'j': its rotor inertia 2 becomes 0"});
  EXPECT_EQ(LossesOfMjcf(fmt::format(fmt::runtime(body),
                                     "<joint name='j' type='ball'/>", "")),
            Losses{"joint 'j': its type quaternion ball becomes ball"});
  EXPECT_EQ(LossesOfMjcf(fmt::format(fmt::runtime(body), "<freejoint/>",
                                     "<equality><weld body1='a'/></equality>"))
                .at(0),
            "the weld constraint a world is left out");
  EXPECT_EQ(LossesOfMjcf(fmt::format(fmt::runtime(body), "<freejoint/>",
                                     "<option gravity='0 0 -1'/>")),
            Losses{"the gravity [0 0 -1] is left out"});
}

// By a link without mass: dofs and mass matrix are as before, and it is said.
TEST_F(ConvertModelTest, ALossyFileStillMovesAlike) {
  const fs::path in = Write(
      "in.sdf",
      "<sdf version='1.9'><model name='r'><link name='a'/><link name='b'>"
      "<pose>0 0 1 0 0 0</pose><inertial><mass>2</mass></inertial></link>"
      "<joint name='w' type='fixed'><parent>world</parent><child>a</child>"
      "</joint><joint name='j' type='revolute'><pose>0.3 0 0 0 0.5 0</pose>"
      "<parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>"
      "</model></sdf>");
  const fs::path out = folder_ / "out.urdf";
  const ModelConversion kept = ConvertModel(in, out);
  EXPECT_FALSE(kept.is_written);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_FALSE(fs::exists(out.string() + ".partial"));
  EXPECT_EQ(kept.losses.at(0), "link 'j_child' is added");
  ModelConversionOptions lossy;
  lossy.is_lossy = true;
  EXPECT_TRUE(ConvertModel(in, out, lossy).is_written);
  ExpectSameRobots(in, out);
}

TEST_F(ConvertModelTest, AJointGetsAnotherNameThanALinkInSdformat) {
  const fs::path in = Write(
      "in.urdf",
      std::string("<robot name='r'>") + kTwoLinks +
          "<link name='c'/><joint name='b' type='revolute'><parent link='a'/>"
          "<child link='b'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' "
          "effort='5' velocity='1'/></joint><joint name='b_joint' "
          "type='continuous'><parent link='b'/><child link='c'/><mimic "
          "joint='b' multiplier='2'/></joint><transmission name='t'>"
          "<type>SimpleTransmission</type><joint name='b'/><actuator name='m'/>"
          "</transmission></robot>");
  const ModelConversion result = ConvertModel(in, folder_ / "out.sdf");
  EXPECT_TRUE(result.losses.empty()) << fmt::format("{}", result.losses);
  EXPECT_EQ(result.warnings.back().find("joint 'b' is called 'b_joint2'"), 0u);
  const Loaded loaded(folder_ / "out.sdf");
  const auto& joint = loaded.plant.GetJointByName("b_joint2");
  EXPECT_EQ(joint.child_body().name(), "b");
  EXPECT_EQ(loaded.plant.GetJointActuatorByName("m").joint().name(),
            "b_joint2");
  EXPECT_EQ(loaded.plant.num_constraints(), 1);
}

// Reads a file and writes it as SDFormat: no character is lost or added.
TEST_F(ConvertModelTest, ZerosHaveNoSign) {
  const auto losses = LossesOfUrdf(
      "<link name='a'><inertial><origin xyz='-0 -0 -0' rpy='-0 -0 -0'/>"
      "<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='-0' ixz='-0' "
      "iyz='-0'/></inertial><visual name='v'><origin xyz='-0 0 -0'/>"
      "<geometry><box size='1 1 1'/></geometry><material name='m'><color "
      "rgba='-0 -0.0 0 1'/></material></visual></link><link name='b'/>"
      "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
      "<axis xyz='-0 -0 1'/><limit lower='-0' upper='-0.0' effort='5' "
      "velocity='-0'/><dynamics damping='-0' friction='-0'/></joint>");
  EXPECT_EQ(losses, std::vector<std::string>{});
}

TEST_F(ConvertModelTest, GravityByLinkIsKeptInSdformatAlone) {
  const std::string parts =
      "<link name='a'><inertial><mass>1</mass></inertial></link><link name='b'>"
      "<gravity>false</gravity></link>";
  EXPECT_EQ(LossesOfSdf(parts),
            std::vector<std::string>{"link 'b': that it has no gravity is left "
                                     "out"});
  const fs::path in = Write("in.sdf", "<sdf version='1.9'><model name='r'>" +
                                          parts + "</model></sdf>");
  EXPECT_TRUE(ConvertModel(in, folder_ / "out.sdf").losses.empty());
}

TEST_F(ConvertModelTest, WhatMediaTendonsAndGravcompDoIsALoss) {
  const auto losses = LossesOfMjcf(
      "<option density='1'/><worldbody><body name='a' gravcomp='0.5'><joint "
      "name='j'/><geom size='1' contype='0' conaffinity='0' group='3'/></body>"
      "</worldbody><tendon><fixed name='t' stiffness='1'><joint joint='j' "
      "coef='1'/></fixed></tendon>");
  const auto has = [&losses](const std::string& text) {
    return std::ranges::any_of(losses, [&text](const std::string& loss) {
      return loss.find(text) != loss.npos;
    });
  };
  EXPECT_TRUE(has("fraction of its weight"));
  EXPECT_TRUE(has("tendon t is left out"));
  EXPECT_TRUE(has("drag in the medium of link a is left out"));
}

TEST_F(ConvertModelTest, AStretchedMeshGetsAFileOfItsOwn) {
  const fs::path mesh = kTop / "tests/multibody/parsing/models/tetrahedron.obj";
  fs::copy_file(mesh, folder_ / "t.obj");
  const ModelConversion result = ConvertModel(
      Write("in.urdf",
            "<robot name='r'><link name='a'><visual name='v'><geometry><mesh "
            "filename='t.obj' scale='1 2 3'/></geometry></visual><collision "
            "name='c'><geometry><mesh filename='t.obj' scale='2 2 2'>"
            "<drake:declare_convex/></mesh></geometry></collision></link>"
            "</robot>"),
      folder_ / "out.sdf");
  EXPECT_TRUE(result.is_written) << fmt::format("{}", result.losses);
  EXPECT_TRUE(fs::exists(folder_ / "out_meshes/mesh_1.obj"));
  ExpectSameRobots(folder_ / "in.urdf", folder_ / "out.sdf");
  std::ifstream file(folder_ / "out.sdf");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(text.find("<uri>t.obj</uri>"), text.npos)
      << "Names of files go from the folder of the new one";
}

TEST_F(ConvertModelTest, WhatCannotBeConvertedIsAnError) {
  const fs::path good = Write("in.urdf",
                              "<robot name='r'><link name='a'/>"
                              "</robot>");
  EXPECT_THROWS_MESSAGE(ConvertModel(good, good), std::runtime_error,
                        "give two");
  EXPECT_THROWS_MESSAGE(ConvertModel(good, folder_ / "out.xml"),
                        std::runtime_error, "ends in .urdf or .sdf");
  EXPECT_THROWS_MESSAGE(ConvertModel(folder_ / "a.dmd.yaml", folder_ / "a.sdf"),
                        std::runtime_error, "scene of several files");
  EXPECT_THROWS_MESSAGE(ConvertModel(folder_ / "no.urdf", folder_ / "a.sdf"),
                        std::runtime_error, "no.urdf");
  EXPECT_THROWS_MESSAGE(ConvertModel(good, folder_ / "no/such/a.sdf"),
                        std::runtime_error, "cannot write");
  // A name that SDFormat keeps for itself.
  const fs::path bad = Write("bad.urdf",
                             "<robot name='r'><link name='__a__'/>"
                             "</robot>");
  EXPECT_THROWS_MESSAGE(ConvertModel(bad, folder_ / "bad.sdf"),
                        std::runtime_error, "cannot be written as");
  EXPECT_FALSE(fs::exists(folder_ / "bad.sdf.partial"));
}

// Among other people's models, those without reported losses are the same; the
// others lose what is printed.
TEST_F(ConvertModelTest, ModelsOfAFolderAreTheSameOrSayWhy) {
  const char* const given = std::getenv("WYVERN_MODELS_DIR");
  const fs::path folder =
      given != nullptr ? fs::path(given) : kTop / "tests/multibody/parsing";
  int num_same = 0;
  int num_lossy = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& in = entry.path();
    const std::string type = in.extension();
    if (type != ".urdf" && type != ".sdf") continue;
    const fs::path out =
        folder_ / (in.stem().string() + (type == ".sdf" ? ".urdf" : ".sdf"));
    ModelConversion result;
    try {
      result = ConvertModel(in, out);
    } catch (const std::runtime_error& error) {
      const std::string why = error.what();
      EXPECT_NE(why.find("and a conversion takes one"), why.npos) << why;
      continue;
    }
    if (result.is_written) {
      ++num_same;
      ExpectSameRobots(in, out);
      continue;
    }
    ++num_lossy;
    fmt::print("{}: {}, ... ({})\n", in.filename().string(), result.losses[0],
               result.losses.size());
  }
  fmt::print("{} of {} lose nothing.\n", num_same, num_same + num_lossy);
  EXPECT_GT(num_same, 0);
}

TEST_F(ConvertModelTest, ALinkAndAPipeStayAndAreWrittenTo) {
  const fs::path model =
      Write("a.urdf", "<robot name='r'><link name='a'/></robot>");
  fs::create_symlink("real.sdf", folder_ / "link.sdf");
  EXPECT_TRUE(ConvertModel(model, folder_ / "link.sdf").is_written);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.sdf"));
  const auto size = fs::file_size(folder_ / "real.sdf");
  EXPECT_FALSE(fs::exists(folder_ / "real.sdf.partial"));
  const fs::path pipe = folder_ / "pipe.sdf";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  EXPECT_TRUE(ConvertModel(model, pipe).is_written);
  EXPECT_TRUE(fs::is_fifo(pipe));
  std::string text(2 * size, '\0');
  EXPECT_EQ(read(reader, text.data(), text.size()), static_cast<ssize_t>(size));
  close(reader);
}

}  // namespace convert_model_test
}  // namespace wyvern::multibody
