#include "wyvern/app/reference_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/primitives/csv_table.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

/* References in closed form, with their derivatives. Way-points, written in the
scenario or read from a CSV file, become piecewise polynomials, which are
differentiated once, when the block is made. */

namespace wyvern::app {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
using Polynomials = trajectories::PiecewisePolynomial<double>;

// One number for each joint, of one for all or one each.
VectorX<double> Spread(const char* who, const char* what,
                       const VectorX<double>& given, int size) {
  internal::RequireFinite(who, what, given);
  if (given.size() == 1) return VectorX<double>::Constant(size, given[0]);
  internal::RequireSize(who, what, given.size(), size,
                        "give a number for each actuator, or one for all");
  return given;
}

// Way-points of a CSV file.
Waypoints ReadCsv(const CsvFile& csv, const std::filesystem::path& folder) {
  const systems::CsvTable table = systems::ReadCsvTable(folder / csv.file);
  return {.times = {table.times.begin(), table.times.end()},
          .q = table.values,
          .interpolation = csv.interpolation};
}

}  // namespace

/** Makes the law of each kind of reference. */
class ReferenceLaw {
 public:
  using Motion = ReferenceSource::Motion;
  using Law = ReferenceSource::Law;

  ReferenceLaw(int size, const std::filesystem::path& folder)
      : size_(size), folder_(folder) {}

  Law operator()(const Constant& constant) const {
    const VectorX<double> q = Spread("Constant", "q", constant.q, size_);
    return {[q](double, Motion* motion) { *motion << q, 0 * q, 0 * q; }, {}};
  }

  Law operator()(const Waypoints& given) const {
    const int count = static_cast<int>(given.times.size());
    internal::RequireAtLeast("Waypoints", "the number of times", count, 2,
                             "add way-points");
    internal::RequireShape("Waypoints", "q", given.q, count, size_);
    internal::RequireFinite("Waypoints", "q", given.q);
    std::vector<MatrixX<double>> samples;
    for (int i = 0; i < count; ++i) {
      internal::RequireFinite("Waypoints", "times", given.times[i]);
      samples.push_back(given.q.row(i).transpose());
    }
    const bool is_linear = given.interpolation == "linear";
    if (!is_linear && given.interpolation != "cubic") {
      throw std::logic_error(fmt::format(
          "Waypoints: interpolation is '{}'; give 'cubic' or 'linear'.",
          given.interpolation));
    }
    const auto q = std::make_shared<const Polynomials>(
        is_linear
            ? Polynomials::FirstOrderHold(given.times, samples)
            : Polynomials::CubicShapePreserving(given.times, samples, true));
    const auto motion_at = [q](double t, Motion* motion) {
      motion->setZero();
      const bool is_moving = q->start_time() <= t && t <= q->end_time();
      for (int order = 0; order <= (is_moving ? 2 : 0); ++order) {
        auto column = motion->middleCols(order, 1);
        q->EvalDerivativeInto(t, order, &column);
      }
    };
    return {motion_at, [q](double after) { return q->CalcNextBreak(after); }};
  }

  Law operator()(const CsvFile& csv) const {
    return (*this)(ReadCsv(csv, folder_));
  }

  Law operator()(const Sinusoid& s) const {
    const VectorX<double> offset =
        Spread("Sinusoid", "offset", s.offset, size_);
    const VectorX<double> amplitude =
        Spread("Sinusoid", "amplitude", s.amplitude, size_);
    const VectorX<double> w =
        kTurn * Spread("Sinusoid", "frequency", s.frequency, size_);
    const VectorX<double> phase = Spread("Sinusoid", "phase", s.phase, size_);
    const auto motion_at = [offset, amplitude, w, phase](double t,
                                                         Motion* motion) {
      for (int i = 0; i < offset.size(); ++i) {
        const double sine = amplitude[i] * std::sin(w[i] * t + phase[i]);
        const double cosine = amplitude[i] * std::cos(w[i] * t + phase[i]);
        motion->row(i) << offset[i] + sine, w[i] * cosine, -w[i] * w[i] * sine;
      }
    };
    return {motion_at, {}};
  }

  Law operator()(const Chirp& c) const {
    const VectorX<double> offset = Spread("Chirp", "offset", c.offset, size_);
    const VectorX<double> amplitude =
        Spread("Chirp", "amplitude", c.amplitude, size_);
    internal::RequireFinite("Chirp", "start_frequency", c.start_frequency);
    internal::RequireFinite("Chirp", "end_frequency", c.end_frequency);
    internal::RequirePositive("Chirp", "duration", c.duration);
    const double w0 = kTurn * c.start_frequency;
    const double dw =
        kTurn * (c.end_frequency - c.start_frequency) / c.duration;
    const double duration = c.duration;
    const auto motion_at = [offset, amplitude, w0, dw, duration](
                               double t, Motion* motion) {
      const bool is_over = t > duration || t < 0;
      t = std::clamp(t, 0.0, duration);
      const double phase = (w0 + dw * t / 2) * t;
      const double w = w0 + dw * t;
      const double sine = std::sin(phase), cosine = std::cos(phase);
      motion->setZero();
      motion->col(0) = offset + sine * amplitude;
      if (is_over) return;
      motion->col(1) = w * cosine * amplitude;
      motion->col(2) = (dw * cosine - w * w * sine) * amplitude;
    };
    return {motion_at, [duration](double after) {
              constexpr double kNever = std::numeric_limits<double>::infinity();
              return after < 0 ? 0 : after < duration ? duration : kNever;
            }};
  }

 private:
  const int size_;
  const std::filesystem::path& folder_;
};

ReferenceSource::ReferenceSource(const Reference& reference, int size,
                                 const std::filesystem::path& folder)
    : size_(size), law_(std::visit(ReferenceLaw(size, folder), reference)) {
  if (law_.calc_next_break) this->DeclareBreakTimes();
  motion_ = &this->DeclareCacheEntry("motion", Motion(size, 3),
                                     &ReferenceSource::CalcMotion,
                                     {this->time_ticket()});
  const auto state = [this](const systems::Context<double>& context,
                            systems::BasicVector<double>* output) {
    const Motion& motion = motion_->Eval<Motion>(context);
    output->get_mutable_value() << motion.col(0), motion.col(1);
  };
  const auto acceleration = [this](const systems::Context<double>& context,
                                   systems::BasicVector<double>* output) {
    output->get_mutable_value() = motion_->Eval<Motion>(context).col(2);
  };
  this->DeclareVectorOutputPort("desired_state", 2 * size, state,
                                {motion_->ticket()});
  this->DeclareVectorOutputPort("desired_acceleration", size, acceleration,
                                {motion_->ticket()});
}

ReferenceSource::~ReferenceSource() = default;

void ReferenceSource::CalcMotion(const systems::Context<double>& context,
                                 Motion* motion) const {
  motion->resize(size_, 3);
  law_.calc_motion(context.get_time(), motion);
}

void ReferenceSource::DoCalcNextBreakTime(const systems::Context<double>&,
                                          const double& after,
                                          double* time) const {
  *time = law_.calc_next_break(after);
}

}  // namespace wyvern::app
