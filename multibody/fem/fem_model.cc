#include "wyvern/multibody/fem/fem_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

/* The constructor checks the mesh, finds which vertices are neighbours
(BlockPattern), packs its elements into batches and sums up the masses. The rest
are loops over batches, color by color: those of one color have no vertex in
common, so that threads may share them and sums still have the same bits. */

namespace wyvern::multibody::fem::internal {
namespace {

using Eigen::Vector3d;
using wyvern::internal::WorkerThreads;

// Number of chunks of each color that threads share, for any number of threads.
constexpr int kChunks = 8;

// Errors if the elements are not one piece that has every vertex.
void RequireOnePiece(const std::string& name,
                     const geometry::VolumeMesh<double>& mesh) {
  std::vector<int> root(mesh.num_vertices());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&root](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const geometry::VolumeElement& element : mesh.tetrahedra()) {
    for (int i = 1; i < 4; ++i) {
      const int a = find(element.vertex(0)), b = find(element.vertex(i));
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  const int first = find(mesh.element(0).vertex(0));
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    if (find(v) == first) continue;
    throw std::logic_error(fmt::format(
        "Deformable body '{}': vertex {} of its mesh is not connected with "
        "vertex {} by elements; a body is one piece, whose elements share "
        "vertices, and has no vertex besides.",
        name, v, first));
  }
}

std::array<int, 4> VerticesOf(const geometry::VolumeElement& element) {
  return {element.vertex(0), element.vertex(1), element.vertex(2),
          element.vertex(3)};
}

void AddForces(const ElementBatch& batch,
               const std::array<std::array<Lanes, 3>, 4>& force,
               VectorX<double>* gradient) {
  for (int l = 0; l < kLanes; ++l) {
    for (int i = 0; i < 4; ++i) {
      double* to = gradient->data() + 3 * batch.vertex[i][l];
      for (int a = 0; a < 3; ++a) to[a] += force[i][a][l];
    }
  }
}

void AddBlocks(const ElementBatch& batch,
               const std::array<std::array<Lanes, 9>, 10>& blocks,
               std::vector<Block>* sum) {
  for (int l = 0; l < kLanes; ++l) {
    for (int pair = 0; pair < 10; ++pair) {
      Block& to = (*sum)[batch.block[pair][l]];
      for (int k = 0; k < 9; ++k) to[k] += blocks[pair][k][l];
    }
  }
}

}  // namespace

BlockPattern FemModel::MakePattern(const std::string& name,
                                   const geometry::VolumeMesh<double>& mesh) {
  if (mesh.num_elements() > kMostElements) {
    throw std::logic_error(fmt::format(
        "Deformable body '{}': its mesh has {} tetrahedra; at most {} are "
        "simulated. Give it a coarser mesh or a larger resolution hint.",
        name, mesh.num_elements(), kMostElements));
  }
  RequireOnePiece(name, mesh);
  std::vector<std::array<int, 4>> elements;
  for (const auto& element : mesh.tetrahedra()) {
    elements.push_back(VerticesOf(element));
  }
  VectorX<double> positions(3 * mesh.num_vertices());
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    positions.segment<3>(3 * v) = mesh.vertex(v);
  }
  return BlockPattern(positions, elements);
}

FemModel::FemModel(std::string name, const geometry::VolumeMesh<double>& mesh,
                   const DeformableBodyConfig<double>& config,
                   MassKind mass_kind)
    : name_(std::move(name)),
      config_(config),
      elasticity_(MakeElasticity(
          wyvern::internal::Caller::Element("Deformable body", name_),
          config.material_model(), config.youngs_modulus(),
          config.poissons_ratio())),
      num_elements_(mesh.num_elements()),
      pattern_(MakePattern(name_, mesh)),
      is_fixed_(mesh.num_vertices(), 0) {
  fixed_positions_ = reference_positions();
  const Eigen::Map<const Eigen::Matrix3Xd> p(reference_positions().data(), 3,
                                             mesh.num_vertices());
  size_ = (p.rowwise().maxCoeff() - p.rowwise().minCoeff()).maxCoeff();
  MakeBatches(mesh);
  ColorBatches();
  MakeMasses(mass_kind);
}

