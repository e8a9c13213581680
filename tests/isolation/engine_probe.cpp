// Must not compile with what the reference model can include.
#include "retrygarden/scenario.h"
