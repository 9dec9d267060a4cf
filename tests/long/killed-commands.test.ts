import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { runVariable } from "../../tools/leave-nothing.mjs";
import { processesOfRun } from "../../tools/run-processes.mjs";
import { commandsOf } from "../support/process-tree.ts";
import { assertPrepared, spawnCommand } from "../support/spawn-product.ts";
import { timeLimitMs } from "../support/time-limits.ts";

const patience = { timeout: timeLimitMs(30), interval: 100 };

let run = "";

afterEach(() => {
  for (const pid of processesOfRun(run)) process.kill(pid, "SIGKILL");
});

/** Everything that the run started and that still runs. */
const running = () => processesOfRun(run);

it.each([
  ["npm test", ["test"], /prettier|oxlint/],
  ["npm run check", ["run", "check"], /prettier|oxlint/],
  ["npm run gen", ["run", "gen", "--", "--check"], /bin\/postgres /],
  [
    "vitest alone",
    ["exec", "--", "vitest", "run", "--project=contract", "tests/contract/rest/embed.test.ts"],
    /bin\/postgres /,
  ],
])(
  "of %s nothing is left once it was killed",
  { timeout: timeLimitMs(150) },
  async (_name, args, child) => {
    assertPrepared();
    run = randomUUID();
    const spawned = spawnCommand("npm", args, { [runVariable]: run });
    // However long it takes beside other suites to come that far.
    await expect
      .poll(() => commandsOf(running()).some((text) => child.test(text)), {
        timeout: timeLimitMs(110),
        interval: 500,
      })
      .toBe(true);
    spawned.child.kill("SIGKILL");
    await expect.poll(running, patience).toEqual([]);
  },
);
