#include "sweep_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <utility>

namespace retrygarden::cli {

namespace {

constexpr std::uint64_t kMostRows = 1'000'000'000;
constexpr std::uint64_t kMostSeeds = std::uint64_t{1} << 32;
constexpr std::uint64_t kLastSeed = (std::uint64_t{1} << 53) - 1;
constexpr std::size_t kMostValueBytes = 200;
constexpr std::string_view kAnyOf = "any_of";
constexpr std::string_view kSeeds = "seeds";

// Finds the members with alternatives, and takes these out.
class AxisReader {
 public:
  AxisReader(std::vector<Axis>& axes, Faults& faults) : axes_(axes), faults_(faults) {}

  void read_scenario(Json& json) { read_members(json); }

 private:
  // A step from the root to the value that is read.
  struct Step {
    std::string token;
    std::size_t index;
    const Json* parent;  // of a member; null for an element of a list
  };

  void read(Json& json) {
    if (const Json* any_of = json.find(kAnyOf)) {
      read_any_of(json, *any_of);
    } else if (auto* list = std::get_if<Json::Array>(&json.value); list == nullptr) {
      read_members(json);
    } else if (format_has_list_here()) {
      read_elements(*list);
    } else {
      add_axis(json, std::move(*list));
    }
  }

  void read_any_of(Json& json, const Json& any_of) {
    const auto* list = std::get_if<Json::Array>(&any_of.value);
    if (list == nullptr) {
      add_fault(pointer_to(pointer(), kAnyOf), "a list of values", retrygarden::describe(any_of));
    } else if (std::get<Json::Object>(json.value).size() > 1) {
      add_fault(pointer(), "no member beside \"any_of\"", "others");
    } else {
      add_axis(json, Json::Array(*list));
    }
  }

  void add_axis(Json& json, Json::Array values) {
    if (values.empty()) {
      add_fault(pointer(), "at least one value", "an empty list");
    }
    Axis& axis = axes_.emplace_back();
    axis.pointer = pointer();
    for (const Step& step : path_) {
      axis.place.push_back(step.index);
    }
    axis.values = std::move(values);
    json.value = nullptr;
  }

  void read_members(Json& json) {
    if (auto* object = std::get_if<Json::Object>(&json.value)) {
      for (std::size_t i = 0; i < object->size(); ++i) {
        read_inner((*object)[i].value, {(*object)[i].name, i, &json});
      }
    }
  }

  void read_elements(Json::Array& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      read_inner(list[i], {std::to_string(i), i, nullptr});
    }
  }

  void read_inner(Json& json, Step step) {
    path_.push_back(std::move(step));
    read(json);
    path_.pop_back();
  }

  // Whether a list at this place is a value of the scenario, and not a list of alternatives.
  bool format_has_list_here() const {
    return is_at({"policies"}) || is_at({"server", "outages"}) ||
           is_at({"policies", "*", "delay", "ticks", "*"}) ||
           (is_at({"policies", "*", "delay", "ticks"}) && is_kind_list(*path_.back().parent));
  }

  bool is_at(std::initializer_list<std::string_view> pattern) const {
    return std::equal(path_.begin(), path_.end(), pattern.begin(), pattern.end(),
                      [](const Step& step, std::string_view token) {
                        return token == "*" ? step.parent == nullptr : step.token == token;
                      });
  }

  static bool is_kind_list(const Json& delay) {
    const Json* kind = delay.find("kind");
    const auto* name = kind == nullptr ? nullptr : std::get_if<std::string>(&kind->value);
    return name != nullptr && *name == "list";
  }

  std::string pointer() const {
    std::string result;
    for (const Step& step : path_) {
      result = pointer_to(result, step.token);
    }
    return result;
  }

  void add_fault(std::string pointer, std::string expected, std::string found) {
    if (faults_.size() < kMaxFaults) {
      faults_.push_back({{}, std::move(pointer), std::move(expected), std::move(found)});
    }
  }

