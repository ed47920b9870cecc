#include "wyvern/multibody/parsing/mass_moments.h"

#include <cmath>
#include <numbers>

/* Each shape is a sum of pieces whose moments are known by heart: with half
sizes a, second moments are m a²/3 along a rod, m a²/4 across a disc, m a²/5
across a ball, m a²/3 across a sphere, m a²/2 across a ring. A tetrahedron
with a vertex at the origin and others p has V = det(p)/6,
∫r = V/4 Σp and S = V/20 (Σ p pᵀ + (Σp)(Σp)ᵀ); a triangle of area A has
∫r = A/3 Σp and S = A/12 (Σ p pᵀ + (Σp)(Σp)ᵀ). */

namespace wyvern::multibody::internal {

using std::numbers::pi;

namespace {

MassMoments Centered(double mass, const Vector3<double>& second) {
  return {.mass = mass, .second = second.asDiagonal()};
}

MassMoments Sum(MassMoments a, const MassMoments& b) { return a += b; }

// Two halves, one cut off at each end of what is 2 `half` long: `along` is the
// first moment and `second` the second of the halves about the cut, for m = 1.
MassMoments Caps(double mass, double half, double along,
                 const Vector3<double>& second) {
  const double zz = half * half + 2 * half * along + second[2];
  return Centered(mass, mass * Vector3<double>(second[0], second[1], zz));
}

MassMoments Tube(double radius, double half) {
  const double mass = 2 * pi * radius * 2 * half;
  return Centered(
      mass, mass * Vector3<double>(radius * radius / 2, radius * radius / 2,
                                   half * half / 3));
}

struct VertexSums {
  Vector3<double> first{Vector3<double>::Zero()};
  Matrix3<double> second{Matrix3<double>::Zero()};
};

VertexSums SumVertices(const Matrix3<double>& p) {
  const Vector3<double> sum = p.rowwise().sum();
  return {sum, p * p.transpose() + sum * sum.transpose()};
}

Matrix3<double> Corners(const std::vector<Vector3<double>>& vertices,
                        const std::array<int, 3>& triangle) {
  Matrix3<double> p;
  for (int k = 0; k < 3; ++k) p.col(k) = vertices[triangle[k]];
  return p;
}

// From `apex`, about it.
MassMoments SumTetrahedra(const std::vector<Vector3<double>>& vertices,
                          const std::vector<std::array<int, 3>>& triangles,
                          const Vector3<double>& apex, Inward inward) {
  MassMoments result;
  for (const std::array<int, 3>& triangle : triangles) {
    const Matrix3<double> p = Corners(vertices, triangle).colwise() - apex;
    double volume = p.determinant() / 6;
    if (inward == Inward::kPositive) volume = std::abs(volume);
    const VertexSums sums = SumVertices(p);
    result += {.mass = volume,
               .first = volume / 4 * sums.first,
               .second = volume / 20 * sums.second};
  }
  return result;
}

}  // namespace

MassMoments& MassMoments::operator+=(const MassMoments& other) {
  mass += other.mass;
  first += other.first;
  second += other.second;
  return *this;
}

MassMoments MassMoments::In(const math::RigidTransform<double>& X_BG) const {
  const Matrix3<double>& R = X_BG.rotation().matrix();
  const Vector3<double>& p = X_BG.translation();
  const Vector3<double> h = R * first;
  return {.mass = mass,
          .first = h + mass * p,
          .second = R * second * R.transpose() + h * p.transpose() +
                    p * h.transpose() + mass * p * p.transpose()};
}

MassMoments MassMoments::Times(double factor) const {
  return {.mass = factor * mass,
          .first = factor * first,
          .second = factor * second};
}

MassMoments MassMoments::OfBody(double mass, const Vector3<double>& p_BoBcm,
                                const Matrix3<double>& I_BBcm) {
  return {.mass = mass,
          .first = mass * p_BoBcm,
          .second = 0.5 * I_BBcm.trace() * Matrix3<double>::Identity() -
                    I_BBcm + mass * p_BoBcm * p_BoBcm.transpose()};
}

Vector3<double> MassMoments::center() const {
  return mass > 0 ? Vector3<double>(first / mass) : Vector3<double>::Zero();
}

Matrix3<double> MassMoments::CentralInertia() const {
  const Vector3<double> c = center();
  const Matrix3<double> S = second - mass * c * c.transpose();
  return S.trace() * Matrix3<double>::Identity() - S;
}

MassMoments SolidBox(const Vector3<double>& half) {
  const double mass = 8 * half.prod();
  return Centered(mass, mass / 3 * half.cwiseAbs2());
}

MassMoments HollowBox(const Vector3<double>& half) {
  MassMoments result;
  for (int i = 0; i < 3; ++i) {
    const double area = 2 * 4 * half.prod() / half[i];
    Vector3<double> second = half.cwiseAbs2() / 3;
    second[i] = half[i] * half[i];
    result += Centered(area, area * second);
  }
  return result;
}

MassMoments SolidEllipsoid(const Vector3<double>& half) {
  const double mass = 4.0 / 3 * pi * half.prod();
  return Centered(mass, mass / 5 * half.cwiseAbs2());
}

MassMoments HollowSphere(double radius) {
  const double mass = 4 * pi * radius * radius;
  return Centered(mass, Vector3<double>::Constant(mass * radius * radius / 3));
}

MassMoments SolidCylinder(double radius, double half) {
  const double mass = pi * radius * radius * 2 * half;
  return Centered(
      mass, mass * Vector3<double>(radius * radius / 4, radius * radius / 4,
                                   half * half / 3));
}

MassMoments HollowCylinder(double radius, double half) {
  const double square = radius * radius;
  return Sum(Tube(radius, half),
             Caps(2 * pi * square, half, 0, {square / 4, square / 4, 0}));
}

MassMoments SolidCapsule(double radius, double half) {
  const double ball = 4.0 / 3 * pi * radius * radius * radius;
  return Sum(SolidCylinder(radius, half),
             Caps(ball, half, 3.0 / 8 * radius,
                  Vector3<double>::Constant(radius * radius / 5)));
}

MassMoments HollowCapsule(double radius, double half) {
  return Sum(Tube(radius, half),
             Caps(4 * pi * radius * radius, half, radius / 2,
                  Vector3<double>::Constant(radius * radius / 3)));
}

MassMoments SolidOfTriangles(const std::vector<Vector3<double>>& vertices,
                             const std::vector<std::array<int, 3>>& triangles,
                             Inward inward) {
  const MassMoments surface = HollowOfTriangles(vertices, triangles);
  const Vector3<double> middle = surface.center();
  const MassMoments rough = SumTetrahedra(vertices, triangles, middle, inward);
  const Vector3<double> center = middle + rough.center();
  MassMoments result = SumTetrahedra(vertices, triangles, center, inward);
  result.first.setZero();
  return result.In(math::RigidTransform<double>(center));
}

MassMoments HollowOfTriangles(
    const std::vector<Vector3<double>>& vertices,
    const std::vector<std::array<int, 3>>& triangles) {
  MassMoments result;
  for (const std::array<int, 3>& triangle : triangles) {
    const Matrix3<double> p = Corners(vertices, triangle);
    const double area =
        0.5 * (p.col(1) - p.col(0)).cross(p.col(2) - p.col(0)).norm();
    const VertexSums sums = SumVertices(p);
    result += {.mass = area,
               .first = area / 3 * sums.first,
               .second = area / 12 * sums.second};
  }
  return result;
}

}  // namespace wyvern::multibody::internal
