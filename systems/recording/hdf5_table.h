#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace wyvern::systems {

/** A column of a table: numbers, whole numbers, or UTF-8 texts. */
struct TableColumn {
  /** Name of the column, unique in the table. */
  std::string name;
  /** One value for each row. */
  std::variant<std::vector<double>, std::vector<std::uint64_t>,
               std::vector<std::string>>
      values;
};

/** Writes a table to an HDF5 file: one dataset `table`, of rows with a field
for each column, which h5py and pandas read as such; texts have zeros behind
them, up to the longest of the column. Besides, a dataset of one text for each
of `texts`. The same table gives the same bytes. A file that is there is
replaced once the new one is whole.

@code{.py}
table = h5py.File("results.h5")["table"][:]
table["sample"], table["plant/state[0]"]
@endcode

@throws std::logic_error in a library that was built without HDF5
(Hdf5RecordingSink::is_available()), if there is no column, one has another
number of rows than the first, or two have one name.
@throws std::runtime_error naming the file and why it cannot be written; there
is room for about a thousand columns. */
void WriteHdf5Table(const std::string& filename,
                    const std::vector<TableColumn>& columns,
                    const std::map<std::string, std::string>& texts = {});

}  // namespace wyvern::systems
