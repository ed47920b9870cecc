#include "wyvern/multibody/plant/plant_serialization.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/shape_serialization.h"
#include "wyvern/multibody/math/spatial_algebra.h"
#include "wyvern/multibody/plant/contact_results.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/plant/step/last_step_outputs.h"
#include "wyvern/multibody/plant/step/surface_numbers.h"
#include "wyvern/systems/common/value_serialization.h"

/* How the values that a plant puts into a Context are written in a saved
simulation, and read back: lists of forces, contacts, and the sample of the
last step, field by field as StepOutputs::VisitSampled() lists them. Types
are registered by name with ValueSerialization. What is read is checked, as a
file may be damaged. */

namespace wyvern::multibody::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Contact = PointPairContactInfo<double>;
using AppliedForce = ExternallyAppliedSpatialForce<double>;

// Elements of a list: overloads, found by type.

template <typename Matrix>
void WriteMatrix(const Matrix& x, std::ostream* stream) {
  const MatrixXd matrix = x;
  WriteBinary(matrix, stream);
}

template <typename Matrix>
Matrix ReadVector(std::istream* stream) {
  MatrixXd matrix;
  ReadBinary(&matrix, stream);
  if (matrix.rows() != Matrix::RowsAtCompileTime || matrix.cols() != 1) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant: a vector of {} elements is wanted, and a matrix of {} "
        "x {} was saved; save the Context anew.",
        static_cast<int>(Matrix::RowsAtCompileTime), matrix.rows(),
        matrix.cols()));
  }
  return matrix;
}

template <typename Number>
Number ReadOne(std::istream* stream) {
  Number number{};
  ReadBinary(&number, stream);
  return number;
}

template <template <typename> class Spatial>
void WriteElement(const Spatial<double>& x, std::ostream* stream) {
  WriteMatrix(x.get_coeffs(), stream);
}
template <template <typename> class Spatial>
void ReadElement(Spatial<double>* x, std::istream* stream) {
  *x = Spatial<double>(ReadVector<Vector6<double>>(stream));
}

void WriteElement(const math::RigidTransform<double>& X, std::ostream* stream) {
  geometry::internal::WritePose(X, stream);
}
void ReadElement(math::RigidTransform<double>* X, std::istream* stream) {
  *X = geometry::internal::ReadPose(stream);
}

void WriteElement(const AppliedForce& force, std::ostream* stream) {
  WriteBinary(static_cast<int>(force.body_index), stream);
  WriteMatrix(force.p_BoBq_B, stream);
  WriteElement(force.F_Bq_W, stream);
}
void ReadElement(AppliedForce* force, std::istream* stream) {
  const int body = ReadOne<int>(stream);
  force->body_index = body < 0 ? BodyIndex() : BodyIndex(body);
  force->p_BoBq_B = ReadVector<Vector3d>(stream);
  ReadElement(&force->F_Bq_W, stream);
}

void WriteContact(const Contact& contact, std::ostream* stream) {
  const auto& pair = contact.point_pair();
  WriteBinary(static_cast<int>(contact.bodyA_index()), stream);
  WriteBinary(static_cast<int>(contact.bodyB_index()), stream);
  WriteId(pair.id_A, stream);
  WriteId(pair.id_B, stream);
  for (const Vector3d& x : {contact.contact_force(), contact.contact_point(),
                            pair.p_WCa, pair.p_WCb, pair.nhat_BA_W}) {
    WriteMatrix(x, stream);
  }
  for (const double x :
       {contact.separation_speed(), contact.slip_speed(), pair.depth}) {
    WriteBinary(x, stream);
  }
}
Contact ReadContact(std::istream* stream) {
  const BodyIndex body_A(ReadOne<int>(stream));
  const BodyIndex body_B(ReadOne<int>(stream));
  geometry::PenetrationAsPointPair<double> pair;
  pair.id_A = ReadId<geometry::GeometryId>(stream);
  pair.id_B = ReadId<geometry::GeometryId>(stream);
  const Vector3d f_Bc_W = ReadVector<Vector3d>(stream);
  const Vector3d p_WC = ReadVector<Vector3d>(stream);
  for (Vector3d* x : {&pair.p_WCa, &pair.p_WCb, &pair.nhat_BA_W}) {
    *x = ReadVector<Vector3d>(stream);
  }
  const double separation_speed = ReadOne<double>(stream);
  const double slip_speed = ReadOne<double>(stream);
  pair.depth = ReadOne<double>(stream);
  return {body_A, body_B, f_Bc_W, p_WC, separation_speed, slip_speed, pair};
}

