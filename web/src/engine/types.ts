// What the engine says, as it says it: the names are those of docs/model.md, section 8.
// Numbers are whole, and below 2^53.

export type Tick = number;

export type Outcome = "accepted" | "overloaded" | "unavailable" | "request_lost" | "short_circuited";
export type Effect = "none" | "applied" | "duplicate" | "suppressed";
export type Response = "none" | "acknowledged" | "lost" | "late" | "crashed";
export type ClientState =
  | "acknowledged"
  | "exhausted"
  | "deadline_exceeded"
  | "budget_denied"
  | "awaiting"
  | "scheduled";

export interface Attempt {
  tick: Tick;
  client: number;
  attempt: number;
  outcome: Outcome;
  started_tick: Tick | null;
  dropped_tick: Tick | null;
  effect: Effect;
  response: Response;
  failed_tick: Tick | null;
  next_tick: Tick | null;
}

export interface ClientRecord {
  client: number;
  arrival: Tick;
  state: ClientState;
  attempts: number;
  effects: number;
  acknowledged_tick: Tick | null;
  next_tick: Tick | null;
}

/** The sums over the ticks of a column, but `queued`: the most requests that waited at the end of one. */
export interface LoadColumn {
  tick: Tick; // the first of the column
  attempts: number;
  accepted: number;
  overloaded: number;
  unavailable: number;
  lost_requests: number;
  short_circuited: number;
  started: number;
  dropped: number;
  effects: number;
  acknowledged: number;
  queued: number;
}

export interface Summary {
  clients: number;
  attempts: number;
  accepted: number;
  overloaded: number;
  unavailable: number;
  lost_requests: number;
  short_circuited: number;
  started: number;
  dropped: number;
  effects: number;
  duplicate_effects: number;
  suppressed_effects: number;
  lost_responses: number;
  crashed_responses: number;
  late_responses: number;
  timeouts: number;
  acknowledged: number;
  exhausted: number;
  deadline_exceeded: number;
  budget_denied: number;
  awaiting: number;
  scheduled: number;
  applied_unacknowledged: number;
  peak_load: { tick: Tick | null; requests: number };
  last_acknowledged_tick: Tick | null;
  time_to_acknowledge: { p50: number | null; p90: number | null; p99: number | null; max: number | null };
}

/** The clients first, first + step, … last, and their attempts, ordered by (tick, client). */
export interface Lanes {
  first: number;
  last: number;
  step: number; // 1: no client between is left out; more: a sample
  complete: boolean; // false: a single client made so many attempts that its later ones are missing
  clients: ClientRecord[];
  attempts: Attempt[];
}

/** Attempts of a group of neighbouring clients in the ticks of a column; cells without any are not listed. */
export interface DensityCell {
  row: number; // clients row * clients_per_row … (row + 1) * clients_per_row - 1
  column: number; // an index of `load`
  attempts: number;
  effects: number; // applied or duplicate, of these attempts, whenever they were started
  duplicates: number;
  acknowledged: number; // of these attempts, whenever their response came
}

export interface Density {
  clients_per_row: number;
  cells: DensityCell[];
}

export interface PolicyResult {
  policy: string;
  summary: Summary;
  /** Sentences for people: what an operator should notice. */
  diagnosis: string[];
  ticks_per_column: number;
  /** Without gaps: column i begins at tick i * ticks_per_column. It ends with the last tick that has anything. */
  load: LoadColumn[];
  /** All clients of a small run, else a sample. */
  lanes: Lanes;
  /** Where lanes holds a sample. */
  density: Density | null;
}

/** A scenario with every default filled in. See scenario.schema.json for its members. */
export type ScenarioJson = {
  retrygarden: 1;
  name?: string;
  description?: string;
  tick?: string;
  clients: number;
  clients_per_host: number;
  horizon: number;
  seed: number;
  [member: string]: any;
};

export interface View {
  scenario: ScenarioJson;
  results: PolicyResult[];
}

/** What is wrong with a text. The pointer (RFC 6901) is "" for the whole document; a syntax fault has a position. */
export interface Fault {
  line: number | null;
  column: number | null;
  pointer: string;
  expected: string;
  found: string;
  /** All of it in one line. */
  text: string;
}

/** A word that was drawn, and whether it was rejected for another one. */
export interface Word {
  word: number; // 0 … 2^32-1
  rejected: boolean;
}

/** Why the client's next attempt falls where it does: docs/model.md, section 6. */
export interface DelayExplanation {
  /** What was drawn from: both ends included. The same number twice when there was nothing to draw. */
  interval: [number, number] | null; // null: the hint replaced it
  words: Word[];
  /** What the law and its jitter give, before max_delay and hint. */
  drawn: number | null; // null: the hint replaced it
  /** For decorrelated delays, the value of the formula before. */
  previous: number | null;
  max_delay: number | null;
  /** The server's hint, if it sent one with this failure. */
  hint: number | null;
  on_retry_after: "ignore" | "at_least" | "replace";
  /** In the end. */
  delay: number;
  /** failed_tick + delay. */
  due: Tick;
}

/** One attempt in words, and why its client does what it does next. */
export interface Explanation {
  attempt: Attempt;
  /** For example "applied it again: a duplicate". */
  server: string;
  /** For example "lost", "in time", "none". */
  response: string;
  /** For example "no response came". */
  client: string;
  /** For example "retries at tick 12". */
  next: string;
  /** null when the client was acknowledged, still waits, or had no attempt left. */
  delay: DelayExplanation | null;
}

export interface RunProgress {
  policy: number; // index
  tick: Tick;
  attempts: number;
}

export type ViewAnswer = { view: View; faults?: undefined } | { view?: undefined; faults: Fault[] };

/** The engine in its worker. One thing at a time: a call waits for those before it. */
export interface Engine {
  /** Runs all policies. Rejects with a Cancelled when cancel() was called. */
  view(text: string, onProgress?: (progress: RunProgress) => void): Promise<ViewAnswer>;
  /**
   * The attempts of clients first … last of a policy (an index). Where they are too many, the highest clients are left
   * out, and Lanes.last is lower. The text must be valid.
   */
  lanes(text: string, policy: number, first: number, last: number): Promise<Lanes>;
  /** One attempt explained. The text must be valid and the attempt must exist. */
  explain(text: string, policy: number, client: number, attempt: number): Promise<Explanation>;
  /** The bytes of `retrygarden export`; the text must be valid. */
  export(text: string): Promise<Blob>;
  /** Ends what goes on, and what waits. The engine can be used again at once. */
  cancel(): void;
}

export class Cancelled extends Error {}
