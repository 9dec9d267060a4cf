import { setPriority } from "node:os";
import { HostileClient, type Tally } from "./hostile-client.ts";
import type { Battlefield } from "./kind.ts";
import { KINDS } from "./kinds/all.ts";

/** What the process that runs the attack tells this one. */
export interface Orders {
  kind: string;
  clients: number;
  seconds: number;
  field: Battlefield;
}

/** What became of it. */
export interface Outcome {
  clients: number;
  attempts: number;
  tally: Tally;
}

// Hostile clients have machines of their own; here they must not take the processor from what they attack.
setPriority(10);

process.once("message", (orders: Orders) => {
  void attack(orders).then((outcome) => process.send?.(outcome, () => process.exit(0)));
});
process.once("disconnect", () => process.exit(1));

async function attack({ kind: name, clients, seconds, field }: Orders): Promise<Outcome> {
  const kind = KINDS.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no attack called ${name}`);
  const endsAt = Date.now() + seconds * 1000;
  const network = KINDS.indexOf(kind) + 1;
  const all = Array.from(
    { length: clients },
    (_, index) =>
      new HostileClient({ index, address: `127.0.${network}.${index + 1}`, field, endsAt }),
  );
  await Promise.all(all.map(async (client) => kind.run(client)));
  for (const client of all) client.close();
  const tally: Tally = {};
  for (const client of all) {
    for (const [outcome, count] of Object.entries(client.tally)) {
      tally[outcome] = (tally[outcome] ?? 0) + count;
    }
  }
  return { clients, attempts: all.reduce((sum, client) => sum + client.attempts, 0), tally };
}
