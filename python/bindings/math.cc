// Rotations and poses.
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/rotation_matrix.h"

namespace wyvern::python {

using Eigen::Quaterniond;
using math::RigidTransform;
using math::RollPitchYaw;
using math::RotationMatrix;
using Rotation = RotationMatrix<double>;
using Angles = RollPitchYaw<double>;
using Pose = RigidTransform<double>;
using Points = Eigen::Matrix3Xd;

namespace {

// A vector, or points in columns. Two overloads would look alike in the stubs.
using VectorOrPoints = std::variant<Vector3d, Points>;
constexpr const char* kTransformSignature =
    "def __matmul__(self, arg: numpy.typing.ArrayLike, /) -> "
    "numpy.typing.NDArray[numpy.float64]";

template <typename By>
VectorOrPoints Transform(const By& by, const VectorOrPoints& given) {
  return std::visit(
      [&by](const auto& p) -> VectorOrPoints {
        return std::decay_t<decltype(p)>(by * p);
      },
      given);
}

void BindQuaternion(nb::module_ m) {
  DocumentedClass<Quaterniond>(m, "Quaternion", "w + x i + y j + z k.")
      .def("__init__",
           [](Quaterniond* self) {
             new (self) Quaterniond(Quaterniond::Identity());
           })
      .def(
          "__init__",
          [](Quaterniond* self, double w, double x, double y, double z) {
            new (self) Quaterniond(w, x, y, z);
          },
          "w"_a, "x"_a, "y"_a, "z"_a)
      .def(
          "__init__",
          [](Quaterniond* self, const Vector4d& wxyz) {
            new (self) Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
          },
          "wxyz"_a)
      .def("w", [](const Quaterniond& q) { return q.w(); })
      .def("x", [](const Quaterniond& q) { return q.x(); })
      .def("y", [](const Quaterniond& q) { return q.y(); })
      .def("z", [](const Quaterniond& q) { return q.z(); })
      .def("wxyz",
           [](const Quaterniond& q) {
             return Vector4d(q.w(), q.x(), q.y(), q.z());
           })
      .def("rotation", [](const Quaterniond& q) { return q.matrix().eval(); })
      .def("inverse", [](const Quaterniond& q) { return q.inverse(); })
      .def("__matmul__",
           [](const Quaterniond& a, const Quaterniond& b) { return a * b; })
      .def("__repr__", [](const Quaterniond& q) {
        return fmt::format("Quaternion(w={}, x={}, y={}, z={})", q.w(), q.x(),
                           q.y(), q.z());
      });
}

void BindAngles(DocumentedClass<Angles>* angles) {
  angles
      ->def(nb::init<double, double, double>(), "roll"_a, "pitch"_a, "yaw"_a,
            "Angles [rad] about x, y and z of the parent.")
      .def(nb::init<const Vector3d&>(), "rpy"_a)
      .def(nb::init<const Rotation&>(), "R"_a)
      .def(nb::init<const Quaterniond&>(), "quaternion"_a)
      .def("vector", &Angles::vector)
      .def("roll_angle", &Angles::roll_angle)
      .def("pitch_angle", &Angles::pitch_angle)
      .def("yaw_angle", &Angles::yaw_angle)
      .def("ToRotationMatrix", &Angles::ToRotationMatrix)
      .def("ToQuaternion", &Angles::ToQuaternion)
      .def("__repr__", [](const Angles& a) {
        return fmt::format("RollPitchYaw(roll={}, pitch={}, yaw={})",
                           a.roll_angle(), a.pitch_angle(), a.yaw_angle());
      });
}

void BindRotation(DocumentedClass<Rotation>* rotation) {
  rotation->def(nb::init<>())
      .def(nb::init<const Matrix3d&>(), "R"_a)
      .def(nb::init<const Quaterniond&>(), "quaternion"_a)
      .def(nb::init<const Angles&>(), "rpy"_a)
      .def_static("Identity", [] { return Rotation(); })
      .def_static("MakeXRotation", &Rotation::MakeXRotation, "theta"_a)
      .def_static("MakeYRotation", &Rotation::MakeYRotation, "theta"_a)
      .def_static("MakeZRotation", &Rotation::MakeZRotation, "theta"_a)
      .def_static("MakeFromOneVector", &Rotation::MakeFromOneVector, "b_A"_a,
                  "axis_index"_a)
      .def_static(
          "ProjectToRotationMatrix",
          [](const Matrix3d& M) {
            return Rotation::ProjectToRotationMatrix(M);
          },
          "M"_a)
      .def("matrix", &Rotation::matrix)
      .def("inverse", &Rotation::inverse)
      .def("transpose", &Rotation::transpose)
      .def("InvertAndCompose", &Rotation::InvertAndCompose, "other"_a)
      .def("multiply",
           [](const Rotation& a, const Rotation& b) { return a * b; })
      .def("multiply",
           [](const Rotation& a, const Vector3d& v) -> Vector3d {
             return a * v;
           })
      .def("__matmul__",
           [](const Rotation& a, const Rotation& b) { return a * b; })
      .def("__matmul__", &Transform<Rotation>, nb::sig(kTransformSignature))
      .def("ToQuaternion", [](const Rotation& R) { return R.ToQuaternion(); })
      .def("ToRollPitchYaw", &Rotation::ToRollPitchYaw)
      .def("IsValid", [](const Rotation& R) { return R.IsValid(); })
      .def("IsExactlyIdentity", &Rotation::IsExactlyIdentity)
      .def("IsNearlyEqualTo", &Rotation::IsNearlyEqualTo, "other"_a,
           "tolerance"_a)
      .def("__repr__", [](const Rotation& R) {
        const Matrix3d& M = R.matrix();
        return fmt::format(
            "RotationMatrix([[{}, {}, {}], [{}, {}, {}], [{}, {}, {}]])",
            M(0, 0), M(0, 1), M(0, 2), M(1, 0), M(1, 1), M(1, 2), M(2, 0),
            M(2, 1), M(2, 2));
      });
}

void BindPose(DocumentedClass<Pose>* pose) {
  pose->def(nb::init<>())
      .def(nb::init<const Rotation&, const Vector3d&>(), "R"_a, "p"_a)
      .def(nb::init<const Angles&, const Vector3d&>(), "rpy"_a, "p"_a)
      .def(nb::init<const Quaterniond&, const Vector3d&>(), "quaternion"_a,
           "p"_a)
      .def(nb::init<const Rotation&>(), "R"_a)
      .def(nb::init<const Vector3d&>(), "p"_a)
      .def(nb::init<const Matrix4d&>(), "pose"_a)
      .def_static("Identity", [] { return Pose(); })
      .def("rotation", &Pose::rotation, nb::rv_policy::copy)
      .def("translation", &Pose::translation)
      .def(
          "set_rotation", [](Pose& X, const Rotation& R) { X.set_rotation(R); },
          "R"_a)
      .def("set_translation", &Pose::set_translation, "p"_a)
      .def("GetAsMatrix4", &Pose::GetAsMatrix4)
      .def("GetAsMatrix34",
           [](const Pose& X) -> Eigen::MatrixXd { return X.GetAsMatrix34(); })
      .def("inverse", &Pose::inverse)
      .def("InvertAndCompose", &Pose::InvertAndCompose, "other"_a)
      .def("multiply", [](const Pose& a, const Pose& b) { return a * b; })
      .def("multiply",
           [](const Pose& a, const Vector3d& p) -> Vector3d { return a * p; })
      .def("__matmul__", [](const Pose& a, const Pose& b) { return a * b; })
      .def("__matmul__", &Transform<Pose>, nb::sig(kTransformSignature))
      .def("IsExactlyIdentity", &Pose::IsExactlyIdentity)
      .def("IsExactlyEqualTo", &Pose::IsExactlyEqualTo, "other"_a)
      .def("IsNearlyEqualTo", &Pose::IsNearlyEqualTo, "other"_a, "tolerance"_a)
      .def("__repr__", [](const Pose& X) {
        const Angles rpy(X.rotation());
        const Vector3d& p = X.translation();
        return fmt::format("RigidTransform(rpy=[{}, {}, {}], p=[{}, {}, {}])",
                           rpy.roll_angle(), rpy.pitch_angle(), rpy.yaw_angle(),
                           p[0], p[1], p[2]);
      });
}

}  // namespace

void BindMath(nb::module_ m) {
  BindQuaternion(m);
  DocumentedClass<Angles> angles(m, "RollPitchYaw", "Three angles [rad].");
  DocumentedClass<Rotation> rotation(
      m, "RotationMatrix", "The orientation of a frame B in a frame A.");
  DocumentedClass<Pose> pose(m, "RigidTransform", "The pose of B in A.");
  BindAngles(&angles);
  BindRotation(&rotation);
  BindPose(&pose);
}

}  // namespace wyvern::python
