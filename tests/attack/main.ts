import { parseArgs } from "node:util";
import { violationsOf } from "./assess-attack.ts";
import { attackKinds } from "./kinds/all.ts";
import { reportOf } from "./report.ts";
import { startTestbed } from "./run-attack.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "30" },
    only: { type: "string", multiple: true, default: [] },
  },
});
const seconds = Number(values.seconds);
const kinds = attackKinds.filter(
  ({ name }) => values.only.length === 0 || values.only.includes(name),
);
if (!(seconds >= 1 && seconds <= 120) || kinds.length === 0) {
  const names = attackKinds.map(({ name }) => `"${name}"`).join(" | ");
  process.stderr.write(`Usage: npm run attack -- [--seconds 1–120] [--only ${names}]\n`);
  process.exit(1);
}

const startedAt = performance.now();
const range = await startTestbed();
let closing: Promise<void> | undefined;
const close = async () => await (closing ??= range.close());
process.once("disconnect", () => void close().then(() => process.exit(1)));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void close().then(() => process.exit(1)));
}
let failed = 0;
try {
  for (const kind of kinds) {
    const result = await range.attack(kind, seconds);
    if (violationsOf(result).length > 0) failed += 1;
    process.stdout.write(`${reportOf(result)}\n`);
  }
} finally {
  await close();
}
const tookS = Math.round((performance.now() - startedAt) / 1000);
process.stdout.write(
  `${kinds.length - failed} of ${kinds.length} attacks held off, in ${tookS} s\n`,
);
process.exit(failed === 0 ? 0 : 1);
