#pragma once

#include <string>
#include <string_view>

namespace wyvern::geometry::internal {

/** Checks that a .gltf or .glb file can be read by recursion, as Assimp does:
that its JSON is not nested more than 100 deep, nor its nodes more than 200,
that no node is in itself, and that they are no more than 1,000,000 when each is
counted as often as nodes refer to it. Of a .glb file, that no chunk is longer
than the file. What is wrong otherwise is not looked at.
Takes time and room in proportion to the file, and no more stack for a deeper
one.
@param file what errors call it.
@throws std::runtime_error naming the file and what is nested. */
void RequireShallowGltf(std::string_view bytes, const std::string& file);

}  // namespace wyvern::geometry::internal
