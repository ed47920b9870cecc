/** @file Contact on surfaces between bodies of URDF and SDFormat files. */

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
namespace hydroelastic_files_test {

// The file of one box of 2 kg; tags are its contact properties.
std::string Urdf(const std::string& name, const std::string& size,
                 const std::string& tags) {
  return "<robot name='" + name + "'><link name='" + name +
         "'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' "
         "ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><box "
         "size='" +
         size + "'/></geometry><drake:proximity_properties>" + tags +
         "</drake:proximity_properties></collision></link></robot>";
}
std::string Sdf(const std::string& name, const std::string& size,
                const std::string& tags) {
  return "<sdf version='1.7'><model name='" + name + "'><link name='" + name +
         "'><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1"
         "</izz></inertia></inertial><collision "
         "name='c'><geometry><box><size>" +
         size + "</size></box></geometry><drake:proximity_properties>" + tags +
         "</drake:proximity_properties></collision></link></model></sdf>";
}

TEST(HydroelasticFiles, ACubeRestsWhereThePressureOfTheFileCarriesIt) {
  for (const bool is_urdf : {true, false}) {
    const std::string type = is_urdf ? "urdf" : "sdf";
    systems::DiagramBuilder<double> builder;
    MultibodyPlant<double>& plant =
        AddMultibodyPlantSceneGraph(&builder, 1e-3).plant;
    Parser parser(&plant);
    const auto add = [&](const std::string& name, const std::string& size,
                         const std::string& urdf, const std::string& sdf) {
      parser.AddModelsFromString(
          is_urdf ? Urdf(name, size, urdf) : Sdf(name, size, sdf), type);
    };
    add("ground", "1 1 0.1",
        "<drake:compliant_hydroelastic/><drake:mesh_resolution_hint "
        "value='1'/><drake:hydroelastic_modulus value='1e5'/>",
        "<drake:compliant_hydroelastic/><drake:mesh_resolution_hint>1"
        "</drake:mesh_resolution_hint><drake:hydroelastic_modulus>1e5"
        "</drake:hydroelastic_modulus>");
    add("cube", "0.2 0.2 0.2", "<drake:rigid_hydroelastic/>",
        "<drake:rigid_hydroelastic/>");
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("ground"));
    plant.Finalize();
    const auto diagram = builder.Build();
    const auto root = diagram->CreateDefaultContext();
    auto& context = plant.GetMyMutableContextFromRoot(root.get());
    // p A = E depth / half the height of the ground A = m g.
    const double depth = 2 * 9.81 * 0.05 / (1e5 * 0.04);
    const auto& cube = plant.GetBodyByName("cube");
    plant.SetFreeBodyPose(
        &context, cube,
        math::RigidTransformd(Vector3<double>(0, 0, 0.15 - depth)));
    for (int step = 0; step < 200; ++step) {
      diagram->ExecuteForcedEvents(root.get());
    }
    EXPECT_NEAR(plant.EvalBodyPoseInWorld(context, cube).translation()[2],
                0.15 - depth, 1e-8)
        << type;
    EXPECT_EQ(plant.get_contact_results_output_port()
                  .Eval<ContactResults<double>>(context)
                  .num_hydroelastic_contacts(),
              1)
        << type;
  }
}

// A tag's text of either format; a tag without a value is a flag.
std::string Tag(bool is_urdf, const std::string& name,
                const std::string& value) {
  if (value.empty()) return "<drake:" + name + "/>";
  return is_urdf ? "<drake:" + name + " value='" + value + "'/>"
                 : "<drake:" + name + ">" + value + "</drake:" + name + ">";
}

// Returns the properties of a box with such tags in a SceneGraph.
geometry::ProximityProperties Load(bool is_urdf, const std::string& tags) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(1e-3);
  Parser parser(&plant, &scene_graph);
  parser.SetStrictParsing();
  parser.AddModelsFromString(
      is_urdf ? Urdf("a", "1 1 1", tags) : Sdf("a", "1 1 1", tags),
      is_urdf ? "urdf" : "sdf");
  const auto& inspector = scene_graph.model_inspector();
  return *inspector.GetProximityProperties(
      plant.GetCollisionGeometriesForBody(plant.GetBodyByName("a")).at(0));
}

