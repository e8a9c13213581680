// The retry options of Stripe's client, and how long its server keeps idempotency keys, in JSON.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_stripe(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
