#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/multibody/fem/element_batch.h"
#include "wyvern/systems/common/worker_threads.h"

namespace wyvern::multibody::fem::internal {

/** The most tetrahedra of a body: its factor takes up to 1 GB. */
inline constexpr int kMostElements = 100'000;

/** How a tetrahedron's mass m acts on the accelerations of its vertices: as the
integral of the shape functions' products, m/20 (1 + delta_ij), as a quarter at
each vertex, or all of it at the centroid, m/16, as Drake has it: a body of one
tetrahedron then resists no vertex's motion against the others. */
enum class MassKind { kConsistent, kLumped, kAtCentroids };

/** How much force a density gives: per volume as deformed, or per volume of the
reference configuration. N/m³. */
enum class DensityOf { kCurrentVolume, kReferenceVolume };

/** A deformable body as numbers: tetrahedra with linear shape functions, one
quadrature point each, their masses, their material, and which vertices keep
their place. What depends on the mesh alone is worked out here, once; the model
may then be shared. Vectors have x, y, z of one vertex after the other. */
class FemModel {
 public:
  /** @param name of the body, for errors
  @param mesh the reference configuration, without stress, in the world
  @throws std::logic_error naming the body if the mesh is in more than one
  piece, has a vertex of no element or more than kMostElements elements. */
  FemModel(std::string name, const geometry::VolumeMesh<double>& mesh,
           const DeformableBodyConfig<double>& config,
           MassKind mass_kind = MassKind::kConsistent);

  const std::string& name() const { return name_; }
  int num_vertices() const { return pattern_.num_vertices(); }
  int num_elements() const { return num_elements_; }
  const VectorX<double>& reference_positions() const {
    return pattern_.positions();
  }
  const DeformableBodyConfig<double>& config() const { return config_; }
  const Elasticity& elasticity() const { return elasticity_; }
  const BlockPattern& pattern() const { return pattern_; }
  const std::vector<ElementBatch>& batches() const { return batches_; }
  /** m_ij of each block of the pattern; its block of the mass matrix is
  m_ij 1. kg */
  const std::vector<double>& masses() const { return masses_; }
  double total_mass() const { return total_mass_; }
  /** The longest side of its bounding box at the start, m. */
  double size() const { return size_; }

  /** From now on the vertex keeps its reference position.
  @throws std::out_of_range */
  void FixVertex(int vertex) { FixVertex(vertex, RestPlace(vertex)); }
  /** Fixes a vertex at the given position, [m]. */
  void FixVertex(int vertex, const Eigen::Vector3d& p_W);
  /** The vertices V with n . p_QV < 0 in the reference configuration.
  @throws std::logic_error if a number is not finite or n is zero */
  std::vector<int> FindBehindWall(const Eigen::Vector3d& p_WQ,
                                  const Eigen::Vector3d& n_W) const;
  const std::vector<char>& is_fixed() const { return is_fixed_; }
  /** Where fixed vertices are; of others, their reference positions. */
  const VectorX<double>& fixed_positions() const { return fixed_positions_; }

  /** J, of elements alone; q0 as for CalcBatch(). */
  double CalcElasticEnergy(const VectorX<double>& q0,
                           const VectorX<double>& q) const;
  /** That energy, its gradient (minus the elastic forces, N) and, by blocks of
  the pattern, its second derivative, as far as they are wanted. Allocates
  nothing if the sizes are right.
  @param workers threads that may help, or null; they change no bits */
  double CalcElasticity(
      const VectorX<double>& q0, const VectorX<double>& q, Wanted wanted,
      VectorX<double>* gradient, std::vector<Block>* stiffness,
      wyvern::internal::WorkerThreads* workers = nullptr) const;
  /** The blocks of C, CalcBatchViscosity()'s sum over elements, N/m. */
  void CalcViscosity(const VectorX<double>& q, std::vector<Block>* viscosity,
                     wyvern::internal::WorkerThreads* workers = nullptr) const;
  /** Adds M x to y. */
  void AddMassProduct(const VectorX<double>& x, VectorX<double>* y) const;
  /** f += the forces of a uniform acceleration, as gravity is, m/s². */
  void AddGravity(const Eigen::Vector3d& g_W, VectorX<double>* f) const;
  /** f += the forces of a density [N/m³] at the centroid of each element as it
  lies at q. @throws std::runtime_error naming the body if it is not finite */
  void AddForceDensity(
      const VectorX<double>& q,
      const std::function<Eigen::Vector3d(const Eigen::Vector3d& p_WC)>&
          density,
      DensityOf volume, VectorX<double>* f) const;

 private:
  static BlockPattern MakePattern(const std::string& name,
                                  const geometry::VolumeMesh<double>& mesh);
  Eigen::Vector3d RestPlace(int vertex) const;
  void MakeBatches(const geometry::VolumeMesh<double>& mesh);
  void ColorBatches();
  // Calls visit(batch, chunk) for all batches, colors one after the other.
  template <typename Visit>
  void ForEachBatch(wyvern::internal::WorkerThreads* workers,
                    const Visit& visit) const;
  void MakeMasses(MassKind kind);

  std::string name_;
  DeformableBodyConfig<double> config_;
  Elasticity elasticity_;
  int num_elements_{};
  BlockPattern pattern_;
  // By colors: those of one color have no vertex in common.
  std::vector<ElementBatch> batches_;
  std::vector<int> color_start_;  // And the end.
  std::vector<double> masses_;
  double total_mass_{};
  double size_{};
  std::vector<char> is_fixed_;
  VectorX<double> fixed_positions_;
};

}  // namespace wyvern::multibody::fem::internal