TEST(HydroelasticFiles, EveryTagIsAPropertyInBothFormats) {
  for (const bool is_urdf : {true, false}) {
    for (const auto& [tag, group, name] :
         {std::tuple("hydroelastic_modulus", "hydroelastic",
                     "hydroelastic_modulus"),
          std::tuple("mesh_resolution_hint", "hydroelastic", "resolution_hint"),
          std::tuple("hydroelastic_margin", "hydroelastic", "margin"),
          std::tuple("point_contact_stiffness", "material",
                     "point_contact_stiffness"),
          std::tuple("hunt_crossley_dissipation", "material",
                     "hunt_crossley_dissipation"),
          std::tuple("relaxation_time", "material", "relaxation_time")}) {
      const auto has = Load(is_urdf, Tag(is_urdf, tag, "0.125"));
      EXPECT_EQ(has.GetProperty<double>(group, name), 0.125) << tag;
      EXPECT_FALSE(Load(is_urdf, "").HasProperty(group, name)) << tag;
    }
    for (const auto& [tag, type] :
         {std::pair("rigid_hydroelastic", geometry::HydroelasticType::kRigid),
          std::pair("compliant_hydroelastic",
                    geometry::HydroelasticType::kCompliant),
          std::pair("soft_hydroelastic",
                    geometry::HydroelasticType::kCompliant)}) {
      const auto has =
          Load(is_urdf, Tag(is_urdf, tag, "") +
                            Tag(is_urdf, "hydroelastic_modulus", "1e6"));
      EXPECT_EQ(has.GetProperty<geometry::HydroelasticType>("hydroelastic",
                                                            "compliance_type"),
                type);
    }
    const auto friction = [is_urdf](const std::string& tags) {
      return Load(is_urdf, tags)
          .GetProperty<CoulombFriction<double>>("material", "coulomb_friction");
    };
    const std::string fixed = Tag(is_urdf, "mu_static", "0.75");
    const std::string sliding = Tag(is_urdf, "mu_dynamic", "0.5");
    EXPECT_EQ(friction(fixed + sliding), CoulombFriction<double>(0.75, 0.5));
    EXPECT_EQ(friction(fixed), CoulombFriction<double>(0.75, 0.75));
    EXPECT_EQ(friction(sliding), CoulombFriction<double>(0.5, 0.5));
  }
}

TEST(HydroelasticFiles, EveryTagRefusesWhatIsNoNumberForIt) {
  for (const bool is_urdf : {true, false}) {
    const auto refuses = [&](const std::string& tag, const std::string& value) {
      EXPECT_THROWS_MESSAGE(Load(is_urdf, Tag(is_urdf, tag, value)),
                            std::runtime_error, "<string>:1: ");
    };
    for (const char* tag :
         {"hydroelastic_modulus", "mesh_resolution_hint", "hydroelastic_margin",
          "point_contact_stiffness", "hunt_crossley_dissipation",
          "relaxation_time", "mu_static", "mu_dynamic"}) {
      for (const char* bad : {"-1", "nan", "inf", "soft"}) refuses(tag, bad);
    }
    for (const char* tag : {"hydroelastic_modulus", "mesh_resolution_hint",
                            "point_contact_stiffness"}) {
      refuses(tag, "0");
    }
    // More than pressures can be multiplied with.
    refuses("hydroelastic_modulus", "1e300");
    EXPECT_THROWS_MESSAGE(
        Load(is_urdf, Tag(is_urdf, "rigid_hydroelastic", "") +
                          Tag(is_urdf, "compliant_hydroelastic", "")),
        std::runtime_error, "both rigid and compliant");
  }
}

