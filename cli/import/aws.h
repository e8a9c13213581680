// The AWS SDKs' config file: retry_mode and max_attempts of each profile, as botocore understands
// them.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_aws(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
