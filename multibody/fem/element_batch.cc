#include "wyvern/multibody/fem/element_batch.h"

#include <algorithm>
#include <cmath>

/* Positions become deformation gradients; these, for linear-corotated, become
rotations, by Newton's iteration for the polar decomposition; and stress and
stiffness follow. Linear materials take a path of their own without a matrix of
material tangents: with h_i = R g_i, the gradients of the shape functions turned
with the element, the block of vertices j and i is

  V (mu (g_i . g_j) 1 + mu h_i h_j' + lambda h_j h_i').

The others go lane by lane through CalcStress(). */

namespace wyvern::multibody::fem::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d Lane(const GradientLanes& lanes, int l) {
  Matrix3d result;
  for (int k = 0; k < 9; ++k) result.data()[k] = lanes[k][l];
  return result;
}

void SetLane(const Matrix3d& value, int l, GradientLanes* lanes) {
  for (int k = 0; k < 9; ++k) (*lanes)[k][l] = value.data()[k];
}

// R becomes (s R + R^-T / s) / 2 with s = (|R^-1| / |R|)^1/2, the scaling of
// Higham, "Computing the Polar Decomposition - with Applications", SIAM J. Sci.
// Stat. Comput. 7 (1986). Gives the square of the largest change of a lane, and
// whether a determinant is not positive.
double ImproveRotations(GradientLanes* rotations, bool* is_inverted) {
  GradientLanes& R = *rotations;
  Lanes change, det;
  for (int l = 0; l < kLanes; ++l) {
    const double a = R[0][l], b = R[3][l], c = R[6][l];
    const double d = R[1][l], e = R[4][l], f = R[7][l];
    const double g = R[2][l], h = R[5][l], i = R[8][l];
    const double A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
    const double D = c * h - b * i, E = a * i - c * g, F = b * g - a * h;
    const double G = b * f - c * e, H = c * d - a * f, I = a * e - b * d;
    det[l] = a * A + b * B + c * C;
    const double of_R =
        a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
    const double of_cofactors =
        A * A + B * B + C * C + D * D + E * E + F * F + G * G + H * H + I * I;
    const double scale = std::sqrt(std::sqrt(of_cofactors / of_R) / det[l]);
    const double s = 0.5 * scale, t = 0.5 / (det[l] * scale);
    const double next[9] = {s * a + t * A, s * d + t * D, s * g + t * G,
                            s * b + t * B, s * e + t * E, s * h + t * H,
                            s * c + t * C, s * f + t * F, s * i + t * I};
    double sum = 0;
    for (int k = 0; k < 9; ++k) {
      sum += (next[k] - R[k][l]) * (next[k] - R[k][l]);
      R[k][l] = next[k];
    }
    change[l] = sum;
  }
  double most = 0;
  for (int l = 0; l < kLanes; ++l) {
    *is_inverted = *is_inverted || !(det[l] > 0);
    most = std::max(most, change[l]);
  }
  return most;
}

// g_i turned by R, or mapped by F, of all four vertices.
void Turn(const ElementBatch& batch, const GradientLanes& R,
          std::array<std::array<Lanes, 3>, 4>* h) {
  for (int i = 0; i < 4; ++i) {
    for (int a = 0; a < 3; ++a) {
      for (int l = 0; l < kLanes; ++l) {
        (*h)[i][a][l] = R[a][l] * batch.gradient[i][0][l] +
                        R[3 + a][l] * batch.gradient[i][1][l] +
                        R[6 + a][l] * batch.gradient[i][2][l];
      }
    }
  }
}

