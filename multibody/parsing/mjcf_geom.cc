#include "wyvern/multibody/parsing/mjcf_geom.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/parsing/mjcf_inertia.h"
#include "wyvern/multibody/parsing/mjcf_pose.h"

/* Reads a <geom>: its shape and pose, its mass (mass_moments.h), and whether it
is visible and collides. Sizes are half sizes, as in MuJoCo. A primitive
shape with a mesh is fitted to the mesh. A geom is visible if MuJoCo shows
its group by default: groups 0 to 2. */

namespace wyvern::multibody::internal {

using geometry::Shape;
using math::RigidTransform;

namespace {

enum class Kind {
  kPlane,
  kSphere,
  kCapsule,
  kEllipsoid,
  kCylinder,
  kBox,
  kMesh,
  kHeightField,
  kOther
};

Kind ReadGeomKind(const MjcfElement& geom) {
  static const std::map<std::string, Kind> kinds{
      {"plane", Kind::kPlane},       {"sphere", Kind::kSphere},
      {"capsule", Kind::kCapsule},   {"ellipsoid", Kind::kEllipsoid},
      {"cylinder", Kind::kCylinder}, {"box", Kind::kBox},
      {"mesh", Kind::kMesh},         {"hfield", Kind::kHeightField},
      {"sdf", Kind::kOther}};
  const std::string type = geom.Text("type", "sphere");
  const auto found = kinds.find(type);
  if (found == kinds.end()) {
    geom.Throw(fmt::format("there is no geom of type \"{}\".", type));
  }
  if (found->second == Kind::kPlane && geom.Has("mesh")) return Kind::kOther;
  return found->second;
}

// How many sizes a kind has, with and without fromto.
int NumSizes(Kind kind, bool has_ends) {
  switch (kind) {
    case Kind::kSphere:
      return 1;
    case Kind::kCapsule:
    case Kind::kCylinder:
      return has_ends ? 1 : 2;
    case Kind::kEllipsoid:
    case Kind::kBox:
      return has_ends ? 1 : 3;
    case Kind::kPlane:
    case Kind::kMesh:
    case Kind::kHeightField:
    case Kind::kOther:
      break;
  }
  return 0;
}

/** Reads one geom. */
class GeomReader {
 public:
  GeomReader(const MjcfElement& geom, const MjcfContext& context)
      : geom_(geom),
        context_(context),
        kind_(ReadGeomKind(geom)),
        is_fitted_(kind_ != Kind::kMesh && kind_ != Kind::kHeightField &&
                   kind_ != Kind::kOther && geom.Has("mesh")) {}

  MjcfGeom Read(const RigidTransform<double>& X_BF, bool wants_mass) {
    MjcfGeom result;
    result.name = std::string(geom_.own().Attribute("name").value_or(""));
    result.mask = {.contype = Mask("contype"),
                   .conaffinity = Mask("conaffinity")};
    result.is_paired = context_.paired.contains(result.name);
    if (!context_.settings.main().has_contact) {
      result.mask = {0, 0};
      result.is_paired = false;
    }
    const int group = static_cast<int>(geom_.Number("group", 0));
    result.is_seen = group >= 0 && group <= 2;
    result.X_BG = X_BF * ReadPlace();
    result.is_cylinder = kind_ == Kind::kCylinder;
    if (result.is_cylinder || kind_ == Kind::kSphere) result.radius = size_[0];
    const Vector2<double>& groups =
        context_.settings.Of(geom_.own()).inertia_groups;
    if (wants_mass && groups[0] <= group && group <= groups[1]) {
      result.mass = CalcMass().In(result.X_BG);
      result.R_BI = result.X_BG.rotation();
      if (kind_ == Kind::kMesh && result.mass.mass > 0) {
        result.R_BI =
            result.R_BI * FindMjcfAxes(CalcMeshMass().CentralInertia());
      }
    }
    if (kind_ == Kind::kHeightField) {
      MakeHeightField(&result);
    } else {
      result.shape = MakeShape(result.touches());
    }
    ReadAppearance(&result);
    ReadContact(&result);
    ReadFluidShape(&result);
    return result;
  }

 private:
  unsigned Mask(std::string_view attribute) const {
    const double bits = geom_.Number(attribute, 1);
    if (bits != std::floor(bits) || std::abs(bits) > 2147483647) {
      geom_.Throw(fmt::format("{} is {}; it must be an integer of 32 bits.",
                              attribute, bits));
    }
    return static_cast<unsigned>(static_cast<int>(bits));
  }

