#pragma once

#include <span>
#include <string>

/** @file
Texts of the C++ headers as docstrings. python/header_comments.py reads the
headers by libclang when the package is built. Without libclang there are none,
and functions have the texts of the bindings alone. */

namespace wyvern::python {

/** Returns the docstring of a member of a class, or of the class itself. It has
the text of the bindings, if there is one, and then the comment of the C++
header without the parameters that Python does not have.
@param class_name as in Python; members that a base class declares count too.
@param member "__init__" for constructors, "" for the class.
@param arguments names of the arguments in Python. Of several overloads in C++
that one is chosen that has most of them.
@param text of the bindings, or null.
@returns a text that lives as long as the program. */
const char* Docstring(const std::string& class_name, const char* member,
                      std::span<const char* const> arguments, const char* text);

/** Returns the number of comments that were found in the headers; 0 if the
package was built without libclang. */
int CountHeaderComments();

}  // namespace wyvern::python
