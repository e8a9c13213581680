// The retry options of Celery's tasks, in JSON.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_celery(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
