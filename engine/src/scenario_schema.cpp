#include "retrygarden/scenario.h"
#include "scenario_schema_text.h"

namespace retrygarden {

std::string_view scenario_schema() {
  return kSchemaFiles[0].second;
}

}  // namespace retrygarden
