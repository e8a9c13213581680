// Lesson 3: clients that fail together come back together, unless their delays differ.

import scenario from "../../../golden/scenarios/jitter-comparison.json?raw";
import type { LoadColumn, View } from "../engine/types";
import { grouped } from "../format";
import { clients, columnOf, endOfOutage, firstColumn, lastAcknowledged, resultOf, ticksOf } from "./figures";
import type { Lesson } from "./lesson";
import { lessonText } from "./scenario_text";

const none = "no jitter";
const some = "proportional, 20 %";
const full = "full jitter";

const acknowledged = (view: View, policy: string): number => resultOf(view, policy).summary.acknowledged;
const lastTick = (view: View, policy: string): number => lastAcknowledged(resultOf(view, policy));
const hasAttempts = ({ attempts }: LoadColumn): boolean => attempts > 0;

const firstWave = (view: View): LoadColumn => {
  const wave = firstColumn(resultOf(view, none), endOfOutage(view), hasAttempts);
  if (wave === undefined) {
    throw new Error("no attempt after the outage");
  }
  return wave;
};

export const synchronisedRetries: Lesson = {
  title: "Synchronised retries and jitter",
  setting:
    "A hundred clients send at once. The server is down in ticks 0 to 9 and then starts ten requests a tick. All " +
    "clients back off exponentially, 2 ticks at first and 32 at most, in up to eight attempts. The policies differ in " +
    "jitter: none, up to 20 % more or less, or any delay from 1 tick to the whole.",
  text: lessonText(scenario, [none, some, full]),
  question: {
    prompt: "Who will be acknowledged?",
    options: [
      "All clients, with every policy: they back off, and there is room for ten in each tick.",
      "With jitter some clients give up, since chance is against them. Without it, all are acknowledged.",
      "Some clients give up with every policy.",
      "Without jitter some clients give up. With jitter, all are acknowledged.",
    ],
    correct(view) {
      const isComplete = (policy: string): boolean => acknowledged(view, policy) === view.scenario.clients;
      const withJitter = isComplete(some) && isComplete(full);
      return isComplete(none) ? (withJitter ? 0 : 1) : withJitter ? 3 : 2;
    },
    explain(view) {
      const synchronised = resultOf(view, none);
      const end = endOfOutage(view);
      const capacity: number = view.scenario.server.capacity;
      const waves = synchronised.load.filter(hasAttempts);
      const wavesAfter = waves.filter(({ tick }) => tick >= end);
      const room = (waves.at(-1)!.tick - end + 1) * capacity;
      return (
        `Without jitter, clients that failed together wait equally long and try again together: ${grouped(waves.length)} ` +
        `waves, of which ${grouped(wavesAfter.length)} find the server up, and each fills ${grouped(capacity)} places. So ` +
        `${clients(synchronised.summary.acknowledged)} were acknowledged and ${grouped(synchronised.summary.exhausted)} ` +
        `gave up, although the server could have started ${grouped(room)} requests between the outage and the last wave. ` +
        "Backoff alone makes the waves rarer, not smaller. With jitter of 20 % the delays are as long on average, and " +
        `${clients(acknowledged(view, some))} were acknowledged, the last in tick ${lastTick(view, some)}; with full ` +
        `jitter ${grouped(acknowledged(view, full))}, the last in tick ${lastTick(view, full)}.`
      );
    },
  },
  look: {
    describe(view) {
      const wave = firstWave(view);
      const result = resultOf(view, none);
      const spread = columnOf(resultOf(view, full), wave.tick);
      return (
        `The first wave after the outage. In ${ticksOf(wave, result)}, ${grouped(wave.attempts)} clients without jitter ` +
        `send and ${grouped(wave.accepted)} are accepted; with full jitter ${grouped(spread.attempts)} send and ` +
        `${grouped(spread.accepted)} are accepted.`
      );
    },
    place: (view) => ({ tick: firstWave(view).tick }),
  },
  change: {
    suggestion: "Double the capacity. Is that as good as jitter?",
    action: "Set capacity to 20",
    path: ["server", "capacity"],
    value: 20,
    figures: (view) =>
      [none, some].flatMap((policy) => [
        { name: `Clients acknowledged, “${policy}”`, value: acknowledged(view, policy) },
        { name: `The last in tick, “${policy}”`, value: lastTick(view, policy) },
      ]),
    conclusion: (changed, before) =>
      `Twice the capacity without jitter took until tick ${lastTick(changed, none)}; the capacity before with jitter of ` +
      `20 %, until tick ${lastTick(before, some)}. The server is idle between the waves, however fast it is.`,
  },
};
