// Labels of a plot's axis: as many digits as its steps need, so that no two
// labels are the same.
import type uPlot from "uplot";

/** Labels of numbers that are `step` apart. */
export function labels(numbers: readonly (number | null)[], step: number): string[] {
  const largest = Math.max(...numbers.map((number) => Math.abs(number ?? 0)));
  const power = Math.floor(Math.log10(largest));
  // Rounded to fewer digits, a step would be another number.
  let digits = 0;
  while (digits < 15 && Math.abs(Number(step.toFixed(digits)) - step) > 1e-6 * step) ++digits;
  const isFixed = largest === 0 || (largest < 1e6 && digits <= 6);
  let significant = 0;
  const unit = 10 ** power;
  while (significant < 15 && Math.abs(Number((step / unit).toFixed(significant)) - step / unit) > (1e-6 * step) / unit) ++significant;
  return numbers.map((number) => {
    if (number === null) return "";
    if (isFixed) return number.toFixed(digits).replace(/^-(0(\.0*)?)$/, "$1");
    return number === 0 ? "0" : `${(number / unit).toFixed(significant)}e${power}`;
  });
}

/** For the options of an axis. */
export const axisLabels: Pick<uPlot.Axis, "values"> = {
  values: (_self, splits, _axis, _space, step) => labels(splits, step),
};

/** Overload for a vertical axis, which is as wide as its labels. */
export const verticalLabels: Pick<uPlot.Axis, "values" | "size"> = {
  ...axisLabels,
  size: (_self, values) => 20 + 6.6 * Math.max(4, ...(values ?? []).map((value) => value.length)),
};
