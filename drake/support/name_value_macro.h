#pragma once

#include "wyvern/systems/common/name_value.h"

/** The name and value of a field, for Serialize(). */
#define DRAKE_NVP(x) WYVERN_NVP(x)