  // With fromto the length comes from it, along z.
  void ReadSizes() {
    has_ends_ = geom_.Has("fromto");
    const int count = NumSizes(kind_, has_ends_);
    size_ = geom_.Numbers("size", Vector3<double>::Zero());
    for (int i = 0; i < count; ++i) {
      if (size_[i] > 0) continue;
      geom_.Throw(fmt::format(
          "size is \"{}\"; this geom needs {} numbers, all positive.",
          geom_.Text("size"), count));
    }
    if (!has_ends_) return;
    if (count != 1 || kind_ == Kind::kSphere) {
      geom_.Throw("fromto is not for geoms of this type.");
    }
    ends_ = geom_.Numbers("fromto", Vector6<double>::Zero());
    const double half = (ends_.head<3>() - ends_.tail<3>()).norm() / 2;
    if (!(half > 1e-15)) geom_.Throw("the ends in fromto are one point.");
    const bool is_round = kind_ == Kind::kCapsule || kind_ == Kind::kCylinder;
    size_ = is_round ? Vector3<double>(size_[0], half, 0)
                     : Vector3<double>(size_[0], size_[0], half);
  }

  RigidTransform<double> ReadPlace() {
    if (is_fitted_) {
      return ReadMjcfPose(geom_, context_.settings) * FitToMesh();
    }
    ReadSizes();
    return has_ends_ ? PoseOfEnds(ends_)
                     : ReadMjcfPose(geom_, context_.settings);
  }

  // Sets the sizes of a shape that replaces a mesh, and returns its pose. The
  // shape's axes are the principal axes of the mesh, the longest last. Its size
  // is that of the box around the mesh, or of a box with the inertia of the
  // mesh.
  RigidTransform<double> FitToMesh() {
    if (geom_.Has("fromto")) {
      geom_.Throw("a shape that is fitted to a mesh has no fromto; remove it.");
    }
    const MassMoments mass = CalcMeshMass();
    if (!(mass.mass > 0)) {
      geom_.Throw("no shape can be fitted to a mesh without volume.");
    }
    const MjcfInertia inertia = FromMoments(mass);
    RigidTransform<double> X_GI = inertia.X_BI();
    const bool fits_box = context_.settings.Of(geom_.own()).fits_boxes;
    Vector3<double> half = CalcMjcfInertiaBox(inertia) / 2;
    if (fits_box) half = FitBox(&X_GI);
    const double round =
        fits_box ? std::max(half[0], half[1]) : (half[0] + half[1]) / 2;
    switch (kind_) {
      case Kind::kSphere:
        size_.setConstant(fits_box ? half.maxCoeff() : half.mean());
        break;
      case Kind::kCapsule:
        size_ << round, half[2] - (fits_box ? round : round / 2), 0;
        break;
      case Kind::kCylinder:
        size_ << round, half[2], 0;
        break;
      default:
        size_ = half;
    }
    size_ = geom_.Number("fitscale", 1) * size_.cwiseMax(0.0);
    return X_GI;
  }

  // Returns the half sizes of the box around the mesh along the axes of I, and
  // moves the origin of I to the middle of the box.
  Vector3<double> FitBox(RigidTransform<double>* X_GI) const {
    Eigen::AlignedBox3d box;
    for (const Vector3<double>& p_GV : MeshVertices()) {
      box.extend(X_GI->inverse() * p_GV);
    }
    X_GI->set_translation(*X_GI * Vector3<double>(box.center()));
    return box.sizes() / 2;
  }

  MassMoments CalcMass() const {
    const double mass = geom_.NotNegative("mass", 0);
    const double density = geom_.NotNegative("density", 1000);
    const bool has_mass = geom_.Has("mass");
    if (kind_ == Kind::kPlane || (has_mass ? mass : density) == 0) return {};
    const MassMoments unit = CalcUnitMass();
    if (!(unit.mass > 0)) {
      geom_.Throw(fmt::format("its volume is {}; give the body an <inertial>.",
                              unit.mass));
    }
    return unit.Times(has_mass ? mass / unit.mass : density);
  }

  // Computes the mass moments for density 1.
  MassMoments CalcUnitMass() const {
    const bool is_hollow = geom_.Flag("shellinertia", false);
    switch (kind_) {
      case Kind::kSphere:
        return is_hollow ? HollowSphere(size_[0])
                         : SolidEllipsoid(Vector3<double>::Constant(size_[0]));
      case Kind::kCapsule:
        return is_hollow ? HollowCapsule(size_[0], size_[1])
                         : SolidCapsule(size_[0], size_[1]);
      case Kind::kCylinder:
        return is_hollow ? HollowCylinder(size_[0], size_[1])
                         : SolidCylinder(size_[0], size_[1]);
      case Kind::kBox:
        return is_hollow ? HollowBox(size_) : SolidBox(size_);
      case Kind::kEllipsoid:
        if (is_hollow) {
          geom_.Throw(
              "the mass of a hollow ellipsoid is not modelled; give "
              "the body an <inertial>.");
        }
        return SolidEllipsoid(size_);
      case Kind::kMesh:
        return CalcMeshMass();
      case Kind::kPlane:
        return {};
      case Kind::kHeightField:
      case Kind::kOther:
        break;
    }
    geom_.Throw(
        "the mass of such a geom is not modelled; give the body an "
        "<inertial>, or the geom the mass 0.");
  }

