// Temporal's RetryPolicy in proto JSON, alone or inside the options of an activity.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_temporal(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