// Files of a cube of 0.2 m, of volume and of surface, in a folder of their own.
class MeshOfModel : public testing::TestWithParam<bool> {
 protected:
  static constexpr int kFaces[12][3] = {
      {0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

  MeshOfModel() {
    std::filesystem::create_directories(folder_);
    Write("cube.vtk", Vtk());
    std::string obj;
    for (int k = 0; k < 8; ++k) obj += "v " + Corner(k) + "\n";
    for (const auto& [a, b, c] : kFaces) {
      obj += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " +
             std::to_string(c + 1) + "\n";
    }
    Write("cube.obj", obj);
  }
  ~MeshOfModel() override { std::filesystem::remove_all(folder_); }

  static bool is_urdf() { return GetParam(); }
  static std::string Corner(int k) {
    return std::string(k & 1 ? "0.1" : "-0.1") + (k & 2 ? " 0.1" : " -0.1") +
           (k & 4 ? " 0.1" : " -0.1");
  }
  // Twelve pyramids from the centre.
  static std::string Vtk() {
    std::string text =
        "# vtk DataFile Version 3.0\ncube\nASCII\n"
        "DATASET UNSTRUCTURED_GRID\nPOINTS 9 double\n";
    for (int k = 0; k < 8; ++k) text += Corner(k) + "\n";
    text += "0 0 0\nCELLS 12 60\n";
    for (const auto& [a, b, c] : kFaces) {
      text += "4 " + std::to_string(b) + " " + std::to_string(a) + " " +
              std::to_string(c) + " 8\n";
    }
    text += "CELL_TYPES 12\n";
    for (int i = 0; i < 12; ++i) text += "10\n";
    return text;
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  // A model whose one link is of a mesh; the tags are of its second line.
  void WriteModel(const std::string& name, const std::string& mesh,
                  const std::string& scale, const std::string& tags) const {
    std::string text =
        is_urdf() ? Urdf(name, "SIZE", tags) : Sdf(name, "SIZE", tags);
    const std::string box =
        is_urdf() ? "<box size='SIZE'/>" : "<box><size>SIZE</size></box>";
    text.replace(text.find(box), box.size(),
                 is_urdf()
                     ? "<mesh filename='" + mesh + "' scale='" + scale + "'/>"
                     : "<mesh><uri>" + mesh + "</uri><scale>" + scale +
                           "</scale></mesh>");
    text.insert(text.find("<link"), "\n");
    Write(ModelFile(name), text);
  }
  static std::string ModelFile(const std::string& name) {
    return name + (is_urdf() ? ".urdf" : ".sdf");
  }
  static std::string Compliant(const std::string& more = {}) {
    return Tag(is_urdf(), "compliant_hydroelastic", "") +
           Tag(is_urdf(), "hydroelastic_modulus", "1e5") + more;
  }

  // Tests run side by side.
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      fmt::format("mesh_of_model_{}", getpid());
};

TEST_P(MeshOfModel, AVolumeOfAFileRestsOnASurfaceOfAFile) {
  // Repeat with the margin that a file gives, and stretched to another cube.
  for (const auto& [scale, more] :
       {std::pair(std::string("1 1 1"), std::string()),
        std::pair(std::string("1 1 1"),
                  Tag(is_urdf(), "hydroelastic_margin", "0.01")),
        std::pair(std::string("1 1 -1"), std::string())}) {
    WriteModel("cube", "cube.vtk", scale, Compliant(more));
    WriteModel("plate", "cube.obj", "5 5 1",
               Tag(is_urdf(), "rigid_hydroelastic", ""));
    systems::DiagramBuilder<double> builder;
    auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 1e-3);
    Parser parser(&plant);
    parser.SetStrictParsing();
    parser.AddModels((folder_ / ModelFile("plate")).string());
    parser.AddModels((folder_ / ModelFile("cube")).string());
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("plate"));
    plant.set_contact_model(ContactModel::kHydroelastic);
    plant.Finalize();
    const auto& cube = plant.GetBodyByName("cube");
    const auto mesh = scene_graph.model_inspector().maybe_get_hydroelastic_mesh(
        plant.GetCollisionGeometriesForBody(cube).at(0));
    const auto* volume =
        std::get_if<const geometry::VolumeMesh<double>*>(&mesh);
    ASSERT_NE(volume, nullptr);
    EXPECT_NEAR((*volume)->CalcVolume(),
                more.empty() ? 0.2 * 0.2 * 0.2 : 0.22 * 0.22 * 0.22, 1e-15);
    const auto diagram = builder.Build();
    const auto root = diagram->CreateDefaultContext();
    auto& context = plant.GetMyMutableContextFromRoot(root.get());
    // The pyramid below: p = E depth / 0.1 m, over a square that narrows; the
    // weight of 2 kg leaves it at 1 mm or so.
    const double E = 1e5, a = 0.2;
    double depth = 0;
    while (E * depth / 0.1 * (a - 2 * depth) * (a - 2 * depth) +
               8 * E / 0.1 * depth * depth * (a / 4 - depth / 3) <
           2 * 9.81) {
      depth += 1e-8;
    }
    plant.SetFreeBodyPose(
        &context, cube,
        math::RigidTransformd(Vector3<double>(0, 0, 0.2 - depth)));
    for (int step = 0; step < 300; ++step) {
      diagram->ExecuteForcedEvents(root.get());
    }
    const auto& results =
        plant.get_contact_results_output_port().Eval<ContactResults<double>>(
            context);
    ASSERT_EQ(results.num_hydroelastic_contacts(), 1);
    EXPECT_NEAR(
        results.hydroelastic_contact_info(0).F_Ac_W().translational().norm(),
        2 * 9.81, 1e-3);
    const double height =
        plant.EvalBodyPoseInWorld(context, cube).translation()[2];
    EXPECT_NEAR(height, 0.2 - depth, 0.02 * depth) << scale << more;
  }
}

TEST_P(MeshOfModel, WhatAVolumeLacksIsSaidWithFileAndLine) {
  const std::string good = Vtk();
  const auto replaced = [&good](const std::string& old, const std::string& by) {
    std::string text = good;
    return text.replace(text.find(old), old.size(), by);
  };
  WriteModel("cube", "bad.vtk", "1 1 1", Compliant());
  const std::string place = ModelFile("cube") + ":2: ";
  for (const auto& [text, message] :
       {std::pair(good.substr(0, good.find("0 0 0\n") + 3),
                  "bad.vtk' cannot be read: line 15: the file ends"),
        std::pair(good.substr(0, good.find("CELL_TYPES")), "0 cell types"),
        std::pair(replaced("POINTS 9", "POINTS 900000000"),
                  "line 5: the number of points is 900000000"),
        std::pair(replaced("0 0 0\n", "0 nan 0\n"),
                  "line 14: a coordinate is nan"),
        std::pair(replaced("4 2 0 1 8", "4 2 0 1 99"),
                  "has a tetrahedron with vertex 99")}) {
    Write("bad.vtk", text);
    geometry::SceneGraph<double> scene_graph;
    MultibodyPlant<double> plant(1e-3);
    Parser parser(&plant, &scene_graph);
    parser.SetWarningHandler({});
    parser.AddModels((folder_ / ModelFile("cube")).string());
    EXPECT_EQ(plant.num_collision_geometries(), 0);
    ASSERT_EQ(parser.warnings().size(), 1u);
    const std::string& warning = parser.warnings()[0];
    for (const std::string& part :
         {place, std::string("left out of what touches"),
          std::string(message)}) {
      EXPECT_NE(warning.find(part), std::string::npos) << warning;
    }
  }
  // Shapes that have a hull but no volume mesh.
  for (const auto& [text, message] :
       {std::pair(replaced("4 2 0 1 8", "4 0 2 1 8"), "element 0 of"),
        std::pair(replaced("0 0 0\n", "0 0 0.1\n"), "element 2 of")}) {
    Write("bad.vtk", text);
    geometry::SceneGraph<double> scene_graph;
    MultibodyPlant<double> plant(1e-3);
    Parser parser(&plant, &scene_graph);
    const auto add = [&] {
      parser.AddModels((folder_ / ModelFile("cube")).string());
    };
    EXPECT_THROWS_MESSAGE(add(), std::runtime_error, message);
    geometry::SceneGraph<double> another_graph;
    MultibodyPlant<double> another(1e-3);
    EXPECT_THROWS_MESSAGE(
        Parser(&another, &another_graph)
            .AddModels((folder_ / ModelFile("cube")).string()),
        std::runtime_error, place + "link 'cube': ");
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, MeshOfModel, testing::Values(true, false),
                         [](const auto& format) {
                           return format.param ? "Urdf" : "Sdf";
                         });

}  // namespace hydroelastic_files_test
}  // namespace wyvern::multibody