// In the axes of R: energy density and the stress sigma = 2 mu e + lambda
// tr(e), whose force is V R sigma g_i.
void CalcLinearForces(const Elasticity& c, const ElementBatch& batch,
                      const GradientLanes& R, const GradientLanes& F,
                      BatchElasticity* result) {
  for (int l = 0; l < kLanes; ++l) {
    double S[9];
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        S[3 * j + i] = R[3 * i][l] * F[3 * j][l] +
                       R[3 * i + 1][l] * F[3 * j + 1][l] +
                       R[3 * i + 2][l] * F[3 * j + 2][l];
      }
    }
    const double exx = S[0] - 1, eyy = S[4] - 1, ezz = S[8] - 1;
    const double exy = 0.5 * (S[1] + S[3]), eyz = 0.5 * (S[5] + S[7]),
                 ezx = 0.5 * (S[2] + S[6]);
    const double trace = exx + eyy + ezz;
    const double squares = exx * exx + eyy * eyy + ezz * ezz +
                           2 * (exy * exy + eyz * eyz + ezx * ezx);
    const double V = batch.volume[l];
    result->energy[l] = V * (c.mu * squares + 0.5 * c.lambda * trace * trace);
    const double both = c.lambda * trace, twice = 2 * c.mu;
    const double sigma[6] = {V * (twice * exx + both), V * (twice * eyy + both),
                             V * (twice * ezz + both), V * twice * exy,
                             V * twice * eyz,          V * twice * ezx};
    for (int i = 0; i < 4; ++i) {
      const double x = batch.gradient[i][0][l], y = batch.gradient[i][1][l],
                   z = batch.gradient[i][2][l];
      const double tx = sigma[0] * x + sigma[3] * y + sigma[5] * z;
      const double ty = sigma[3] * x + sigma[1] * y + sigma[4] * z;
      const double tz = sigma[5] * x + sigma[4] * y + sigma[2] * z;
      for (int a = 0; a < 3; ++a) {
        result->force[i][a][l] =
            R[a][l] * tx + R[3 + a][l] * ty + R[6 + a][l] * tz;
      }
    }
  }
}

void CalcLinearStiffness(const Elasticity& c, const ElementBatch& batch,
                         const GradientLanes& R, BatchElasticity* result) {
  std::array<std::array<Lanes, 3>, 4> h;
  Turn(batch, R, &h);
  int pair = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j, ++pair) {
      std::array<Lanes, 9>& K = result->stiffness[pair];
      for (int l = 0; l < kLanes; ++l) {
        const double mu = c.mu * batch.volume[l];
        const double lambda = c.lambda * batch.volume[l];
        const double dot =
            mu * (h[i][0][l] * h[j][0][l] + h[i][1][l] * h[j][1][l] +
                  h[i][2][l] * h[j][2][l]);
        for (int b = 0; b < 3; ++b) {
          for (int a = 0; a < 3; ++a) {
            K[3 * b + a][l] = mu * h[i][a][l] * h[j][b][l] +
                              lambda * h[j][a][l] * h[i][b][l] +
                              (a == b ? dot : 0.0);
          }
        }
      }
    }
  }
}

// One lane of a material of principal stretches.
void CalcLane(const Elasticity& elasticity, const ElementBatch& batch,
              const Matrix3d& F, Wanted wanted, int l,
              BatchElasticity* result) {
  Stress stress = CalcStress(elasticity, F, Matrix3d::Identity());
  const double V = batch.volume[l];
  result->energy[l] = V * stress.energy;
  if (wanted == Wanted::kEnergy) return;
  std::array<Vector3d, 4> g;
  for (int i = 0; i < 4; ++i) {
    for (int a = 0; a < 3; ++a) g[i][a] = batch.gradient[i][a][l];
    const Vector3d force = V * stress.P * g[i];
    for (int a = 0; a < 3; ++a) result->force[i][a][l] = force[a];
    g[i] = stress.V.transpose() * g[i];
  }
  if (wanted != Wanted::kStiffness) return;
  ProjectToPositive(&stress);
  int pair = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j, ++pair) {
      const Matrix3d K = CalcStiffnessBlock(stress, V, g[j], g[i]);
      for (int k = 0; k < 9; ++k) result->stiffness[pair][k][l] = K.data()[k];
    }
  }
}

}  // namespace

