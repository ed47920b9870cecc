#pragma once

#include <filesystem>
#include <string>

namespace wyvern::app {

/** Writes what a sweep's table, .csv, has to a file beside it, .h5: the dataset
`table` with a field for each column (systems/recording/hdf5_table.h), and
`study`, the text. `sample` and `random_seed` are whole numbers; a column of
which each field is a number, or empty, is numbers, NaN where it is empty, as
outputs of samples that failed are; all others are texts.
@returns the file's name; an empty one in a library that was built without HDF5.
@throws std::runtime_error if a file cannot be read or written. */
std::filesystem::path WriteSweepHdf5(const std::filesystem::path& table,
                                     const std::string& study);

}  // namespace wyvern::app
