// SwiftPM wants one compiled file in a C target; everything is in the headers.
#include "CSystem.h"