void CalcDeformationGradients(const ElementBatch& batch,
                              const VectorX<double>& q, GradientLanes* F) {
  std::array<std::array<Lanes, 3>, 3> edge;  // From vertex 0 to the others.
  for (int i = 0; i < 3; ++i) {
    for (int l = 0; l < kLanes; ++l) {
      const double* from = q.data() + 3 * batch.vertex[0][l];
      const double* to = q.data() + 3 * batch.vertex[i + 1][l];
      for (int a = 0; a < 3; ++a) edge[i][a][l] = to[a] - from[a];
    }
  }
  for (int b = 0; b < 3; ++b) {
    for (int a = 0; a < 3; ++a) {
      for (int l = 0; l < kLanes; ++l) {
        (*F)[3 * b + a][l] = edge[0][a][l] * batch.gradient[1][b][l] +
                             edge[1][a][l] * batch.gradient[2][b][l] +
                             edge[2][a][l] * batch.gradient[3][b][l];
      }
    }
  }
}

// With h_i = F g_i the block of vertices j and i is
//   V (mu (g_i . g_j) F F' + mu h_i h_j' + lambda h_j h_i').
void CalcBatchViscosity(const Elasticity& elasticity, const ElementBatch& batch,
                        const VectorX<double>& q, BatchViscosity* result) {
  GradientLanes F, B;
  if (elasticity.model == MaterialModel::kLinear) {
    for (int l = 0; l < kLanes; ++l) SetLane(Matrix3d::Identity(), l, &F);
  } else {
    CalcDeformationGradients(batch, q, &F);
  }
  for (int b = 0; b < 3; ++b) {
    for (int a = 0; a < 3; ++a) {
      for (int l = 0; l < kLanes; ++l) {
        B[3 * b + a][l] = F[a][l] * F[b][l] + F[3 + a][l] * F[3 + b][l] +
                          F[6 + a][l] * F[6 + b][l];
      }
    }
  }
  std::array<std::array<Lanes, 3>, 4> h;
  Turn(batch, F, &h);
  int pair = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j, ++pair) {
      std::array<Lanes, 9>& C = (*result)[pair];
      const auto& g_i = batch.gradient[i];
      const auto& g_j = batch.gradient[j];
      for (int l = 0; l < kLanes; ++l) {
        const double mu = elasticity.hooke_mu * batch.volume[l];
        const double lambda = elasticity.hooke_lambda * batch.volume[l];
        const double dot = mu * (g_i[0][l] * g_j[0][l] + g_i[1][l] * g_j[1][l] +
                                 g_i[2][l] * g_j[2][l]);
        for (int b = 0; b < 3; ++b) {
          for (int a = 0; a < 3; ++a) {
            C[3 * b + a][l] = dot * B[3 * b + a][l] +
                              mu * h[i][a][l] * h[j][b][l] +
                              lambda * h[j][a][l] * h[i][b][l];
          }
        }
      }
    }
  }
}

void CalcRotations(const GradientLanes& F, GradientLanes* R) {
  // Newton's iteration doubles the digits: after a change of 1e-9 it is there.
  constexpr int kMostIterations = 12;
  constexpr double kSmallChange = 1e-18;
  *R = F;
  bool is_inverted = false;
  for (int k = 0; k < kMostIterations && !is_inverted; ++k) {
    const double change = ImproveRotations(R, &is_inverted);
    if (!is_inverted && change < kSmallChange) return;
  }
  // Inside out, flat or stretched beyond measure: slowly, but surely.
  for (int l = 0; l < kLanes; ++l) SetLane(CalcRotation(Lane(F, l)), l, R);
}

void CalcBatch(const Elasticity& elasticity, const ElementBatch& batch,
               const VectorX<double>& q0, const VectorX<double>& q,
               Wanted wanted, BatchElasticity* result) {
  GradientLanes F, R;
  CalcDeformationGradients(batch, q, &F);
  if (elasticity.model == MaterialModel::kLinearCorotated) {
    GradientLanes F0;
    CalcDeformationGradients(batch, q0, &F0);
    CalcRotations(F0, &R);
  } else if (elasticity.model == MaterialModel::kLinear) {
    for (int l = 0; l < kLanes; ++l) SetLane(Matrix3d::Identity(), l, &R);
  } else {
    for (int l = 0; l < kLanes; ++l) {
      CalcLane(elasticity, batch, Lane(F, l), wanted, l, result);
    }
    return;
  }
  CalcLinearForces(elasticity, batch, R, F, result);
  if (wanted == Wanted::kStiffness) {
    CalcLinearStiffness(elasticity, batch, R, result);
  }
}

}  // namespace wyvern::multibody::fem::internal
