// Computations of a MultibodyPlant: kinematics, dynamics, Jacobians, limits,
// and the contacts of its output port. Functions that fill a matrix in C++
// return it here.
#include <string>
#include <tuple>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/abstract_values.h"
#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/multibody/plant/contact_results.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::python {

using namespace multibody;  // NOLINT(build/namespaces)

namespace {

using Plant = MultibodyPlant<double>;
using Class = DocumentedClass<Plant, systems::LeafSystem<double>>;
using F = Frame<double>;

void BindDynamics(Class* plant) {
  plant
      ->def(
          "CalcMassMatrix",
          [](const Plant& p, const Ctx& context) {
            MatrixXd M(p.num_velocities(), p.num_velocities());
            p.CalcMassMatrix(context, &M);
            return M;
          },
          "context"_a, "Returns M(q), nv x nv.")
      .def(
          "CalcBiasTerm",
          [](const Plant& p, const Ctx& context) {
            VectorXd Cv(p.num_velocities());
            p.CalcBiasTerm(context, &Cv);
            return Cv;
          },
          "context"_a, "Returns C(q, v) v.")
      .def("CalcGravityGeneralizedForces", &Plant::CalcGravityGeneralizedForces,
           "context"_a)
      .def(
          "CalcInverseDynamics",
          [](const Plant& p, const Ctx& context, const VectorXd& vdot,
             const MultibodyForces<double>& forces) {
            return p.CalcInverseDynamics(context, vdot, forces);
          },
          "context"_a, "known_vdot"_a, "external_forces"_a)
      .def(
          "CalcForceElementsContribution",
          [](const Plant& p, const Ctx& context,
             MultibodyForces<double>* forces) {
            p.CalcForceElementsContribution(context, forces);
          },
          "context"_a, "forces"_a)
      .def(
          "CalcTotalMass",
          [](const Plant& p, const Ctx& context) {
            return p.CalcTotalMass(context);
          },
          "context"_a)
      .def(
          "CalcCenterOfMassPositionInWorld",
          [](const Plant& p, const Ctx& context) {
            return p.CalcCenterOfMassPositionInWorld(context);
          },
          "context"_a)
      .def("MakeActuationMatrix", &Plant::MakeActuationMatrix)
      .def("GetPositionLowerLimits", &Plant::GetPositionLowerLimits)
      .def("GetPositionUpperLimits", &Plant::GetPositionUpperLimits)
      .def("GetVelocityLowerLimits", &Plant::GetVelocityLowerLimits)
      .def("GetVelocityUpperLimits", &Plant::GetVelocityUpperLimits)
      .def("GetEffortLowerLimits", &Plant::GetEffortLowerLimits)
      .def("GetEffortUpperLimits", &Plant::GetEffortUpperLimits);
}

void BindKinematics(Class* plant) {
  plant
      ->def("EvalBodyPoseInWorld", &Plant::EvalBodyPoseInWorld, "context"_a,
            "body_B"_a, nb::rv_policy::copy)
      .def("EvalBodySpatialVelocityInWorld",
           &Plant::EvalBodySpatialVelocityInWorld, "context"_a, "body_B"_a,
           nb::rv_policy::copy)
      .def("EvalBodySpatialAccelerationInWorld",
           &Plant::EvalBodySpatialAccelerationInWorld, "context"_a, "body_B"_a,
           nb::rv_policy::copy)
      .def("CalcRelativeTransform", &Plant::CalcRelativeTransform, "context"_a,
           "frame_A"_a, "frame_B"_a)
      .def(
          "CalcPointsPositions",
          [](const Plant& p, const Ctx& context, const F& B,
             const MatrixXd& p_BQi, const F& A) {
            MatrixXd p_AQi(3, p_BQi.cols());
            p.CalcPointsPositions(context, B, p_BQi, A, &p_AQi);
            return p_AQi;
          },
          "context"_a, "frame_B"_a, "p_BQi"_a, "frame_A"_a,
          "Returns the points, one in each column.")
      .def(
          "MapVelocityToQDot",
          [](const Plant& p, const Ctx& context, const VectorXd& v) {
            VectorXd qdot(p.num_positions());
            p.MapVelocityToQDot(context, v, &qdot);
            return qdot;
          },
          "context"_a, "v"_a)
      .def(
          "MapQDotToVelocity",
          [](const Plant& p, const Ctx& context, const VectorXd& qdot) {
            VectorXd v(p.num_velocities());
            p.MapQDotToVelocity(context, qdot, &v);
            return v;
          },
          "context"_a, "qdot"_a);
}

using Matrices = std::tuple<MatrixXd, MatrixXd, MatrixXd>;

// Calls one of the plant's functions that fill three square matrices.
template <typename Fill>
Matrices MakeMatrices(const Plant& plant, const Fill& fill) {
  const int n = plant.num_velocities();
  Matrices all{MatrixXd(n, n), MatrixXd(n, n), MatrixXd(n, n)};
  auto& [first, second, third] = all;
  fill(&first, &second, &third);
  return all;
}

void BindDerivatives(Class* plant) {
  using Forces = MultibodyForces<double>;
  plant
      ->def(
          "CalcInverseDynamicsDerivatives",
          [](const Plant& p, const Ctx& context, const VectorXd& known_vdot,
             const Forces& applied_forces) {
            return MakeMatrices(
                p, [&](MatrixXd* by_q, MatrixXd* by_v, MatrixXd* by_vdot) {
                  p.CalcInverseDynamicsDerivatives(
                      context, known_vdot, applied_forces, by_q, by_v, by_vdot);
                });
          },
          "context"_a, "known_vdot"_a, "applied_forces"_a,
          "Returns (dtau_dq, dtau_dv, dtau_dvdot), nv x nv each.")
      .def(
          "CalcForwardDynamicsDerivatives",
          [](const Plant& p, const Ctx& context, const VectorXd& tau,
             const Forces& applied_forces) {
            return MakeMatrices(
                p, [&](MatrixXd* by_q, MatrixXd* by_v, MatrixXd* by_tau) {
                  p.CalcForwardDynamicsDerivatives(context, tau, applied_forces,
                                                   by_q, by_v, by_tau);
                });
          },
          "context"_a, "tau"_a, "applied_forces"_a,
          "Returns (dvdot_dq, dvdot_dv, dvdot_dtau), nv x nv each.")
      .def("CalcDerivativeInPositions", &Plant::CalcDerivativeInPositions,
           "context"_a, "tangent"_a)
      .def(
          "CalcMassMatrixInverse",
          [](const Plant& p, const Ctx& context) {
            MatrixXd M_inverse(p.num_velocities(), p.num_velocities());
            p.CalcMassMatrixInverse(context, &M_inverse);
            return M_inverse;
          },
          "context"_a, "Returns the inverse of M(q), nv x nv.");
}

int NumColumns(const Plant& plant, JacobianWrtVariable variable) {
  return variable == JacobianWrtVariable::kV ? plant.num_velocities()
                                             : plant.num_positions();
}

void BindJacobians(Class* plant) {
  plant
      ->def(
          "CalcJacobianSpatialVelocity",
          [](const Plant& p, const Ctx& context, JacobianWrtVariable variable,
             const F& B, const Vector3d& p_BoBp_B, const F& A, const F& E) {
            MatrixXd J(6, NumColumns(p, variable));
            p.CalcJacobianSpatialVelocity(context, variable, B, p_BoBp_B, A, E,
                                          &J);
            return J;
          },
          "context"_a, "with_respect_to"_a, "frame_B"_a, "p_BoBp_B"_a,
          "frame_A"_a, "frame_E"_a, "Returns J, 6 x n, rotational part first.")
      .def(
          "CalcJacobianTranslationalVelocity",
          [](const Plant& p, const Ctx& context, JacobianWrtVariable variable,
             const F& B, const Matrix3Xd& p_BoBi_B, const F& A, const F& E) {
            MatrixXd J(3 * p_BoBi_B.cols(), NumColumns(p, variable));
            p.CalcJacobianTranslationalVelocity(context, variable, B, p_BoBi_B,
                                                A, E, &J);
            return J;
          },
          "context"_a, "with_respect_to"_a, "frame_B"_a, "p_BoBi_B"_a,
          "frame_A"_a, "frame_E"_a)
      .def(
          "CalcBiasSpatialAcceleration",
          [](const Plant& p, const Ctx& context, JacobianWrtVariable variable,
             const F& B, const Vector3d& p_BoBp_B, const F& A, const F& E) {
            return p.CalcBiasSpatialAcceleration(context, variable, B, p_BoBp_B,
                                                 A, E);
          },
          "context"_a, "with_respect_to"_a, "frame_B"_a, "p_BoBp_B"_a,
          "frame_A"_a, "frame_E"_a);
}

void BindResults(nb::module_ m) {
  using Info = PointPairContactInfo<double>;
  DocumentedClass<Info>(m, "PointPairContactInfo", "A contact at a point.")
      .def("bodyA_index", &Info::bodyA_index)
      .def("bodyB_index", &Info::bodyB_index)
      .def("contact_force", &Info::contact_force, "On B, in the world [N].")
      .def("contact_point", &Info::contact_point, "In the world [m].")
      .def("separation_speed", &Info::separation_speed)
      .def("slip_speed", &Info::slip_speed);
  using Results = ContactResults<double>;
  DocumentedClass<Results>(m, "ContactResults", "The contacts of a plant.")
      .def("num_point_pair_contacts", &Results::num_point_pair_contacts)
      .def("num_hydroelastic_contacts", &Results::num_hydroelastic_contacts)
      .def("point_pair_contact_info", &Results::point_pair_contact_info, "i"_a,
           nb::rv_policy::copy);
  using Applied = ExternallyAppliedSpatialForce<double>;
  DocumentedClass<Applied>(m, "ExternallyAppliedSpatialForce")
      .def(nb::init<>())
      .def_rw("body_index", &Applied::body_index)
      .def_prop_rw(
          "p_BoBq_B", [](const Applied& a) { return a.p_BoBq_B; },
          [](Applied& a, const Vector3d& p) { a.p_BoBq_B = p; })
      .def_prop_rw(
          "F_Bq_W", [](const Applied& a) { return a.F_Bq_W; },
          [](Applied& a, const SpatialForce<double>& f) { a.F_Bq_W = f; });
  RegisterAbstractType<Results>();
  RegisterAbstractType<std::vector<Applied>>();
  RegisterAbstractType<std::vector<math::RigidTransform<double>>>();
  RegisterAbstractType<std::vector<SpatialVelocity<double>>>();
  RegisterAbstractType<std::vector<SpatialAcceleration<double>>>();
  RegisterAbstractType<std::vector<SpatialForce<double>>>();
}

}  // namespace

void BindPlantDynamics(nb::module_ m) {
  auto plant = Class::Borrow(m.attr("MultibodyPlant"));
  BindDynamics(&plant);
  BindKinematics(&plant);
  BindDerivatives(&plant);
  BindJacobians(&plant);
  BindResults(m);
}

}  // namespace wyvern::python
