// The scenarios that `retrygarden new` writes. They are golden scenarios, so their results are
// checked.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace retrygarden::cli {

// Name and text of each preset.
std::span<const std::pair<std::string_view, std::string_view>> presets();

}  // namespace retrygarden::cli
