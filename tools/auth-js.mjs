// `npm run auth-js -- FOLDER`: the official client's own tests over this host, compared with docs/compatibility.md.
import { leaveNothingRunning, makeTemporaryFolder } from "./leave-nothing.mjs";
import { ensurePackages, runWithPinnedNode } from "./runtime.mjs";

leaveNothingRunning();
await ensurePackages();
const env = { ...process.env, TMPDIR: makeTemporaryFolder() };
await runWithPinnedNode(["tests/auth-js/main.ts", ...process.argv.slice(2)], { env });