void FemModel::MakeBatches(const geometry::VolumeMesh<double>& mesh) {
  batches_.resize((num_elements_ + kLanes - 1) / kLanes);
  for (int slot = 0; slot < kLanes * static_cast<int>(batches_.size());
       ++slot) {
    ElementBatch& batch = batches_[slot / kLanes];
    const int lane = slot % kLanes;
    const bool is_left_over = slot >= num_elements_;
    const int e = is_left_over ? slot - lane : slot;
    std::array<int, 4> vertices = VerticesOf(mesh.element(e));
    std::ranges::sort(vertices);
    Eigen::Matrix3d edges;
    for (int i = 0; i < 3; ++i) {
      edges.col(i) = mesh.vertex(vertices[i + 1]) - mesh.vertex(vertices[0]);
    }
    const Eigen::Matrix3d gradients = edges.inverse();
    batch.volume[lane] = is_left_over ? 0 : mesh.CalcTetrahedronVolume(e);
    for (int a = 0; a < 3; ++a) {
      batch.gradient[0][a][lane] = -gradients.col(a).sum();
      for (int i = 0; i < 3; ++i) {
        batch.gradient[i + 1][a][lane] = gradients(i, a);
      }
    }
    int pair = 0;
    for (int i = 0; i < 4; ++i) {
      batch.vertex[i][lane] = vertices[i];
      for (int j = i; j < 4; ++j, ++pair) {
        batch.block[pair][lane] = pattern_.FindBlock(vertices[j], vertices[i]);
      }
    }
  }
}

// Each takes the first color that none of its vertices has met.
void FemModel::ColorBatches() {
  std::vector<std::vector<char>> met(num_vertices());  // By color.
  std::vector<std::pair<int, int>> order;              // Color, batch.
  for (int b = 0; b < static_cast<int>(batches_.size()); ++b) {
    const auto for_each_vertex = [&](auto&& visit) {
      for (const auto& lanes : batches_[b].vertex) {
        for (const int v : lanes) visit(&met[v]);
      }
    };
    int color = 0;
    for (bool is_met = true; is_met; color += is_met ? 1 : 0) {
      is_met = false;
      for_each_vertex([&](const std::vector<char>* colors) {
        is_met = is_met || (color < static_cast<int>(colors->size()) &&
                            (*colors)[color] != 0);
      });
    }
    for_each_vertex([color](std::vector<char>* colors) {
      if (static_cast<int>(colors->size()) <= color) colors->resize(color + 1);
      (*colors)[color] = 1;
    });
    order.emplace_back(color, b);
  }
  std::sort(order.begin(), order.end());
  std::vector<ElementBatch> sorted;
  sorted.reserve(order.size());
  for (const auto& [color, b] : order) {
    if (color == static_cast<int>(color_start_.size())) {
      color_start_.push_back(static_cast<int>(sorted.size()));
    }
    sorted.push_back(batches_[b]);
  }
  color_start_.push_back(static_cast<int>(sorted.size()));
  batches_ = std::move(sorted);
}

void FemModel::MakeMasses(MassKind kind) {
  masses_.assign(pattern_.num_blocks(), 0.0);
  for (const ElementBatch& batch : batches_) {
    for (int l = 0; l < kLanes; ++l) {
      const double mass = config_.mass_density() * batch.volume[l];
      total_mass_ += mass;
      int pair = 0;
      for (int i = 0; i < 4; ++i) {
        for (int j = i; j < 4; ++j, ++pair) {
          double share = (i == j ? 2 : 1) * mass / 20;
          if (kind == MassKind::kLumped) share = i == j ? mass / 4 : 0;
          if (kind == MassKind::kAtCentroids) share = mass / 16;
          masses_[batch.block[pair][l]] += share;
        }
      }
    }
  }
  wyvern::internal::RequirePositive(
      wyvern::internal::Caller::Element("Deformable body", name_), "mass",
      total_mass_);
}

Vector3d FemModel::RestPlace(int vertex) const {
  wyvern::internal::RequireIndex(
      wyvern::internal::Caller::Element("Deformable body", name_), "vertex",
      vertex, num_vertices());
  return reference_positions().segment<3>(3 * vertex);
}

void FemModel::FixVertex(int vertex, const Vector3d& p_W) {
  RestPlace(vertex);
  wyvern::internal::RequireFinite(
      wyvern::internal::Caller::Element("Deformable body", name_), "p_W", p_W);
  fixed_positions_.segment<3>(3 * vertex) = p_W;
  if (is_fixed_[vertex]) return;
  is_fixed_[vertex] = 1;
}

std::vector<int> FemModel::FindBehindWall(const Vector3d& p_WQ,
                                          const Vector3d& n_W) const {
  const auto who = wyvern::internal::Caller::Element("Deformable body", name_);
  wyvern::internal::RequireFinite(who, "p_WQ", p_WQ);
  wyvern::internal::RequireFinite(who, "n_W", n_W);
  wyvern::internal::RequirePositive(who, "the length of n_W", n_W.stableNorm());
  const Vector3d n = n_W.stableNormalized();
  std::vector<int> result;
  for (int v = 0; v < num_vertices(); ++v) {
    if (n.dot(reference_positions().segment<3>(3 * v) - p_WQ) < 0) {
      result.push_back(v);
    }
  }
  return result;
}