using Surface = HydroelasticContactInfo<double>;

template <typename Number>
void WriteOne(const Number& x, std::ostream* stream) {
  WriteBinary(x, stream);
}
void WriteVector(const Vector3d& x, std::ostream* stream) {
  WriteMatrix(x, stream);
}

void WriteSurface(const Surface& info, std::ostream* stream) {
  const SurfaceNumbers<double> numbers = NumbersOf(info.contact_surface());
  WriteId(numbers.id_M, stream);
  WriteId(numbers.id_N, stream);
  WriteBinary(numbers.is_triangle, stream);
  WriteBinary(numbers.face_data, stream, &WriteOne<int>);
  WriteBinary(numbers.pressures, stream, &WriteOne<double>);
  for (const auto* list : {&numbers.vertices, &numbers.gradients,
                           &numbers.gradients_M, &numbers.gradients_N}) {
    WriteBinary(*list, stream, &WriteVector);
  }
  WriteElement(info.F_Ac_W(), stream);
}
// In the first of two readings geometries may be unknown yet: any will do.
geometry::GeometryId ReadGeometry(std::istream* stream) {
  const auto id = ReadId<geometry::GeometryId>(stream);
  return id.is_valid() ? id : geometry::GeometryId::get_new_id();
}
Surface ReadSurface(std::istream* stream) {
  SurfaceNumbers<double> numbers;
  numbers.id_M = ReadGeometry(stream);
  numbers.id_N = ReadGeometry(stream);
  ReadBinary(&numbers.is_triangle, stream);
  ReadBinary(&numbers.face_data, stream, &ReadOne<int>);
  ReadBinary(&numbers.pressures, stream, &ReadOne<double>);
  for (auto* list : {&numbers.vertices, &numbers.gradients,
                     &numbers.gradients_M, &numbers.gradients_N}) {
    ReadBinary(list, stream, &ReadVector<Vector3d>);
  }
  SpatialForce<double> F_Ac_W;
  ReadElement(&F_Ac_W, stream);
  try {
    auto surface = MakeSurface(numbers);
    // Ids may have changed their order, and so bodies A and B.
    if (surface->id_M() != numbers.id_M) F_Ac_W = -F_Ac_W;
    return {std::move(surface), F_Ac_W};
  } catch (const std::logic_error& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant: a contact surface was saved that is none ({}); save "
        "the Context anew.",
        error.what()));
  }
}

using SoftContact = DeformableContactInfo<double>;

void WriteSoftContact(const SoftContact& info, std::ostream* stream) {
  WriteId(info.id_A(), stream);
  WriteId(info.id_B(), stream);
  WriteBinary(info.contact_mesh().face_data(), stream, &WriteOne<int>);
  WriteBinary(info.contact_mesh().vertices(), stream, &WriteVector);
  WriteElement(info.F_Ac_W(), stream);
}
SoftContact ReadSoftContact(std::istream* stream) {
  const auto id_A = ReadGeometry(stream);
  const auto id_B = ReadGeometry(stream);
  std::vector<int> face_data;
  std::vector<Vector3d> vertices;
  ReadBinary(&face_data, stream, &ReadOne<int>);
  ReadBinary(&vertices, stream, &ReadVector<Vector3d>);
  SpatialForce<double> F_Ac_W;
  ReadElement(&F_Ac_W, stream);
  try {
    return {id_A, id_B,
            geometry::PolygonSurfaceMesh<double>(std::move(face_data),
                                                 std::move(vertices)),
            F_Ac_W};
  } catch (const std::logic_error& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant: the mesh of a deformable contact was saved that is "
        "none ({}); save the Context anew.",
        error.what()));
  }
}

