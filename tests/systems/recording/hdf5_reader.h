#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <hdf5.h>

namespace wyvern::systems::test {

/** Reads an HDF5 file by the C library. Leaks identifiers where it throws. */
class Hdf5Reader {
 public:
  /** @param is_live whether it was not closed, or is being written. */
  explicit Hdf5Reader(const std::string& filename, bool is_live = false)
      : file_(H5Fopen(filename.c_str(),
                      H5F_ACC_RDONLY | (is_live ? H5F_ACC_SWMR_READ : 0),
                      H5P_DEFAULT)) {
    Check(file_, filename);
  }
  ~Hdf5Reader() { H5Fclose(file_); }
  Hdf5Reader(const Hdf5Reader&) = delete;
  void operator=(const Hdf5Reader&) = delete;

  bool Has(const std::string& name) const {
    return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0;
  }
  std::vector<hsize_t> Shape(const std::string& name) const {
    const hid_t set = Check(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), name);
    const hid_t space = H5Dget_space(set);
    std::vector<hsize_t> shape(H5Sget_simple_extent_ndims(space));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    H5Sclose(space);
    H5Dclose(set);
    return shape;
  }
  /** Row by row. */
  std::vector<double> Numbers(const std::string& name) const {
    std::size_t count = 1;
    for (const hsize_t n : Shape(name)) count *= n;
    std::vector<double> numbers(count);
    const hid_t set = Check(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), name);
    Check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  numbers.data()),
          name);
    H5Dclose(set);
    return numbers;
  }
  /** Returns the text of a dataset that holds one. */
  std::string Text(const std::string& name) const {
    const hid_t set = Check(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), name);
    const hid_t type = H5Dget_type(set);
    std::string text(H5Tget_size(type), '\0');
    Check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), name);
    H5Tclose(type);
    H5Dclose(set);
    return text.c_str();
  }
  /** A field of a dataset of rows; as numbers of C++'s `Value`, which has
  HDF5's `type`. */
  template <typename Value>
  std::vector<Value> Field(const std::string& name, const std::string& field,
                           hid_t type) const {
    const hid_t set = Check(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), name);
    const hid_t row = Check(H5Tcreate(H5T_COMPOUND, sizeof(Value)), field);
    Check(H5Tinsert(row, field.c_str(), 0, type), field);
    std::vector<Value> values(Shape(name).at(0));
    Check(H5Dread(set, row, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          field);
    H5Tclose(row);
    H5Dclose(set);
    return values;
  }
  std::vector<std::string> TextField(const std::string& name,
                                     const std::string& field) const {
    struct Text {
      char bytes[256];
    };
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof(Text));
    H5Tset_cset(type, H5T_CSET_UTF8);
    std::vector<std::string> texts;
    for (const Text& text : Field<Text>(name, field, type)) {
      texts.emplace_back(text.bytes);
    }
    H5Tclose(type);
    return texts;
  }
  /** Texts in an attribute of an object. */
  std::vector<std::string> Attribute(const std::string& object,
                                     const std::string& name) const {
    const hid_t attribute =
        Check(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT,
                              H5P_DEFAULT),
              name);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    const std::size_t width = H5Tget_size(type);
    std::string all(width * H5Sget_simple_extent_npoints(space), '\0');
    if (!all.empty()) Check(H5Aread(attribute, type, all.data()), name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < all.size(); i += width) {
      texts.emplace_back(all.substr(i, width).c_str());
    }
    return texts;
  }
  /** The samples of a text signal. */
  std::vector<std::string> Samples(const std::string& group) const {
    std::string bytes;
    for (const double byte : Numbers(group + "/text")) {
      bytes += static_cast<char>(byte);
    }
    std::vector<std::string> samples;
    std::size_t begin = 0;
    for (const double end : Numbers(group + "/end")) {
      samples.push_back(
          bytes.substr(begin, static_cast<std::size_t>(end) - begin));
      begin = static_cast<std::size_t>(end);
    }
    return samples;
  }

 private:
  template <typename Result>
  static Result Check(Result result, const std::string& name) {
    if (result < 0) throw std::runtime_error("Hdf5Reader: " + name);
    return result;
  }

  hid_t file_;
};

}  // namespace wyvern::systems::test
