import type { Actor, World } from "./world.ts";

const ask = "select * from host.realtime_permissions($1, $2, $3, '{}')";
/** Only the database sends on these channels. */
export const mayListen = {
  broadcast_read: true,
  presence_read: false,
  broadcast_write: false,
  presence_write: false,
};
export const mayNothing = {
  broadcast_read: false,
  presence_read: false,
  broadcast_write: false,
  presence_write: false,
};

/** What an account may do on a channel, checked in the same way as the realtime service does. */
export async function channelRights(world: World, actor: Actor, topic: string) {
  const role = actor === "anon" ? "anon" : "authenticated";
  const account = { sub: actor, session_id: actor, aal: "aal2" };
  const claims = JSON.stringify({ role, ...(role === "anon" ? {} : account) });
  return await world.one("owner", ask, [topic, role, claims]);
}
