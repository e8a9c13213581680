#!/usr/bin/python3
"""SimPy: a process for each client, which waits between its attempts, and one for the server.

Processes of one time run in no order that the scenario knows, so the server gathers the requests of
a tick and answers at its end, lowest client numbers first. Delays are drawn before the clock starts:
Philox in plain Python would be most of the time.

    simpy_peer.py CLIENTS POLICY
"""
import json
import resource
import sys
import time

import simpy

HORIZON, OUTAGE_END, ATTEMPTS, LOSES_EVERY, SEED = 80, 2, 4, 3, 9
MASK = 2**32 - 1


def first_word(counter, key):
    """The first word of Philox4x32-10's block."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & MASK, (a >> 32) ^ c3 ^ k1, a & MASK
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c0


def delay_after(policy, attempt, client):
    """Powers of two divide 2^32, so that no word is rejected."""
    values = 1 if policy == 0 else min(16, 2 << (attempt - 1))
    word = first_word((attempt, 0, client, 0), (SEED, 0))
    return 4 if policy == 0 else 1 + (word * values >> 32)


class Server:
    def __init__(self, world, clients):
        self.world = world
        self.capacity = clients * 3 // 8
        self.applied = bytearray(clients)
        self.requests = []
        self.totals = dict.fromkeys(("attempts", "effects", "duplicate_effects", "acknowledged",
                                     "exhausted"), 0)

    def send(self, client):
        """An event that tells at the end of the tick whether the client learned of success."""
        response = self.world.event()
        self.requests.append((client, response))
        return response

    def serve(self):
        for tick in range(HORIZON):
            yield self.world.timeout(0.5 if tick == 0 else 1)
            requests, self.requests = sorted(self.requests, key=lambda request: request[0]), []
            is_up = tick >= OUTAGE_END
            for place, (client, response) in enumerate(requests):
                self.totals["attempts"] += 1
                response.succeed(is_up and place < self.capacity and self.accept(client))

    def accept(self, client):
        is_first = not self.applied[client]
        self.applied[client] = 1
        self.totals["effects"] += 1
        self.totals["duplicate_effects"] += not is_first
        is_acknowledged = not is_first or client % LOSES_EVERY != 0
        self.totals["acknowledged"] += is_acknowledged
        return is_acknowledged


def retry(world, server, client, delays):
    for attempt in range(1, ATTEMPTS + 1):
        is_acknowledged = yield server.send(client)
        if is_acknowledged:
            return
        if attempt < ATTEMPTS:
            yield world.timeout(delays[attempt - 1] - 0.5)
    server.totals["exhausted"] += 1


def main():
    clients, policy = int(sys.argv[1]), int(sys.argv[2])
    delays = [[delay_after(policy, attempt, client) for attempt in range(1, ATTEMPTS)]
              for client in range(clients)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.monotonic()
    world = simpy.Environment()
    server = Server(world, clients)
    for client in range(clients):
        world.process(retry(world, server, client, delays[client]))
    world.process(server.serve())
    world.run(until=HORIZON)
    seconds = time.monotonic() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({**server.totals, "seconds": seconds, "peak_bytes": 1024 * (peak - before)}))


if __name__ == "__main__":
    main()
