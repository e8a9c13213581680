// Polly 8's retry options in an appsettings.json.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_polly(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
