// The lessons of the guided tour, in their order.

import { deduplication } from "./deduplication";
import { synchronisedRetries } from "./jitter";
import type { Lesson } from "./lesson";
import { missingResponse } from "./missing_response";
import { remedies } from "./remedies";
import { retryStorm } from "./retry_storm";
import { stillScheduled } from "./still_scheduled";

export const lessons: readonly Lesson[] = [
  missingResponse,
  deduplication,
  synchronisedRetries,
  stillScheduled,
  retryStorm,
  remedies,
];
