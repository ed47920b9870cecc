#include "wyvern/multibody/fem/element_batch.h"

#include <algorithm>
#include <cmath>

/* Positions become deformation gradients; these, for linear-corotated, become
rotations, by Newton's iteration for the polar decomposition; and stress and
stiffness follow. Linear materials take a path of their own without a matrix of
material tangents: with h_i = R g_i, the gradients of the shape functions turned
with the element, the block of vertices j and i is

  V (mu (g_i . g_j) 1 + mu h_i h_j' + lambda h_j h_i').

The others have stress and stiffness in closed form, too, with no stretches:
with C the cofactors of F, and c_i = C g_i, h_i = F g_i, the volume's energy
lambda/2 (J - a)² has the stress p C, p = lambda (J - a), and the block

  V (lambda c_j c_i' + p [F (g_j x g_i)]),  [u] w = w x u.

Only where a tangent has to be made positive, its eigenvalues are needed: that
goes lane by lane through CalcStress(). */

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

// V (stress) g_i of all four vertices.
void CalcForces(const ElementBatch& batch, const GradientLanes& P,
                BatchElasticity* result) {
  for (int i = 0; i < 4; ++i) {
    for (int a = 0; a < 3; ++a) {
      for (int l = 0; l < kLanes; ++l) {
        result->force[i][a][l] =
            batch.volume[l] * (P[a][l] * batch.gradient[i][0][l] +
                               P[3 + a][l] * batch.gradient[i][1][l] +
                               P[6 + a][l] * batch.gradient[i][2][l]);
      }
    }
  }
}

// The cofactors of F, and its determinant.
void CalcCofactors(const GradientLanes& F, GradientLanes* C, Lanes* J) {
  for (int l = 0; l < kLanes; ++l) {
    for (int j = 0; j < 3; ++j) {
      const int u = 3 * ((j + 1) % 3), v = 3 * ((j + 2) % 3);
      for (int i = 0; i < 3; ++i) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        (*C)[3 * j + i][l] =
            F[u + a][l] * F[v + b][l] - F[u + b][l] * F[v + a][l];
      }
    }
    (*J)[l] =
        F[0][l] * (*C)[0][l] + F[1][l] * (*C)[1][l] + F[2][l] * (*C)[2][l];
  }
}

// Second derivative of the part of an energy that is not the volume's: it adds
// `same` g_i . g_j 1 + `outer` h_j h_i' to a block.
struct SecondDerivative {
  Lanes pressure{};
  Lanes same{};
  Lanes outer{};
};

void CalcVolumetricStiffness(const Elasticity& c, const ElementBatch& batch,
                             const GradientLanes& F, const GradientLanes& C,
                             const SecondDerivative& psi,
                             BatchElasticity* result) {
  std::array<std::array<Lanes, 3>, 4> h, of_C;
  Turn(batch, F, &h);
  Turn(batch, C, &of_C);
  const auto& g = batch.gradient;
  int pair = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j, ++pair) {
      std::array<Lanes, 9>& K = result->stiffness[pair];
      for (int l = 0; l < kLanes; ++l) {
        const double V = batch.volume[l];
        const double same = V * psi.same[l] *
                            (g[i][0][l] * g[j][0][l] + g[i][1][l] * g[j][1][l] +
                             g[i][2][l] * g[j][2][l]);
        const double outer = V * psi.outer[l], lambda = V * c.lambda;
        for (int b = 0; b < 3; ++b) {
          for (int a = 0; a < 3; ++a) {
            K[3 * b + a][l] = outer * h[j][a][l] * h[i][b][l] +
                              lambda * of_C[j][a][l] * of_C[i][b][l] +
                              (a == b ? same : 0.0);
          }
        }
      }
      if (i == j) continue;
      for (int l = 0; l < kLanes; ++l) {
        const double p = batch.volume[l] * psi.pressure[l];
        const double x =
            p * (g[j][1][l] * g[i][2][l] - g[j][2][l] * g[i][1][l]);
        const double y =
            p * (g[j][2][l] * g[i][0][l] - g[j][0][l] * g[i][2][l]);
        const double z =
            p * (g[j][0][l] * g[i][1][l] - g[j][1][l] * g[i][0][l]);
        double u[3];
        for (int a = 0; a < 3; ++a) {
          u[a] = F[a][l] * x + F[3 + a][l] * y + F[6 + a][l] * z;
        }
        K[1][l] -= u[2];
        K[2][l] += u[1];
        K[3][l] += u[2];
        K[5][l] -= u[0];
        K[6][l] -= u[1];
        K[7][l] += u[0];
      }
    }
  }
}

