#include "import/systems.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "example_texts.h"
#include "import/aws.h"
#include "import/celery.h"
#include "import/envoy.h"
#include "import/grpc.h"
#include "import/istio.h"
#include "import/kafka.h"
#include "import/kubernetes.h"
#include "import/linkerd.h"
#include "import/polly.h"
#include "import/resilience4j.h"
#include "import/sidekiq.h"
#include "import/stripe.h"
#include "import/temporal.h"

namespace retrygarden::import_from {

namespace {

constexpr std::string_view example(std::string_view name) {
  for (const auto& [system, text] : kExampleTexts) {
    if (system == name) {
      return text;
    }
  }
  return "";
}

constexpr auto kSystems = std::to_array<System>({
    {"aws", "the AWS SDKs' config: retry_mode, max_attempts of each profile (INI)", example("aws"),
     read_aws},
    {"celery", "retry options of Celery's tasks by name (JSON)", example("celery"), read_celery},
    {"envoy", "Envoy's routes and clusters: retry_policy, circuit_breakers, retry_budget (YAML)",
     example("envoy"), read_envoy},
    {"grpc", "gRPC service config: retryPolicy, hedgingPolicy, retryThrottling (JSON)",
     example("grpc"), read_grpc},
    {"istio", "Istio's VirtualService and DestinationRule: retries, maxRetries, retryBudget (YAML)",
     example("istio"), read_istio},
    {"kafka", "properties of a Kafka producer: retries, retry.backoff.ms (.properties)",
     example("kafka"), read_kafka},
    {"kubernetes", "wait.Backoff by name, or a known one such as CrashLoopBackOff (JSON)",
     example("kubernetes"), read_kubernetes},
    {"linkerd", "Linkerd's ServiceProfile: isRetryable, retryBudget; retry annotations (YAML)",
     example("linkerd"), read_linkerd},
    {"polly", "Polly 8's retry options in appsettings.json: Retry, CircuitBreaker (JSON)",
     example("polly"), read_polly},
    {"resilience4j",
     "Spring Boot's application.yml: resilience4j.retry, resilience4j.circuitbreaker (YAML)",
     example("resilience4j"), read_resilience4j},
    {"sidekiq", "Sidekiq's options by job class: retry, retry_for (JSON)", example("sidekiq"),
     read_sidekiq},
    {"stripe", "Stripe's max_network_retries and idempotency_key_lifetime (JSON)",
     example("stripe"), read_stripe},
    {"temporal", "Temporal's RetryPolicy, alone or in an activity's options (proto JSON)",
     example("temporal"), read_temporal},
});
static_assert(std::is_sorted(kSystems.begin(), kSystems.end(),
                             [](const System& a, const System& b) { return a.name < b.name; }));
static_assert(std::none_of(kSystems.begin(), kSystems.end(),
                           [](const System& system) { return system.example.empty(); }));

// The losses of that policy as sentences.
std::optional<std::string> description_of(const Policy& policy, const std::vector<Loss>& losses) {
  std::string text;
  for (const Loss& loss : losses) {
    if (loss.policy == policy.name) {
      text += text.empty() ? "Not kept: " : "; ";
      text += loss.what;
    }
  }
  return text.empty() ? std::nullopt : std::optional(text + ".");
}

}  // namespace

std::span<const System> systems() {
  return kSystems;
}

const System* find_system(std::string_view name) {
  const auto* const it = std::find_if(kSystems.begin(), kSystems.end(),
                                      [&](const System& system) { return system.name == name; });
  return it == kSystems.end() ? nullptr : &*it;
}

tl::expected<Imported, Faults> import_text(const System& system, std::string_view text,
                                           Nanoseconds tick) {
  auto imported = system.read(text, tick);
  if (!imported) {
    return imported;
  }
  if (imported->policies.size() > kMostPolicies) {
    return tl::unexpected(
        Faults{{TextPosition{}, "", "at most " + std::to_string(kMostPolicies) + " retry rules",
                std::to_string(imported->policies.size())}});
  }
  for (Policy& policy : imported->policies) {
    policy.description = description_of(policy, imported->losses);
  }
  return imported;
}

}  // namespace retrygarden::import_from
