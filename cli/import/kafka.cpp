#include "import/kafka.h"

#include <algorithm>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"
#include "import/settings.h"

namespace retrygarden::import_from {

namespace {

constexpr std::uint64_t kMostInt = 0x7FFF'FFFF;
constexpr std::uint64_t kMostLong = 0x7FFF'FFFF'FFFF'FFFF;
constexpr std::uint64_t kKeysLiveMilliseconds =
    86'400'000;  // the broker's producer.id.expiration.ms

class KafkaReader {
 public:
  KafkaReader(const Settings& settings, Nanoseconds tick)
      : settings_(settings), draft_("producer", tick) {}

  tl::expected<Imported, Faults> read() && {
    // In the order of ProducerConfig's defaults.
    const std::uint64_t retries = integer("retries", kMostInt, kMostInt);
    const Rational backoff = milliseconds("retry.backoff.ms", 100, kMostLong);
    const Rational longest = milliseconds("retry.backoff.max.ms", 1000, kMostLong);
    const Rational timeout = milliseconds("request.timeout.ms", 30'000, kMostInt);
    const Rational delivery = milliseconds("delivery.timeout.ms", 120'000, kMostInt);
    const bool is_about_retries = is_read_;
    const bool is_idempotent = boolean("enable.idempotence", true);
    if (!is_about_retries && faults_.empty()) {
      report(faults_, TextPosition{}, "a property such as retries or retry.backoff.ms", "none");
    }
    if (!faults_.empty()) {
      return tl::unexpected(std::move(faults_));
    }
    draft_.set_retries(retries);
    set_delay(backoff, longest);
    draft_.set_timeout(timeout);
    draft_.set_deadline("delivery.timeout.ms", delivery);
    Imported imported;
    if (is_idempotent) {
      set_deduplication(imported);
    }
    add_policy(imported, std::move(draft_));
    lose_unread(imported, unread());
    return imported;
  }

 private:
  // ExponentialBackoff: the cap holds before jitter and after it.
  void set_delay(const Rational& backoff, const Rational& longest) {
    if (longest <= backoff) {
      draft_.set_fixed(longest);
      return;
    }
    draft_.set_exponential(backoff, 2, longest);
    if (backoff > 0) {
      draft_.set_jitter_without_end(Rational(4, 5), Rational(6, 5));
      draft_.set_max_delay(longest);
    }
  }

  void set_deduplication(Imported& imported) const {
    constexpr std::uint32_t kMostTtl = (1U << 31) - 1;
    const WholeTicks ticks =
        whole_ticks("the time that a producer's sequence is known",
                    Rational(kKeysLiveMilliseconds) * kMillisecond, draft_.tick(), kMostTtl);
    imported.deduplication = DeduplicationTtl{ticks.ticks};
    if (!ticks.loss.empty()) {
      imported.losses.push_back({"", ticks.loss});
    }
    imported.losses.push_back({"",
                               "a broker knows the last 5 batches of a producer and partition for "
                               "as long as the broker says, every key is kept 24 hours here"});
  }

  const Setting* find(std::string_view key) {
    read_keys_.push_back(key);
    const Setting* setting = find_setting(settings_, "", key);
    is_read_ = is_read_ || setting != nullptr;
    return setting;
  }

  std::uint64_t integer(std::string_view key, std::uint64_t otherwise, std::uint64_t most) {
    const Setting* setting = find(key);
    return setting == nullptr ? otherwise
                              : integer_value(*setting, 0, most, faults_).value_or(otherwise);
  }

  Rational milliseconds(std::string_view key, std::uint64_t otherwise, std::uint64_t most) {
    return Rational(integer(key, otherwise, most)) * kMillisecond;
  }

  bool boolean(std::string_view key, bool otherwise) {
    const Setting* setting = find(key);
    if (setting == nullptr) {
      return otherwise;
    }
    if (setting->value != "true" && setting->value != "false") {
      report(faults_, setting->value_position, "true or false",
             "\"" + printable(setting->value, 60) + "\"");
    }
    return setting->value == "true";
  }

  std::vector<std::string> unread() const {
    std::vector<std::string> keys;
    for (const Setting& setting : settings_) {
      if (std::find(read_keys_.begin(), read_keys_.end(), setting.key) == read_keys_.end()) {
        keys.push_back(setting.key);
      }
    }
    return keys;
  }

  const Settings& settings_;
  PolicyDraft draft_;
  Faults faults_;
  std::vector<std::string_view> read_keys_;
  bool is_read_ = false;
};

}  // namespace

tl::expected<Imported, Faults> read_kafka(std::string_view text, Nanoseconds tick) {
  const auto settings = read_properties(text);
  if (!settings) {
    return tl::unexpected(settings.error());
  }
  return KafkaReader(*settings, tick).read();
}

}  // namespace retrygarden::import_from
