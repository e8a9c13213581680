#include "import/aws.h"

#include <algorithm>
#include <utility>

#include "import/json_document.h"
#include "import/policy_draft.h"
#include "import/settings.h"

namespace retrygarden::import_from {

namespace {

constexpr std::string_view kProfile = "profile ";

Fraction tokens(std::uint64_t count) {
  return Fraction::from_millionths(count * Fraction::kOne);
}

// The retry quota of botocore's standard mode (retries/quota.py, retries/standard.py).
TokenBudget standard_quota() {
  TokenBudget quota;
  quota.capacity = tokens(500);
  quota.initial = quota.capacity;
  quota.retry_cost = tokens(5);
  quota.timeout_cost = tokens(10);
  quota.refund = true;
  quota.success_deposit = tokens(1);
  return quota;
}

struct Profile {
  std::string name;
  const Setting* mode = nullptr;
  const Setting* attempts = nullptr;
};

class AwsReader {
 public:
  AwsReader(const Settings& settings, Nanoseconds tick) : settings_(settings), tick_(tick) {}

  tl::expected<Imported, Faults> read() && {
    for (const Profile& profile : profiles()) {
      read_profile(profile);
    }
    if (imported_.policies.empty() && faults_.empty()) {
      report(faults_, TextPosition{}, "a profile with retry_mode or max_attempts", "none");
    }
    if (!faults_.empty()) {
      return tl::unexpected(std::move(faults_));
    }
    lose_unread(imported_, unread_);
    return std::move(imported_);
  }

 private:
  // Those that say something about retries, in their order.
  std::vector<Profile> profiles() {
    std::vector<Profile> profiles;
    for (const Setting& setting : settings_) {
      const bool is_about_retries = setting.key == "retry_mode" || setting.key == "max_attempts";
      const std::string_view section = setting.section;
      if (!is_about_retries || (section != "default" && !section.starts_with(kProfile))) {
        unread_.push_back(setting.key);
        continue;
      }
      const std::string name(section == "default" ? section : section.substr(kProfile.size()));
      auto profile = std::find_if(profiles.begin(), profiles.end(),
                                  [&](const Profile& p) { return p.name == name; });
      if (profile == profiles.end()) {
        profile = profiles.insert(profiles.end(), Profile{name});
      }
      (setting.key == "retry_mode" ? profile->mode : profile->attempts) = &setting;
    }
    return profiles;
  }

  void read_profile(const Profile& profile) {
    constexpr std::uint64_t kLegacyAttempts = 5;
    constexpr std::uint64_t kStandardAttempts = 3;
    const std::string_view mode =
        profile.mode == nullptr ? std::string_view("legacy") : profile.mode->value;
    const bool is_legacy = mode == "legacy";
    if (!is_legacy && mode != "standard" && mode != "adaptive") {
      report(faults_, profile.mode->value_position, "legacy, standard or adaptive",
             "\"" + printable(mode, 60) + "\"");
      return;
    }
    std::optional<std::uint64_t> attempts = is_legacy ? kLegacyAttempts : kStandardAttempts;
    if (profile.attempts != nullptr) {
      attempts = integer_value(*profile.attempts, 1, kUnlimitedAttempts, faults_);
    }
    if (!attempts) {
      return;
    }
    PolicyDraft draft(profile.name, tick_);
    draft.set_retries(*attempts - 1);
    if (is_legacy) {
      draft.set_exponential(kSecond, 2, std::nullopt);
    } else {
      draft.set_exponential(kSecond, 2, Rational(20 * kSecond));
      draft.policy.budget = standard_quota();
    }
    draft.policy.jitter = FullJitter{};
    if (mode == "adaptive") {
      draft.lose("the rate limiter of the adaptive mode is left out, what remains is standard");
    }
    add_policy(imported_, std::move(draft));
  }

  const Settings& settings_;
  Nanoseconds tick_;
  Imported imported_;
  Faults faults_;
  std::vector<std::string> unread_;
};

}  // namespace

tl::expected<Imported, Faults> read_aws(std::string_view text, Nanoseconds tick) {
  const auto settings = read_ini(text);
  if (!settings) {
    return tl::unexpected(settings.error());
  }
  return AwsReader(*settings, tick).read();
}

}  // namespace retrygarden::import_from
