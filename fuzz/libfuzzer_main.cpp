// libFuzzer's entry into a target.
#include <cstddef>
#include <cstdint>

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // libFuzzer gives a null pointer with no bytes.
  run_target(size == 0 ? std::string_view()
                       : std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
