#pragma once

#include <array>
#include <span>
#include <vector>

#include "wyvern/multibody/fem/block_matrix.h"
#include "wyvern/multibody/fem/elasticity.h"

namespace wyvern::multibody::fem::internal {

/** How many tetrahedra are worked on side by side. */
inline constexpr int kLanes = 8;

/** A number of each tetrahedron of a batch. */
using Lanes = std::array<double, kLanes>;

/** Tetrahedra side by side, so that the same arithmetic on all of them becomes
vector instructions. Lanes that are left over repeat the first with no volume.
The vertices of each increase. */
struct alignas(64) ElementBatch {
  std::array<std::array<int, kLanes>, 4> vertex{};
  /** Index of the block of pair (i, j), i <= j, in the row of vertex j and the
  column of vertex i. Pairs are in the order (0, 0), (0, 1) ... (3, 3). */
  std::array<std::array<int, kLanes>, 10> block{};
  /** Gradients of the shape functions, by vertex and axis, [1/m]. */
  std::array<std::array<Lanes, 3>, 4> gradient{};
  Lanes volume{};  // m³
};

/** Results of a batch: energy, [J]; its gradient by vertex positions, [N]; and
the blocks of its second derivative, [N/m], by pair and entry, column by
column. */
struct alignas(64) BatchElasticity {
  Lanes energy{};
  std::array<std::array<Lanes, 3>, 4> force{};
  std::array<std::array<Lanes, 9>, 10> stiffness{};
};

/** Energy; from kForce on its gradient; from kStiffness on its second
derivative; and that made positive, element by element, where it is not, which
takes several times as long. That of the linear materials always is. */
enum class Wanted { kEnergy, kForce, kStiffness, kPositiveStiffness };
inline bool HasStiffness(Wanted wanted) { return wanted >= Wanted::kStiffness; }

/** Allocates nothing. The second derivative of kCorotated is not finite where
two stretches have the sum 0.
@param q0 positions that kLinearCorotated takes its rotations from
@param q where it is evaluated; x, y, z of one vertex after the other */
void CalcBatch(const Elasticity& elasticity, const ElementBatch& batch,
               const VectorX<double>& q0, const VectorX<double>& q,
               Wanted wanted, BatchElasticity* result);

/** The blocks of a batch's viscosity matrix C at q, N/m, by pair and entry as
in BatchElasticity: C v is the gradient by v of half the rate at which the
material would store the rate of Green's strain,

  V (mu |sym(F'Fdot)|² + lambda/2 tr(F'Fdot)²).

That is the stiffness where there is no strain, turned with the element; and
where there is, rigid motion still costs nothing, and the forces C v have no
moment. Of kLinear it is the stiffness, which knows no motion. */
using BatchViscosity = std::array<std::array<Lanes, 9>, 10>;
void CalcBatchViscosity(const Elasticity& elasticity, const ElementBatch& batch,
                        const VectorX<double>& q, BatchViscosity* result);

/** The deformation gradients. */
using GradientLanes = std::array<Lanes, 9>;  // column by column
void CalcDeformationGradients(const ElementBatch& batch,
                              const VectorX<double>& q, GradientLanes* F);

/** Their rotations, as CalcRotation(). */
void CalcRotations(const GradientLanes& F, GradientLanes* R);

}  // namespace wyvern::multibody::fem::internal
