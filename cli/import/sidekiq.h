// Sidekiq's options of job classes, in JSON.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_sidekiq(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