  const MjcfElement& Mesh() const {
    if (!geom_.Has("mesh")) geom_.Throw("it is of type mesh and names none.");
    return context_.assets.Mesh(geom_.own(), geom_.Text("mesh"));
  }

  // Returns the mesh's mass moments for density 1, which are read once.
  const MassMoments& CalcMeshMass() const {
    if (mesh_mass_.has_value()) return *mesh_mass_;
    try {
      return mesh_mass_.emplace(context_.assets.CalcMass(Mesh()));
    } catch (const std::exception& error) {
      geom_.Throw(fmt::format("its mass is not known: {}", error.what()));
    }
  }

  std::vector<Vector3<double>> MeshVertices() const {
    try {
      return context_.assets.Read(Mesh()).vertices;
    } catch (const std::exception& error) {
      geom_.Throw(fmt::format("its size is not known: {}", error.what()));
    }
  }

  std::unique_ptr<Shape> MakeShape(bool touches) const {
    if (kind_ == Kind::kOther) {
      if (touches) {
        geom_.Throw(
            "a geom of this type that touches is not modelled; make "
            "it a mesh or a primitive shape, or its contype and "
            "conaffinity 0.");
      }
      return LeftOut("its type is not modelled");
    }
    if (kind_ == Kind::kMesh) return MakeMesh(touches);
    try {
      return MakePrimitive();
    } catch (const std::logic_error& error) {
      geom_.Throw(error.what());
    }
  }

  void MakeHeightField(MjcfGeom* result) const {
    const MjcfHeightField field =
        context_.assets.HeightField(geom_.own(), geom_.Text("hfield"));
    if (!context_.with_shapes) return;
    const std::string label = geom_.own().place();
    try {
      if (result->touches()) {
        MjcfHeightField coarse = field;
        const double difference = CoarsenHeights(&coarse);
        if (difference > 0) {
          geom_.own().Warn(
              fmt::format("a height field of {} rows and {} columns touches as "
                          "one of {} and {}, the heights of which differ by up "
                          "to {:.3g} m; give it fewer rows and columns.",
                          field.num_rows, field.num_columns, coarse.num_rows,
                          coarse.num_columns, difference),
              context_.log);
        }
        result->parts = MakeHeightParts(coarse, label);
      }
      result->shape = MakeHeightSurface(field, label);
    } catch (const std::runtime_error& error) {
      geom_.Throw(error.what());
    }
  }

  std::unique_ptr<Shape> MakePrimitive() const {
    const double r = size_[0];
    switch (kind_) {
      case Kind::kPlane:
        return std::make_unique<geometry::HalfSpace>();
      case Kind::kSphere:
        return std::make_unique<geometry::Sphere>(r);
      case Kind::kCapsule:
        // Fitted to a round mesh.
        if (size_[1] == 0) return std::make_unique<geometry::Sphere>(r);
        return std::make_unique<geometry::Capsule>(r, 2 * size_[1]);
      case Kind::kCylinder:
        return std::make_unique<geometry::Cylinder>(r, 2 * size_[1]);
      case Kind::kEllipsoid:
        return std::make_unique<geometry::Ellipsoid>(r, size_[1], size_[2]);
      case Kind::kBox:
        return std::make_unique<geometry::Box>(2 * size_);
      case Kind::kMesh:
      case Kind::kHeightField:
      case Kind::kOther:
        break;
    }
    throw std::logic_error("it has no shape.");
  }

  // As with URDF, a mesh that cannot be read is not there.
  std::unique_ptr<Shape> MakeMesh(bool touches) const {
    const MjcfElement& mesh = Mesh();
    if (!context_.with_shapes) return nullptr;
    try {
      return context_.assets.MakeShape(
          mesh, touches ? MeshFiles::Use::kTouch : MeshFiles::Use::kSee);
    } catch (const std::exception& error) {
      return LeftOut(error.what());
    }
  }

  std::unique_ptr<Shape> LeftOut(std::string_view why) const {
    context_.log->Add(geom_.own().place(),
                      fmt::format("a geom is left out: {}", why));
    return nullptr;
  }

