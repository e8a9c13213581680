// gRPC's service config (gRFC A6): retryPolicy, hedgingPolicy, retryThrottling.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_grpc(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