// Derivatives of the energy in elasticity.cc: P = s F + p C,
// s = mu (1 - 1/(I + 1)); s changes by 2 mu / (I + 1)² F . dF.
void CalcNeoHookeanBatch(const Elasticity& c, const ElementBatch& batch,
                         const GradientLanes& F, Wanted wanted,
                         BatchElasticity* result) {
  GradientLanes C;
  Lanes J, I;
  CalcCofactors(F, &C, &J);
  const double a = 1 + 0.75 * c.mu / c.lambda;
  for (int l = 0; l < kLanes; ++l) {
    double sum = 0;
    for (int k = 0; k < 9; ++k) sum += F[k][l] * F[k][l];
    I[l] = sum;
    result->energy[l] =
        batch.volume[l] *
        (0.5 * c.mu * (sum - 3) +
         0.5 * c.lambda * ((J[l] - a) * (J[l] - a) - (1 - a) * (1 - a)));
  }
  for (int l = 0; l < kLanes; ++l) {
    result->energy[l] -=
        batch.volume[l] * (0.5 * c.mu * std::log((I[l] + 1) / 4));
  }
  if (wanted == Wanted::kEnergy) return;
  GradientLanes P;
  SecondDerivative psi;
  for (int l = 0; l < kLanes; ++l) {
    psi.same[l] = c.mu * (1 - 1 / (I[l] + 1));
    psi.outer[l] = 2 * c.mu / ((I[l] + 1) * (I[l] + 1));
    psi.pressure[l] = c.lambda * (J[l] - a);
    for (int k = 0; k < 9; ++k) {
      P[k][l] = psi.same[l] * F[k][l] + psi.pressure[l] * C[k][l];
    }
  }
  CalcForces(batch, P, result);
  if (wanted == Wanted::kForce) return;
  CalcVolumetricStiffness(c, batch, F, C, psi, result);
}

// R changes by w x R, w = B (h x e) for a change of F by e g', h = R g, where
// B = (tr(S) - R S R')^-1, F = R S: what that takes off the block of j and i
// is 2 mu V [h_j] B [h_i]'. Where S has no such inverse, neither is there a
// tangent, and what comes out is not finite.
void SubtractTurning(const Elasticity& c, const ElementBatch& batch,
                     const GradientLanes& F, const GradientLanes& R,
                     BatchElasticity* result) {
  std::array<std::array<Lanes, 3>, 4> h;
  Turn(batch, R, &h);
  std::array<Lanes, 6> B;  // xx, yy, zz, xy, yz, zx; times 2 mu V.
  for (int l = 0; l < kLanes; ++l) {
    double S[6];  // R S R' = F R'
    for (int k = 0; k < 6; ++k) {
      const int i = k % 3, j = k < 3 ? i : (i + 1) % 3;
      S[k] = F[i][l] * R[j][l] + F[3 + i][l] * R[3 + j][l] +
             F[6 + i][l] * R[6 + j][l];
    }
    const double xx = S[1] + S[2], yy = S[2] + S[0], zz = S[0] + S[1];
    const double xy = -S[3], yz = -S[4], zx = -S[5];
    const double XX = yy * zz - yz * yz, XY = yz * zx - xy * zz,
                 ZX = xy * yz - yy * zx;
    const double scale =
        2 * c.mu * batch.volume[l] / (xx * XX + xy * XY + zx * ZX);
    B[0][l] = scale * XX;
    B[1][l] = scale * (xx * zz - zx * zx);
    B[2][l] = scale * (xx * yy - xy * xy);
    B[3][l] = scale * XY;
    B[4][l] = scale * (xy * zx - xx * yz);
    B[5][l] = scale * ZX;
  }
  int pair = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j, ++pair) {
      std::array<Lanes, 9>& K = result->stiffness[pair];
      for (int l = 0; l < kLanes; ++l) {
        const double x = h[j][0][l], y = h[j][1][l], z = h[j][2][l];
        for (int b = 0; b < 3; ++b) {
          // w = B (h_i x e_b)
          const int m = (b + 1) % 3, n = (b + 2) % 3;
          const double hm = h[i][m][l], hn = h[i][n][l];
          double u[3] = {};
          u[m] = hn;
          u[n] = -hm;
          const double wx = B[0][l] * u[0] + B[3][l] * u[1] + B[5][l] * u[2];
          const double wy = B[3][l] * u[0] + B[1][l] * u[1] + B[4][l] * u[2];
          const double wz = B[5][l] * u[0] + B[4][l] * u[1] + B[2][l] * u[2];
          K[3 * b][l] -= wy * z - wz * y;
          K[3 * b + 1][l] -= wz * x - wx * z;
          K[3 * b + 2][l] -= wx * y - wy * x;
        }
      }
    }
  }
}

