#include "retrygarden/results.h"

#include <array>

#include "names.h"
#include "record_members.h"

namespace retrygarden {

namespace {

// Gathers the numbers of a record.
class ColumnValues {
 public:
  explicit ColumnValues(std::vector<std::optional<std::uint64_t>>& values) : values_(values) {}

  template <class Value>
  void operator()(std::string_view /*name*/, const Value& value) {
    if constexpr (HasMembers<Value>) {
      visit_members(value, *this);
    } else {
      values_.emplace_back(value);
    }
  }

 private:
  std::vector<std::optional<std::uint64_t>>& values_;
};

}  // namespace

std::vector<std::string> summary_columns() {
  return column_names<Summary>();
}

std::vector<std::optional<std::uint64_t>> summary_values(const Summary& summary) {
  std::vector<std::optional<std::uint64_t>> values;
  visit_members(summary, ColumnValues(values));
  return values;
}

std::string_view to_string(Outcome outcome) {
  static constexpr std::array<std::string_view, 5> kNames = {
      "accepted", "overloaded", "unavailable", "request_lost", "short_circuited"};
  return name_of(kNames, outcome);
}

std::string_view to_string(Effect effect) {
  static constexpr std::array<std::string_view, 4> kNames = {"none", "applied", "duplicate",
                                                             "suppressed"};
  return name_of(kNames, effect);
}

std::string_view to_string(Response response) {
  static constexpr std::array<std::string_view, 5> kNames = {"none", "acknowledged", "lost", "late",
                                                             "crashed"};
  return name_of(kNames, response);
}

std::string_view to_string(ClientState state) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "acknowledged", "exhausted", "deadline_exceeded", "budget_denied", "awaiting", "scheduled"};
  return name_of(kNames, state);
}

}  // namespace retrygarden
