// Prints a digest of the export of each scenario that it reads, one text a line. To be built with
// any compiler, for any machine: what it prints must be the same.
#include <boost/crc.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "retrygarden/export.h"

namespace {

// CRC-64 as in ECMA-182.
using Crc64 = boost::crc_optimal<64, 0x42F0E1EBA9EA3693, 0, 0, false, false>;

}  // namespace

int main() {
  for (std::string text; std::getline(std::cin, text);) {
    const auto scenario = retrygarden::read_scenario(text);
    if (!scenario) {
      std::fprintf(stderr, "not a valid scenario: %s\n", text.c_str());
      return EXIT_FAILURE;
    }
    Crc64 crc;
    for (const auto write : {retrygarden::write_export_json, retrygarden::write_export_ndjson,
                             retrygarden::write_summary_csv}) {
      write(*scenario,
            [&](std::string_view piece) { crc.process_bytes(piece.data(), piece.size()); }, {});
    }
    std::printf("%016llx\n", static_cast<unsigned long long>(crc.checksum()));
  }
  return EXIT_SUCCESS;
}
