#include "wyvern/systems/primitives/linear/filters.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* A transfer function of degree n is realized in controller canonical form:
with the denominator s^n + a_1 s^(n-1) + ... and D = b_0,

  A = [-a_1 ... -a_n; I 0],  B = e_1,  C = [b_i - b_0 a_i].

A continuous one is first scaled in time, s = w p, by the geometric mean w of
the magnitudes of its poles, |a_n|^(1/n): otherwise entries grow like w^n.
The system in the time w t then has A, B of p, and A and B times w in t.

Sections in a chain, the output of one the input of the next, have

  A = [A1 0; B2 C1  A2],  B = [B1; B2 D1],  C = [D2 C1  C2],  D = D2 D1. */

namespace wyvern::systems {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Realization {
  MatrixXd A;
  MatrixXd B;
  MatrixXd C;
  double D{};
};

// Leading zeros of the numerator, up to the degree of the denominator.
VectorXd PadNumerator(const VectorXd& numerator, Eigen::Index size) {
  VectorXd result = VectorXd::Zero(size);
  result.tail(numerator.size()) = numerator;
  return result;
}

Realization RealizeCanonically(const VectorXd& numerator,
                               const VectorXd& denominator,
                               bool is_continuous) {
  const Eigen::Index n = denominator.size() - 1;
  VectorXd a = denominator / denominator[0];
  VectorXd b = PadNumerator(numerator, n + 1) / denominator[0];
  double rate = 1;
  if (is_continuous && n > 0 && a[n] != 0) {
    rate = std::pow(std::abs(a[n]), 1.0 / static_cast<double>(n));
    for (Eigen::Index i = 0; i <= n; ++i) {
      const double scale = std::pow(rate, static_cast<double>(i));
      a[i] /= scale;
      b[i] /= scale;
    }
  }
  Realization result{MatrixXd::Zero(n, n), MatrixXd::Zero(n, 1),
                     MatrixXd::Zero(1, n), b[0]};
  if (n == 0) return result;
  result.A.row(0) = -rate * a.tail(n).transpose();
  for (Eigen::Index i = 1; i < n; ++i) result.A(i, i - 1) = rate;
  result.B(0, 0) = rate;
  result.C = (b.tail(n) - b[0] * a.tail(n)).transpose();
  return result;
}

Realization Chain(const Realization& first, const Realization& second) {
  const Eigen::Index n1 = first.A.rows();
  const Eigen::Index n2 = second.A.rows();
  Realization result{MatrixXd::Zero(n1 + n2, n1 + n2),
                     MatrixXd::Zero(n1 + n2, 1), MatrixXd::Zero(1, n1 + n2),
                     second.D * first.D};
  result.A.topLeftCorner(n1, n1) = first.A;
  result.A.bottomLeftCorner(n2, n1) = second.B * first.C;
  result.A.bottomRightCorner(n2, n2) = second.A;
  result.B.topRows(n1) = first.B;
  result.B.bottomRows(n2) = second.B * first.D;
  result.C.leftCols(n1) = second.D * first.C;
  result.C.rightCols(n2) = second.C;
  return result;
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeBlock(const Realization& r,
                                           double time_period) {
  return std::make_unique<LinearSystem<T>>(
      r.A, r.B, r.C, MatrixXd::Constant(1, 1, r.D), time_period);
}

// Real roots alone and complex ones in pairs, as monic polynomials of degree 1
// and 2, those of degree 2 first.
std::vector<VectorXd> MakeRealFactors(std::vector<Complex> roots,
                                      const char* what) {
  std::vector<VectorXd> pairs;
  std::vector<VectorXd> singles;
  while (!roots.empty()) {
    const Complex root = roots.back();
    roots.pop_back();
    wyvern::internal::RequireFinite("MakeZeroPoleBlock", what, root.real());
    wyvern::internal::RequireFinite("MakeZeroPoleBlock", what, root.imag());
    if (root.imag() == 0) {
      singles.push_back(Eigen::Vector2d(1, -root.real()));
      continue;
    }
    const auto partner =
        std::find_if(roots.begin(), roots.end(), [&root](const Complex& other) {
          return std::abs(other - std::conj(root)) <= 1e-12 * std::abs(root);
        });
    if (partner == roots.end()) {
      throw std::logic_error(fmt::format(
          "MakeZeroPoleBlock(): {} {} + {}i lacks its conjugate; give complex "
          "numbers in pairs.",
          what, root.real(), root.imag()));
    }
    roots.erase(partner);
    pairs.push_back(Eigen::Vector3d(1, -2 * root.real(), std::norm(root)));
  }
  pairs.insert(pairs.end(), singles.begin(), singles.end());
  return pairs;
}

VectorXd MultiplyPolynomials(const VectorXd& p, const VectorXd& q) {
  VectorXd result = VectorXd::Zero(p.size() + q.size() - 1);
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    result.segment(i, q.size()) += p[i] * q;
  }
  return result;
}

}  // namespace

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeTransferFunctionBlock(
    const Eigen::VectorXd& numerator, const Eigen::VectorXd& denominator,
    double time_period) {
  const char* const who = "MakeTransferFunctionBlock";
  wyvern::internal::RequireNotEmpty(who, "numerator", numerator.size() == 0);
  wyvern::internal::RequireNotEmpty(who, "denominator",
                                    denominator.size() == 0);
  wyvern::internal::RequireFinite(who, "numerator", numerator);
  wyvern::internal::RequireFinite(who, "denominator", denominator);
  wyvern::internal::RequireNonNegative(who, "time_period", time_period);
  if (denominator[0] == 0) {
    throw std::logic_error(fmt::format(
        "{}(): denominator[0] is 0; begin with the highest power.", who));
  }
  if (numerator.size() > denominator.size()) {
    throw std::logic_error(fmt::format(
        "{}(): the numerator has degree {} and the denominator {}; give a "
        "denominator of at least the same degree.",
        who, numerator.size() - 1, denominator.size() - 1));
  }
  return MakeBlock<T>(
      RealizeCanonically(numerator, denominator, time_period == 0),
      time_period);
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeZeroPoleBlock(
    const std::vector<std::complex<double>>& zeros,
    const std::vector<std::complex<double>>& poles, double gain,
    double time_period) {
  const char* const who = "MakeZeroPoleBlock";
  wyvern::internal::RequireFinite(who, "gain", gain);
  wyvern::internal::RequireNonNegative(who, "time_period", time_period);
  if (zeros.size() > poles.size()) {
    throw std::logic_error(
        fmt::format("{}(): there are {} zeros and {} poles; give at most as "
                    "many zeros as poles.",
                    who, zeros.size(), poles.size()));
  }
  std::vector<VectorXd> top = MakeRealFactors(zeros, "zero");
  std::vector<VectorXd> bottom = MakeRealFactors(poles, "pole");
  // A pair of zeros over two real poles needs a section of second order.
  const auto is_pair = [](const VectorXd& p) { return p.size() == 3; };
  while (std::count_if(top.begin(), top.end(), is_pair) >
         std::count_if(bottom.begin(), bottom.end(), is_pair)) {
    const VectorXd last = bottom.back();
    bottom.pop_back();
    const VectorXd product = MultiplyPolynomials(bottom.back(), last);
    bottom.pop_back();
    bottom.insert(bottom.begin(), product);
  }
  Realization all{MatrixXd(0, 0), MatrixXd(0, 1), MatrixXd(1, 0), gain};
  for (const VectorXd& denominator : bottom) {
    VectorXd numerator = VectorXd::Ones(1);
    while (!top.empty() &&
           numerator.size() + top.front().size() - 1 <= denominator.size()) {
      numerator = MultiplyPolynomials(numerator, top.front());
      top.erase(top.begin());
    }
    all = Chain(all,
                RealizeCanonically(numerator, denominator, time_period == 0));
  }
  return MakeBlock<T>(all, time_period);
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeFilteredDerivative(double time_constant) {
  wyvern::internal::RequirePositive("MakeFilteredDerivative", "time_constant",
                                    time_constant);
  return MakeTransferFunctionBlock<T>(Eigen::Vector2d(1, 0),
                                      Eigen::Vector2d(time_constant, 1));
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeSecondOrderLowPass(double corner_frequency,
                                                        double damping_ratio) {
  const double w = corner_frequency;
  wyvern::internal::RequirePositive("MakeSecondOrderLowPass",
                                    "corner_frequency", w);
  wyvern::internal::RequirePositive("MakeSecondOrderLowPass", "damping_ratio",
                                    damping_ratio);
  return MakeTransferFunctionBlock<T>(
      Eigen::VectorXd::Constant(1, w * w),
      Eigen::Vector3d(1, 2 * damping_ratio * w, w * w));
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeNotch(double frequency, double ratio) {
  wyvern::internal::RequirePositive("MakeNotch", "frequency", frequency);
  wyvern::internal::RequirePositive("MakeNotch", "ratio", ratio);
  const double w2 = frequency * frequency;
  return MakeTransferFunctionBlock<T>(
      Eigen::Vector3d(1, 0, w2), Eigen::Vector3d(1, 2 * ratio * frequency, w2));
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeLeadLag(double gain, double lead_time,
                                             double lag_time) {
  wyvern::internal::RequireFinite("MakeLeadLag", "gain", gain);
  wyvern::internal::RequireNonNegative("MakeLeadLag", "lead_time", lead_time);
  wyvern::internal::RequirePositive("MakeLeadLag", "lag_time", lag_time);
  return MakeTransferFunctionBlock<T>(Eigen::Vector2d(gain * lead_time, gain),
                                      Eigen::Vector2d(lag_time, 1));
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeFirFilter(
    const Eigen::VectorXd& coefficients, double time_period) {
  return MakeIirFilter<T>(coefficients, Eigen::VectorXd::Ones(1), time_period);
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeMovingAverage(int num_samples,
                                                   double time_period) {
  wyvern::internal::RequireAtLeast("MakeMovingAverage", "num_samples",
                                   num_samples, 1);
  return MakeFirFilter<T>(
      Eigen::VectorXd::Constant(num_samples, 1.0 / num_samples), time_period);
}

template <typename T>
std::unique_ptr<LinearSystem<T>> MakeIirFilter(const Eigen::VectorXd& b,
                                               const Eigen::VectorXd& a,
                                               double time_period) {
  wyvern::internal::RequirePositive("MakeIirFilter", "time_period",
                                    time_period);
  // Powers of 1/z: append zeros to the shorter list.
  const Eigen::Index size = std::max(a.size(), b.size());
  const auto pad = [size](const VectorXd& p) {
    VectorXd result = VectorXd::Zero(p.size() == 0 ? 0 : size);
    result.head(p.size()) = p;
    return result;
  };
  return MakeTransferFunctionBlock<T>(pad(b), pad(a), time_period);
}

#define WYVERN_INSTANTIATE_FILTERS(T)                                       \
  template std::unique_ptr<LinearSystem<T>> MakeTransferFunctionBlock(      \
      const Eigen::VectorXd&, const Eigen::VectorXd&, double);              \
  template std::unique_ptr<LinearSystem<T>> MakeZeroPoleBlock(              \
      const std::vector<std::complex<double>>&,                             \
      const std::vector<std::complex<double>>&, double, double);            \
  template std::unique_ptr<LinearSystem<T>> MakeFilteredDerivative(double); \
  template std::unique_ptr<LinearSystem<T>> MakeSecondOrderLowPass(double,  \
                                                                   double); \
  template std::unique_ptr<LinearSystem<T>> MakeNotch(double, double);      \
  template std::unique_ptr<LinearSystem<T>> MakeLeadLag(double, double,     \
                                                        double);            \
  template std::unique_ptr<LinearSystem<T>> MakeFirFilter(                  \
      const Eigen::VectorXd&, double);                                      \
  template std::unique_ptr<LinearSystem<T>> MakeMovingAverage(int, double); \
  template std::unique_ptr<LinearSystem<T>> MakeIirFilter(                  \
      const Eigen::VectorXd&, const Eigen::VectorXd&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_FILTERS)
#undef WYVERN_INSTANTIATE_FILTERS

}  // namespace wyvern::systems
