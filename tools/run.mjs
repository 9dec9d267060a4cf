// Runs a command that needs the installed packages but not the built web app: `node tools/run.mjs keys FILE` runs
// `tools/keys.ts FILE` on the pinned Node.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { leaveNothingRunning } from "./leave-nothing.mjs";
import { fail, projectRoot, runWithPinnedNode } from "./runtime.mjs";

const [name = "", ...args] = process.argv.slice(2);
const script = join("tools", `${name}.ts`);
if (!/^[a-z-]+$/.test(name) || !existsSync(join(projectRoot, script))) {
  fail("Usage: node tools/run.mjs COMMAND [ARGUMENT…], where tools/COMMAND.ts exists");
}
// These start servers; the others are an operator's, and end with what they do.
if (["gen", "mutation", "pack", "release"].includes(name)) leaveNothingRunning();
await runWithPinnedNode([script, ...args]);