// psi = mu |F - R|² + lambda/2 (J - 1)²: P = 2 mu (F - R) + p C.
void CalcCorotatedBatch(const Elasticity& c, const ElementBatch& batch,
                        const GradientLanes& F, Wanted wanted,
                        BatchElasticity* result) {
  GradientLanes R, C, P;
  Lanes J;
  SecondDerivative psi;
  CalcRotations(F, &R);
  CalcCofactors(F, &C, &J);
  for (int l = 0; l < kLanes; ++l) {
    psi.same[l] = 2 * c.mu;
    psi.pressure[l] = c.lambda * (J[l] - 1);
    double sum = 0;
    for (int k = 0; k < 9; ++k) {
      const double e = F[k][l] - R[k][l];
      sum += e * e;
      P[k][l] = 2 * c.mu * e + psi.pressure[l] * C[k][l];
    }
    result->energy[l] =
        batch.volume[l] * (c.mu * sum + 0.5 * psi.pressure[l] * (J[l] - 1));
  }
  if (wanted == Wanted::kEnergy) return;
  CalcForces(batch, P, result);
  if (wanted == Wanted::kForce) return;
  CalcVolumetricStiffness(c, batch, F, C, psi, result);
  SubtractTurning(c, batch, F, R, result);
}

// One lane of a material of principal stretches, with its tangent positive.
void CalcLane(const Elasticity& elasticity, const ElementBatch& batch,
              const Matrix3d& F, int l, BatchElasticity* result) {
  Stress stress = CalcStress(elasticity, F, Matrix3d::Identity());
  const double V = batch.volume[l];
  result->energy[l] = V * stress.energy;
  std::array<Vector3d, 4> g;
  for (int i = 0; i < 4; ++i) {
    for (int a = 0; a < 3; ++a) g[i][a] = batch.gradient[i][a][l];
    const Vector3d force = V * stress.P * g[i];
    for (int a = 0; a < 3; ++a) result->force[i][a][l] = force[a];
    g[i] = stress.V.transpose() * g[i];
  }
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
  switch (elasticity.model) {
    case MaterialModel::kLinear:
      for (int l = 0; l < kLanes; ++l) SetLane(Matrix3d::Identity(), l, &R);
      break;
    case MaterialModel::kLinearCorotated: {
      GradientLanes F0;
      CalcDeformationGradients(batch, q0, &F0);
      CalcRotations(F0, &R);
      break;
    }
    case MaterialModel::kCorotated:
    case MaterialModel::kNeoHookean:
      if (wanted == Wanted::kPositiveStiffness) {
        for (int l = 0; l < kLanes; ++l) {
          CalcLane(elasticity, batch, Lane(F, l), l, result);
        }
      } else if (elasticity.model == MaterialModel::kCorotated) {
        CalcCorotatedBatch(elasticity, batch, F, wanted, result);
      } else {
        CalcNeoHookeanBatch(elasticity, batch, F, wanted, result);
      }
      return;
  }
  CalcLinearForces(elasticity, batch, R, F, result);
  if (HasStiffness(wanted)) CalcLinearStiffness(elasticity, batch, R, result);
}

}  // namespace wyvern::multibody::fem::internal
