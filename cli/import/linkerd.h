// Linkerd: ServiceProfiles, and objects with annotations of retry.linkerd.io.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "import/imported.h"

namespace retrygarden::import_from {

// One policy for each retryable route of a ServiceProfile, and one for each object that is
// annotated with what to retry.
tl::expected<Imported, Faults> read_linkerd(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