  std::vector<Axis>& axes_;
  Faults& faults_;
  std::vector<Step> path_;
};

// Takes the member `seeds` out of the scenario.
std::uint64_t take_seeds(Json::Object& scenario, Faults& faults) {
  const auto it = std::find_if(scenario.begin(), scenario.end(),
                               [](const JsonMember& member) { return member.name == kSeeds; });
  if (it == scenario.end()) {
    return 1;
  }
  std::uint64_t seeds = 0;
  const auto* number = std::get_if<JsonNumber>(&it->value.value);
  if (number != nullptr && is_integer_text(number->text)) {
    std::from_chars(number->text.data(), number->text.data() + number->text.size(), seeds);
  }
  if (seeds < 1 || seeds > kMostSeeds) {
    faults.push_back({{},
                      pointer_to("", kSeeds),
                      fmt::format("an integer from 1 to {}", kMostSeeds),
                      retrygarden::describe(it->value)});
    seeds = 1;
  }
  scenario.erase(it);
  return seeds;
}

std::uint64_t length_of(const Json& json) {
  const auto* list = std::get_if<Json::Array>(&json.value);
  return list == nullptr ? 0 : list->size();
}

Json& inner(Json& json, std::size_t index) {
  if (auto* object = std::get_if<Json::Object>(&json.value)) {
    return (*object)[index].value;
  }
  return std::get<Json::Array>(json.value)[index];
}

// Numbers the points; nothing if there are more than a sweep may have rows.
std::optional<std::uint64_t> count_points(std::vector<Axis>& axes, std::uint64_t seeds) {
  std::uint64_t points = 1;
  for (Axis& axis : std::views::reverse(axes)) {
    axis.points_a_value = points;
    if (axis.values.size() > kMostRows / points) {
      return std::nullopt;
    }
    points *= axis.values.size();
  }
  return seeds > kMostRows / points ? std::nullopt : std::optional(points);
}

Faults too_many_rows() {
  return {{{}, "", fmt::format("a sweep of at most {} rows", kMostRows), "a larger one"}};
}

}  // namespace

tl::expected<SweepGrid, Faults> SweepGrid::read(std::string_view text) {
  auto json = parse_json(text);
  if (!json) {
    return tl::unexpected(std::move(json.error()));
  }
  auto* members = std::get_if<Json::Object>(&json->value);
  if (members == nullptr) {
    return tl::unexpected(Faults{{{}, "", "an object", retrygarden::describe(*json)}});
  }
  SweepGrid grid;
  grid.text_ = write_json(*json);
  Faults faults;
  grid.seeds_ = take_seeds(*members, faults);
  AxisReader(grid.axes_, faults).read_scenario(*json);
  if (!faults.empty()) {
    return tl::unexpected(std::move(faults));
  }
  grid.scenario_ = *std::move(json);
  const auto points = count_points(grid.axes_, grid.seeds_);
  if (!points) {
    return tl::unexpected(too_many_rows());
  }
  grid.points_ = *points;
  grid.rows_ = grid.count_rows();
  if (grid.rows_ > kMostRows) {
    return tl::unexpected(too_many_rows());
  }
  return grid;
}

// All points have the same number of policies, unless the list of policies has alternatives.
std::uint64_t SweepGrid::count_rows() const {
  const auto axis = std::find_if(axes_.begin(), axes_.end(),
                                 [](const Axis& other) { return other.pointer == "/policies"; });
  if (axis == axes_.end()) {
    const Json* policies = scenario_.find("policies");
    return policies == nullptr ? 0 : points_ * seeds_ * length_of(*policies);
  }
  std::uint64_t policies = 0;
  for (const Json& value : axis->values) {
    policies += length_of(value);
  }
  return points_ / axis->values.size() * seeds_ * policies;
}

tl::expected<Scenario, Faults> SweepGrid::scenario(std::uint64_t point) const {
  Json json = scenario_;
  for (const Axis& axis : axes_) {
    Json* place = &json;
    for (const std::size_t index : axis.place) {
      place = &inner(*place, index);
    }
    *place = axis.value_at(point);
  }
  auto result = read_scenario(json, "");
  const std::uint64_t largest = kLastSeed - (seeds_ - 1);
  if (result && result->seed > largest) {
    return tl::unexpected(
        Faults{{{},
                "/seed",
                fmt::format("an integer from 0 to {}, for {} seeds from there", largest, seeds_),
                std::to_string(result->seed)}});
  }
  return result;
}

std::string SweepGrid::describe(std::uint64_t point) const {
  std::string text;
  for (const Axis& axis : axes_) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis.pointer,
                        printable(write_json(axis.value_at(point)), kMostValueBytes));
  }
  return text;
}

}  // namespace retrygarden::cli
