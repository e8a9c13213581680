// Which requests and responses are lost on their way (section 5).

#ifndef REFERENCE_MODEL_LOSSES_H
#define REFERENCE_MODEL_LOSSES_H

#include <cstdint>
#include <set>

#include "reference_model/draws.h"
#include "scenario.h"

namespace reference_model {

class Losses {
 public:
  Losses(const Faults& faults, const DrawSource& draws) : faults_(faults), draws_(draws) {}

  bool loses_request(std::int64_t client, std::int64_t attempt) const;

  // To be asked once for every request that the server starts, in the order of the starts.
  bool loses_response(std::int64_t client, std::int64_t attempt);

 private:
  bool happens(const Fraction& probability, std::uint32_t purpose, std::int64_t client,
               std::int64_t attempt) const;

  const Faults& faults_;
  const DrawSource& draws_;
  std::set<std::int64_t> started_;  // the clients of whom a request was started
};

}  // namespace reference_model

#endif  // REFERENCE_MODEL_LOSSES_H
