// Kubernetes: wait.Backoff, and back-offs that are known by name, in JSON.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_kubernetes(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
