#pragma once

#include "wyvern/multibody/parsing/extension_tags.h"
#include "wyvern/multibody/parsing/parsed_model.h"

/** @file
Extension elements of both formats whose values are all in their
children. Functions throw std::runtime_error "file:line: ..." at a tag that is
not valid or missing, and warn of one that is not known. */

namespace wyvern::multibody::internal {

/** <drake:linear_bushing_rpy> */
ParsedBushing ReadBushing(const ExtensionTags& tags, WarningLog* log);

/** <drake:linear_spring_damper> */
ParsedSpringDamper ReadSpringDamper(const ExtensionTags& tags, WarningLog* log);

/** <drake:ball_constraint> */
ParsedBallConstraint ReadBallConstraint(const ExtensionTags& tags,
                                        WarningLog* log);

/** <drake:collision_filter_group> called `name`. */
ParsedFilterGroup ReadFilterGroup(const std::string& name,
                                  const ExtensionTags& tags, WarningLog* log);

/** @name What the functions above read as these.
@{ */
TagTexts WriteTags(const ParsedBushing& bushing);
TagTexts WriteTags(const ParsedSpringDamper& spring);
TagTexts WriteTags(const ParsedBallConstraint& ball);
TagTexts WriteTags(const ParsedFilterGroup& group);
/** @} */

}  // namespace wyvern::multibody::internal
