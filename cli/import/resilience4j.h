// resilience4j: Spring Boot's application.yml with resilience4j.retry and
// resilience4j.circuitbreaker.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "import/imported.h"

namespace retrygarden::import_from {

// One policy for each instance, of a retry with the circuit breaker and the time limiter of the
// same name; or, where there are no instances, for each config.
tl::expected<Imported, Faults> read_resilience4j(std::string_view text, Nanoseconds tick);

}  // namespace retrygarden::import_from
