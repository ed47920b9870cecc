/** @file Contact on surfaces between bodies of URDF and SDFormat files. */

#include <string>

#include <gtest/gtest.h>

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

}  // namespace hydroelastic_files_test
}  // namespace wyvern::multibody
