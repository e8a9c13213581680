// Compiles with what the reference model can include, so that the other probe fails for its own
// reason.
#include "reference_model/reference_model.h"
