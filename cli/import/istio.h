// Istio: VirtualService and DestinationRule.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "import/imported.h"

namespace retrygarden::import_from {

// One policy for each HTTP route with retries, and one, with Istio's default retries, for each
// DestinationRule that no such route leads to.
tl::expected<Imported, Faults> read_istio(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
