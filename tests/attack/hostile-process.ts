import { setPriority } from "node:os";
import { HostileClient, type Tally } from "./hostile-client.ts";
import type { AttackTarget } from "./attack-target.ts";
import { attackKinds } from "./kinds/all.ts";

/** The message that starts an attack in this process. */
export interface AttackOrders {
  kind: string;
  clients: number;
  seconds: number;
  field: AttackTarget;
}

/** The result of an attack. */
export interface AttackOutcome {
  clients: number;
  attempts: number;
  tally: Tally;
}

// Real attackers use other machines; here they must not take CPU time from the product.
setPriority(10);

process.once("message", (orders: AttackOrders) => {
  void attack(orders).then((outcome) => process.send?.(outcome, () => process.exit(0)));
});
process.once("disconnect", () => process.exit(1));

async function attack({
  kind: name,
  clients,
  seconds,
  field,
}: AttackOrders): Promise<AttackOutcome> {
  const kind = attackKinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no attack called ${name}`);
  const endsAt = Date.now() + seconds * 1000;
  const network = attackKinds.indexOf(kind) + 1;
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