  void ReadAppearance(MjcfGeom* result) const {
    const std::string material = geom_.Text("material");
    auto color = ReadMjcfColor(geom_);
    if (!geom_.Has("rgba")) {
      color = context_.assets.Color(material).value_or(color);
    }
    result->seen.AddProperty("phong", "diffuse", color);
  }

  // If one of two geoms has condim 1, their contact has no friction.
  void ReadContact(MjcfGeom* result) const {
    const VectorX<double> friction =
        geom_.Numbers("friction", Vector3<double>(1, 0.005, 0.0001));
    if (friction.minCoeff() < 0) {
      geom_.Throw("a coefficient of friction is negative.");
    }
    for (const char* const attribute : {"surfacevel", "adhesion"}) {
      if (!geom_.Has(attribute)) continue;
      geom_.Throw(fmt::format("{} is not modelled; remove it.", attribute));
    }
    const MjcfSettings& settings = context_.settings.main();
    const double mu = geom_.Number("condim", 3) == 1 ? 0
                      : settings.overrides_friction  ? settings.friction
                                                     : friction[0];
    result->touching.AddProperty(geometry::internal::kMaterialGroup,
                                 geometry::internal::kFriction,
                                 CoulombFriction<double>(mu, mu));
  }

  void ReadFluidShape(MjcfGeom* result) const {
    const std::string kind = geom_.Text("fluidshape", "none");
    if (kind != "none" && kind != "ellipsoid") {
      geom_.Throw(fmt::format(
          "fluidshape=\"{}\" is neither none nor ellipsoid.", kind));
    }
    const EllipsoidDragCoefficients normal;
    const VectorX<double> given = geom_.Numbers(
        "fluidcoef",
        Eigen::Vector<double, 5>(normal.blunt, normal.slender, normal.angular,
                                 normal.kutta, normal.magnus));
    if (kind == "none" || !context_.settings.main().has_medium()) return;
    MjcfFluidShape shape{
        .X_BD = result->X_BG,
        .coefficients = {given[0], given[1], given[2], given[3], given[4]}};
    switch (kind_) {
      case Kind::kSphere:
        shape.semi_axes.setConstant(size_[0]);
        break;
      case Kind::kCapsule:
        shape.semi_axes << size_[0], size_[0], size_[0] + size_[1];
        break;
      case Kind::kCylinder:
        shape.semi_axes << size_[0], size_[0], size_[1];
        break;
      case Kind::kEllipsoid:
      case Kind::kBox:
        shape.semi_axes = size_;
        break;
      case Kind::kMesh:
        FitFluidShape(&shape);
        break;
      case Kind::kPlane:
      case Kind::kHeightField:
      case Kind::kOther:
        geom_.Throw(
            "fluidshape=\"ellipsoid\" of a geom of this type is not modelled; "
            "remove it.");
    }
    const FluidMedium& medium = context_.settings.main().medium;
    if (!IsFiniteEllipsoidDrag(shape.semi_axes, medium, shape.coefficients)) {
      geom_.Throw(
          "its fluid shape, its coefficients or the medium's density are too "
          "large; give smaller ones.");
    }
    result->fluid_shape = shape;
  }

  // The ellipsoid has the centre and the principal axes of the mesh, and
  // reaches as far along each axis as the mesh does.
  void FitFluidShape(MjcfFluidShape* shape) const {
    const RigidTransform<double> X_GI = FromMoments(CalcMeshMass()).X_BI();
    shape->X_BD = shape->X_BD * X_GI;
    for (const Vector3<double>& p_GV : MeshVertices()) {
      const Vector3<double> p_IV = X_GI.inverse() * p_GV;
      shape->semi_axes = shape->semi_axes.cwiseMax(p_IV.cwiseAbs());
    }
    if (shape->semi_axes.minCoeff() > 0) return;
    geom_.Throw(
        "fluidshape=\"ellipsoid\" of a flat mesh is not modelled; remove it.");
  }

  const MjcfElement& geom_;
  const MjcfContext& context_;
  const Kind kind_;
  const bool is_fitted_;
  mutable std::optional<MassMoments> mesh_mass_;
  bool has_ends_{false};
  Vector3<double> size_;
  Vector6<double> ends_;
};

}  // namespace

MjcfGeom ReadMjcfGeom(const MjcfElement& geom,
                      const RigidTransform<double>& X_BF, bool wants_mass,
                      const MjcfContext& context) {
  return GeomReader(geom, context).Read(X_BF, wants_mass);
}

}  // namespace wyvern::multibody::internal
