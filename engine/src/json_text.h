// Pieces of JSON text that several writers share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace retrygarden {

// text in quotes, with the escapes JSON asks for. Precondition: text is UTF-8, as everything read
// is.
inline std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump();
}

}  // namespace retrygarden
