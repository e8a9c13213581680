// Whole numbers for people, with a blank between groups of three digits: 12 345 678.
#pragma once

#include <cstdint>
#include <string>

namespace retrygarden {

std::string grouped(std::uint64_t number);

}  // namespace retrygarden
