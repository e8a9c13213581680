// The properties of a Kafka producer: retries, retry.backoff.ms and what goes with them.
#pragma once

#include "import/imported.h"

namespace retrygarden::import_from {

tl::expected<Imported, Faults> read_kafka(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
