#include "losses.h"

namespace reference_model {

// "when that is p > 0, a draw from [0, 999999] ... is made, and it is lost when the draw is less
// than p*10^6"
bool Losses::happens(const Fraction& probability, std::uint32_t purpose, std::int64_t client,
                     std::int64_t attempt) const {
  if (probability.millionths == 0) {
    return false;
  }
  return draws_(0, million - 1, purpose, static_cast<std::uint32_t>(attempt),
                static_cast<std::uint64_t>(client)) < probability.millionths;
}

bool Losses::loses_request(std::int64_t client, std::int64_t attempt) const {
  return happens(faults_.request_loss, request_loss_purpose, client, attempt);
}

bool Losses::loses_response(std::int64_t client, std::int64_t attempt) {
  const bool first_request = started_.insert(client).second;
  const std::optional<FirstResponseLost>& lost = faults_.first_response_lost;
  if (first_request && lost && client % lost->every == lost->offset) {
    return true;
  }
  return happens(faults_.response_loss, response_loss_purpose, client, attempt);
}

}  // namespace reference_model
