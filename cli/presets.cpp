#include "presets.h"

#include "preset_texts.h"

namespace retrygarden::cli {

std::span<const std::pair<std::string_view, std::string_view>> presets() {
  return kPresetTexts;
}

}  // namespace retrygarden::cli
