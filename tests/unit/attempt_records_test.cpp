// The records that are not finished, by themselves: they are shown in order, each when nothing in
// it can change any more.
#include "attempt_records.h"

#include <gtest/gtest.h>

#include <vector>

namespace retrygarden {
namespace {

class Records {
 public:
  AttemptRecords::Id add(Client client) { return records.add({.tick = 5, .client = client}); }

  // The clients of the records that are shown now.
  std::vector<Client> finished() { return taken(false); }
  std::vector<Client> rest() { return taken(true); }
  std::vector<Client> taken(bool has_run_ended) {
    std::vector<Client> clients;
    while (records.is_first_finished(has_run_ended)) {
      EXPECT_EQ(records.first_tick(), 5U);
      clients.push_back(records.take_first().client);
    }
    return clients;
  }

  AttemptRecords records;
};

using Clients = std::vector<Client>;

TEST(AttemptRecords, OfAttemptsThatReachedNoServerAreFinishedWithTheClient) {
  Records records;
  const auto id = records.add(7);
  EXPECT_EQ(records.finished(), Clients{});
  records.records.client_is_done(id);
  EXPECT_EQ(records.finished(), Clients{7});
  EXPECT_EQ(records.finished(), Clients{});
}

TEST(AttemptRecords, OfOthersAreFinishedWithBothClientAndServer) {
  Records records;
  const auto client_first = records.add(0);
  const auto server_first = records.add(1);
  records.records.server_begins(client_first);
  records.records.server_begins(server_first);
  records.records.client_is_done(client_first);
  records.records.server_is_done(server_first);
  EXPECT_EQ(records.finished(), Clients{});
  records.records.server_is_done(client_first);
  EXPECT_EQ(records.finished(), Clients{0});
  records.records.client_is_done(server_first);
  EXPECT_EQ(records.finished(), Clients{1});
}

TEST(AttemptRecords, WaitForTheOnesBeforeThem) {
  Records records;
  const auto first = records.add(0);
  const auto second = records.add(1);
  const auto third = records.add(2);
  records.records.client_is_done(third);
  records.records.client_is_done(second);
  EXPECT_EQ(records.finished(), Clients{});
  records.records.client_is_done(first);
  EXPECT_EQ(records.finished(), (Clients{0, 1, 2}));
}

TEST(AttemptRecords, KeepTheirIdsWhenOthersAreGone) {
  Records records;
  std::vector<AttemptRecords::Id> ids;
  for (Client client = 0; client < 100; ++client) {
    ids.push_back(records.add(client));
    if (client % 3 == 2) {
      records.records.client_is_done(ids[client / 3]);
      EXPECT_EQ(records.finished(), Clients{client / 3});
    }
  }
  for (Client client = 33; client < 100; ++client) {
    EXPECT_EQ(records.records[ids[client]].client, client);
  }
  records.records[ids[50]].next_tick = 9;
  records.records[ids[50]].client = 1000;
  records.records.client_is_done(ids[33]);
  EXPECT_EQ(records.finished(), Clients{33});
  EXPECT_EQ(records.records[ids[50]].next_tick, 9U);
  const Clients rest = records.rest();
  EXPECT_EQ(rest.size(), 66U);
  EXPECT_EQ(rest.at(50 - 34), 1000U);
}

TEST(AttemptRecords, AreAllShownAtTheEnd) {
  Records records;
  const auto first = records.add(0);
  records.records.server_begins(first);
  records.records.client_is_done(records.add(1));
  records.add(2);
  EXPECT_EQ(records.rest(), (Clients{0, 1, 2}));
  EXPECT_EQ(records.rest(), Clients{});
  EXPECT_EQ(records.finished(), Clients{});
}

}  // namespace
}  // namespace retrygarden
