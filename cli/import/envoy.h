// Envoy: route and cluster configuration, whole or a part of it.
#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "import/imported.h"
#include "import/policy_draft.h"
#include "import/yaml_document.h"

namespace retrygarden::import_from {

// One policy for each route that ends up with a retry_policy, its own or its virtual host's.
tl::expected<Imported, Faults> read_envoy(std::string_view text, Nanoseconds tick);

// What systems that drive Envoy share with it.

// Envoy's back-off: whole milliseconds, each less than base · 2^(k−1) and less than longest.
// Precondition: 1 <= base <= longest, and policy.attempts is set.
void set_envoy_backoff(PolicyDraft& draft, std::uint64_t base_ms, std::uint64_t longest_ms);

// A duration in whole milliseconds, as Envoy takes it; what is cut off is lost.
std::uint64_t envoy_milliseconds(PolicyDraft& draft, std::string_view name,
                                 const Rational& duration);

// A budget by a share, in percent, of active requests.
ConcurrentBudget envoy_retry_budget(PolicyDraft& draft, const Rational& percent,
                                    std::uint32_t minimum);

// Says which failures are retried there, where it is not every one.
void lose_retry_on(PolicyDraft& draft, std::string_view conditions);

// Says what of this part nothing read.
void lose_unread(PolicyDraft& draft, std::string_view part, const YamlMap& map);

}  // namespace retrygarden::import_from
