// Prints the texts of random scenarios, one a line. The seed is fixed, so the list is the same each
// time.
//
//   scenario_list COUNT
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "support/scenario_generator.h"

int main(int argc, char** argv) {
  const int count = argc == 2 ? std::atoi(argv[1]) : 0;
  if (count <= 0) {
    fmt::print(stderr, "usage: scenario_list COUNT\n");
    return EXIT_FAILURE;
  }
  const rc::Gen<std::string> texts = retrygarden::test::scenario_texts();
  const rc::Random root(std::uint64_t{1});
  rc::Random random = root;
  for (int i = 0; i < count; ++i) {
    std::string text = texts(random.split(), rc::kNominalSize).value();
    std::replace(text.begin(), text.end(), '\n', ' ');
    fmt::print("{}\n", text);
  }
  return EXIT_SUCCESS;
}
