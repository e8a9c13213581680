// The engine as WebAssembly gives the bytes of the native one.
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { Module, ModuleOptions } from "../../src/engine/module";
import { goldenNames, goldenScenario, goldenTrace, nativeExport, randomScenarios, root } from "../native";

const createModule = createRequire(import.meta.url)(
  `${root}/build/web/wasm/retrygarden.js`,
) as (options: ModuleOptions) => Promise<Module>;

let pieces: Buffer[] = [];
const module = await createModule({
  emit: (bytes) => pieces.push(Buffer.from(bytes)),
  progress: () => {},
});

/** What one of the module's functions says of a text. */
function call(use: (address: number, size: number) => void, text: string): Buffer {
  pieces = [];
  const bytes = Buffer.from(text);
  const address = module._malloc(bytes.length);
  module.HEAPU8.set(bytes, address);
  use(address, bytes.length);
  module._free(address);
  return Buffer.concat(pieces);
}

const exported = (text: string) => call(module._export_json, text);
const json = (use: (address: number, size: number) => void, text: string) =>
  JSON.parse(call(use, text).toString());

test("golden traces", () => {
  const names = goldenNames();
  expect(names.length).toBeGreaterThan(80);
  const different = names.filter((name) => !exported(goldenScenario(name)).equals(goldenTrace(name)));
  expect(different).toEqual([]);
});

test("2,000 random scenarios", { timeout: 300_000 }, () => {
  const texts = randomScenarios(2000);
  expect(texts).toHaveLength(2000);
  const different = texts.filter((text) => !exported(text).equals(nativeExport(text)));
  expect(different).toEqual([]);
});

test("faults come as they stand in the native program's messages", () => {
  const { faults } = json(module._view, '{"retrygarden": 1, "clients": 0}');
  expect(faults[0]).toEqual({
    line: null,
    column: null,
    pointer: "/clients",
    expected: "an integer from 1 to 4294967295",
    found: "0",
    text: "/clients: expected an integer from 1 to 4294967295, found 0",
  });
});

test("what needs more memory than a page has is refused", () => {
  const scenario = { ...JSON.parse(goldenScenario("lost-responses.json")), clients: 4294967295 };
  for (const use of [module._view, module._export_json]) {
    const { faults } = json(use, JSON.stringify(scenario));
    expect(faults).toHaveLength(1);
    expect(faults[0].pointer).toBe("/clients");
    expect(faults[0].expected).toBe("a run that fits into the memory of a page");
  }
});

test("lanes and explanations are of the policy and clients asked for", () => {
  const text = goldenScenario("lost-responses.json");
  const trace = JSON.parse(goldenTrace("lost-responses.json").toString());
  const lanes = json((address, size) => module._lanes(address, size, 1, 2, 3), text);
  const attempts = trace.results[1].attempts.filter(
    (attempt: { client: number }) => attempt.client === 2 || attempt.client === 3,
  );
  expect(lanes.attempts).toEqual(attempts);
  const explanation = json((address, size) => module._explain(address, size, 1, 6, 3), text);
  expect(explanation.attempt).toEqual(
    trace.results[1].attempts.find(
      (attempt: { client: number; attempt: number }) => attempt.client === 6 && attempt.attempt === 3,
    ),
  );
  expect(explanation.delay.due).toBe(explanation.attempt.next_tick);
});