// The fields of a sample: overloads, found by type.

template <class Number>
void WriteField(const Number& x, std::ostream* stream) {
  WriteBinary(x, stream);
}
void WriteField(const Eigen::VectorXd& x, std::ostream* stream) {
  WriteMatrix(x, stream);
}
void WriteField(const std::vector<Contact>& list, std::ostream* stream) {
  WriteBinary(list, stream, &WriteContact);
}
void WriteField(const std::vector<Surface>& list, std::ostream* stream) {
  WriteBinary(list, stream, &WriteSurface);
}
void WriteField(const std::vector<SoftContact>& list, std::ostream* stream) {
  WriteBinary(list, stream, &WriteSoftContact);
}
void WriteField(const std::vector<Vector6<double>>& list,
                std::ostream* stream) {
  WriteBinary(list, stream, &WriteMatrix<Vector6<double>>);
}

template <class Field>
void ReadField(Field* x, std::istream* stream) {
  ReadBinary(x, stream);
}
void ReadField(std::vector<Contact>* list, std::istream* stream) {
  ReadBinary(list, stream, &ReadContact);
}
void ReadField(std::vector<Surface>* list, std::istream* stream) {
  ReadBinary(list, stream, &ReadSurface);
}
void ReadField(std::vector<SoftContact>* list, std::istream* stream) {
  ReadBinary(list, stream, &ReadSoftContact);
}
void ReadField(std::vector<Vector6<double>>* list, std::istream* stream) {
  ReadBinary(list, stream, &ReadVector<Vector6<double>>);
}

using Outputs = StepOutputs<double>;

void WriteSample(const LastStepOutputs& state, std::ostream* stream) {
  const Outputs sample = state.Convert<double>();
  Outputs::VisitSampled([&](const auto& field) { WriteField(field, stream); },
                        sample);
}
void ReadSample(LastStepOutputs* state, std::istream* stream) {
  Outputs sample = state->Convert<double>();
  Outputs::VisitSampled([&](auto& field) { ReadField(&field, stream); },
                        sample);
  state->set(SharedValue(std::move(sample)));
}

template <typename Element>
void RegisterList() {
  using List = std::vector<Element>;
  ValueSerialization::Register<List>(
      [](const List& list, std::ostream* stream) {
        WriteBinary(list, stream, [](const Element& element, std::ostream* s) {
          WriteElement(element, s);
        });
      },
      [](List* list, std::istream* stream) {
        ReadBinary(list, stream, [](std::istream* s) {
          Element element;
          ReadElement(&element, s);
          return element;
        });
      });
}

}  // namespace

void RegisterPlantSerialization() {
  static const bool once = [] {
    RegisterList<AppliedForce>();
    RegisterList<math::RigidTransform<double>>();
    RegisterList<SpatialVelocity<double>>();
    RegisterList<SpatialAcceleration<double>>();
    RegisterList<SpatialForce<double>>();
    ValueSerialization::Register<LastStepOutputs>(&WriteSample, &ReadSample);
    // The plant is not written: what is read keeps the one it had.
    ValueSerialization::Register<ContactResults<double>>(
        [](const ContactResults<double>& results, std::ostream* stream) {
          WriteBinary(results.point_pairs(), stream, &WriteContact);
          WriteBinary(results.hydroelastic(), stream, &WriteSurface);
          WriteBinary(results.deformable(), stream, &WriteSoftContact);
        },
        [](ContactResults<double>* results, std::istream* stream) {
          ReadBinary(&results->mutable_point_pairs(), stream, &ReadContact);
          ReadBinary(&results->mutable_hydroelastic(), stream, &ReadSurface);
          ReadBinary(&results->mutable_deformable(), stream, &ReadSoftContact);
        });
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace wyvern::multibody::internal
