#pragma once

#include <string_view>

namespace wyvern {

/** The level of processors that this library was compiled for: "x86-64",
"x86-64-v2", "x86-64-v3" or "x86-64-v4" as the psABI of x86-64 names them,
"aarch64", or "other". Results are the same bits on every processor for one
level, and differ by rounding between levels.

The shared library of the Debian packages is there for several levels, and the
dynamic linker takes the highest that the processor has. The environment
variable GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 keeps it below "x86-64-v3". */
std::string_view ProcessorLevel();

}  // namespace wyvern
