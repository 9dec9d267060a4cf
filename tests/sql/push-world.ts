import type { World } from "./world.ts";

/** Turns push on: address and the two keys of the browser. */
export const savePushSql = "select public.save_push_subscription($1, $2, $3)";
/** Keys as browsers give them out. */
export const p256dh = "B".repeat(87);
export const pushSecret = "s".repeat(22);
let serial = 0;

/** An address at a push service that no other browser has. */
export function pushAddress(host = "fcm.googleapis.com"): string {
  serial += 1;
  return `https://${host}/send/${serial}-${Date.now()}`;
}

/** Turns push on in a browser of the member. @returns its endpoint. */
export async function subscribeBrowser(
  world: World,
  member: string,
  endpoint = pushAddress(),
  secret = pushSecret,
): Promise<string> {
  await world.run(member, savePushSql, [endpoint, p256dh, secret]);
  return endpoint;
}

/** The endpoints of a member's browsers, oldest first. */
export async function pushEndpoints(world: World, member: string): Promise<unknown[]> {
  const sql =
    "select endpoint from public.push_subscriptions where user_id = $1 order by created_at, id";
  return (await world.run("owner", sql, [member])).map(({ endpoint }) => endpoint);
}
