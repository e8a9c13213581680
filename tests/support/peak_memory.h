// How much memory some work holds, by the kernel's account.
#pragma once

#include <malloc.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace retrygarden::test {

// A value in kB of /proc/self/status, in bytes.
inline std::uint64_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != name + ":") {
  }
  std::uint64_t kilobytes = 0;
  status >> kilobytes;
  return kilobytes * 1024;
}

// What work() holds at most, beyond what was there before.
template <class Work>
std::uint64_t peak_bytes(Work work) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts anew
  const std::uint64_t before = status_bytes("VmRSS");
  work();
  const std::uint64_t peak = status_bytes("VmHWM");
  return peak > before ? peak - before : 0;
}

}  // namespace retrygarden::test