// Batches of a color add to sums of their own, so that threads may share them;
// each sum's terms come in the order of the colors, or of a chunk's batches.
template <typename Visit>
void FemModel::ForEachBatch(WorkerThreads* workers, const Visit& visit) const {
  for (std::size_t color = 0; color + 1 < color_start_.size(); ++color) {
    const int first = color_start_[color];
    const int num = color_start_[color + 1] - first;
    wyvern::internal::ForEach(workers, kChunks, [&](int chunk, int) {
      for (int b = first + num * chunk / kChunks;
           b < first + num * (chunk + 1) / kChunks; ++b) {
        visit(batches_[b], chunk);
      }
    });
  }
}

double FemModel::CalcElasticity(const VectorX<double>& q0,
                                const VectorX<double>& q, Wanted wanted,
                                VectorX<double>* gradient,
                                std::vector<Block>* stiffness,
                                WorkerThreads* workers) const {
  std::array<double, kChunks> energy{};
  if (wanted != Wanted::kEnergy) gradient->setZero(3 * num_vertices());
  if (HasStiffness(wanted)) {
    stiffness->assign(pattern_.num_blocks(), Block{});
  }
  ForEachBatch(workers, [&](const ElementBatch& batch, int chunk) {
    BatchElasticity of_batch;
    CalcBatch(elasticity_, batch, q0, q, wanted, &of_batch);
    for (int l = 0; l < kLanes; ++l) energy[chunk] += of_batch.energy[l];
    if (wanted != Wanted::kEnergy) AddForces(batch, of_batch.force, gradient);
    if (HasStiffness(wanted)) {
      AddBlocks(batch, of_batch.stiffness, stiffness);
    }
  });
  return std::accumulate(energy.begin(), energy.end(), 0.0);
}

void FemModel::CalcViscosity(const VectorX<double>& q,
                             std::vector<Block>* viscosity,
                             WorkerThreads* workers) const {
  viscosity->assign(pattern_.num_blocks(), Block{});
  ForEachBatch(workers, [&](const ElementBatch& batch, int) {
    BatchViscosity of_batch;
    CalcBatchViscosity(elasticity_, batch, q, &of_batch);
    AddBlocks(batch, of_batch, viscosity);
  });
}

double FemModel::CalcElasticEnergy(const VectorX<double>& q0,
                                   const VectorX<double>& q) const {
  return CalcElasticity(q0, q, Wanted::kEnergy, nullptr, nullptr);
}

void FemModel::AddMassProduct(const VectorX<double>& x,
                              VectorX<double>* y) const {
  for (int k = 0; k < pattern_.num_blocks(); ++k) {
    const int i = pattern_.row_vertex(k), j = pattern_.column_vertex(k);
    y->segment<3>(3 * i) += masses_[k] * x.segment<3>(3 * j);
    if (i != j) y->segment<3>(3 * j) += masses_[k] * x.segment<3>(3 * i);
  }
}

void FemModel::AddGravity(const Vector3d& g_W, VectorX<double>* f) const {
  for (int k = 0; k < pattern_.num_blocks(); ++k) {
    const int i = pattern_.row_vertex(k), j = pattern_.column_vertex(k);
    f->segment<3>(3 * i) += masses_[k] * g_W;
    if (i != j) f->segment<3>(3 * j) += masses_[k] * g_W;
  }
}

void FemModel::AddForceDensity(
    const VectorX<double>& q,
    const std::function<Vector3d(const Vector3d&)>& density, DensityOf volume,
    VectorX<double>* f) const {
  GradientLanes F;
  for (const ElementBatch& batch : batches_) {
    if (volume == DensityOf::kCurrentVolume) {
      CalcDeformationGradients(batch, q, &F);
    }
    for (int l = 0; l < kLanes; ++l) {
      if (batch.volume[l] == 0) continue;  // left over
      Vector3d centroid = Vector3d::Zero();
      for (int i = 0; i < 4; ++i) {
        centroid += 0.25 * q.segment<3>(3 * batch.vertex[i][l]);
      }
      double share = 0.25 * batch.volume[l];
      if (volume == DensityOf::kCurrentVolume) {
        Eigen::Matrix3d F_l;
        for (int k = 0; k < 9; ++k) F_l.data()[k] = F[k][l];
        share *= F_l.determinant();
      }
      const Vector3d force = share * density(centroid);
      wyvern::internal::RequireFinite(
          wyvern::internal::Caller::Element("Deformable body", name_)
              .OfResults(),
          "force of an external force density", force);
      for (int i = 0; i < 4; ++i) {
        f->segment<3>(3 * batch.vertex[i][l]) += force;
      }
    }
  }
}

}  // namespace wyvern::multibody::fem::internal
