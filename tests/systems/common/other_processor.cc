// Must not link if it is compiled otherwise than the library.
#include "wyvern/systems/common/eigen_types.h"

int main() { return wyvern::Vector3<double>::Zero().size() == 3 ? 0 : 1; }
