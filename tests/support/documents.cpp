#include "support/documents.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/thread_peers.h"

namespace retrygarden::test {

Scenario scenario_of(std::string_view text) {
  auto scenario = read_scenario(text);
  if (!scenario) {
    std::string message = "not a valid scenario:";
    for (const Fault& fault : scenario.error()) {
      message += "\n" + to_string(fault);
    }
    throw std::invalid_argument(message);
  }
  return *std::move(scenario);
}

std::string written(void (*write)(const Scenario&, const Sink&, const Workers&),
                    const Scenario& scenario, const Workers& workers) {
  std::string text;
  write(scenario, [&](std::string_view piece) { text += piece; }, workers);
  return text;
}

std::string export_text(const Scenario& scenario, const Workers& workers) {
  return written(write_export_json, scenario, workers);
}

std::string export_text_of_team(const Scenario& scenario, std::uint32_t processes,
                                const Workers& workers) {
  std::string text;
  for_each_of_team(processes, [&](Peers& peers) {
    Workers mine = workers;
    mine.peers = &peers;
    const std::string written = export_text(scenario, mine);
    if (peers.is_first()) {
      text = written;
    }
  });
  return text;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error("cannot read " + path);
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string difference(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b) {
  // dump() keeps the order of members, which == of ordered_json does too, and tells 3 from 3.0,
  // which == does not.
  if (a.dump() == b.dump()) {
    return "";
  }
  const auto patch = nlohmann::ordered_json::diff(a, b);
  if (patch.empty()) {
    return "the order of members, or how a number is written";
  }
  const std::string pointer = patch.front().at("path");
  const auto value = [&](const nlohmann::ordered_json& document) {
    const nlohmann::ordered_json::json_pointer place(pointer);
    return document.contains(place) ? document.at(place).dump() : std::string("nothing");
  };
  return pointer + ": " + value(a) + " against " + value(b);
}

}  // namespace retrygarden::test
