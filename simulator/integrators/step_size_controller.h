#pragma once

namespace wyvern::systems::internal {

/** Verdict after a trial step of size h with error e against accuracy a, with
an estimate of order p (e ~ h^p), by the elementary controller

    h_new = h * min(5, max(0.1, 0.9 (a / e)^(1/p))),

(Hairer, Norsett, Wanner, Solving ODEs I, II.4, eq. 4.13), accepted if e <= a.
Two rules keep it calm: a step that is to grow by less than 1.2 stays as it is,
and a refused one shrinks at least to 0.9. */
struct StepSizeVerdict {
  bool accepted{};
  double next_step_size{};
};

StepSizeVerdict JudgeStep(double step_size, double error, double accuracy,
                          int order);

}  // namespace wyvern::systems::internal
