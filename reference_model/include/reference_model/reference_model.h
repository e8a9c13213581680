// The public face of the reference model: docs/model.md carried out for obviousness, not for speed.
// Tests compare the production engine's export with the document made here.

#ifndef REFERENCE_MODEL_REFERENCE_MODEL_H
#define REFERENCE_MODEL_REFERENCE_MODEL_H

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "reference_model/draws.h"

namespace reference_model {

// The text is not a scenario by section 2. The message names the first fault found and its place as
// a JSON Pointer in quotes (the root's is empty). Faults met while the text is parsed have no
// place: what is not JSON, nesting that is too deep, a number too large for every type.
class InvalidScenario : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs every policy of the scenario and returns the whole document of section 9, members in the
// page's order.
//
// Integers are JSON integers. A fraction (section 2) is an integer where its value is one,
// otherwise the double nearest to its decimal text; documents are therefore to be compared as JSON
// values. (dump() prints a double below 0.0001 with an exponent, which is not the form section 2
// asks for.)
//
// Errors: InvalidScenario as above; std::bad_alloc when clients or attempts do not fit into memory.
//
// Complexity: with A attempts in all policies together, O(A log A + A * outages^2) time, with a
// large constant because random numbers are made of arbitrarily long integers, and O(A + clients *
// policies) memory. Neither depends on the horizon.
nlohmann::ordered_json export_document(std::string_view scenario_text);

// The same, with draws from elsewhere in place of those of the scenario's seed. The order within a
// tick (tie_break `random`) is no draw: it comes from the seed all the same.
nlohmann::ordered_json export_document(std::string_view scenario_text, const DrawSource& draws);

}  // namespace reference_model

#endif  // REFERENCE_MODEL_REFERENCE_MODEL_H
