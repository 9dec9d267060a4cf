import type { BackendClient } from "@/lib/backend-client.ts";
import {
  pushEndpoint,
  pushPermission,
  subscribeToPush,
  unsubscribeFromPush,
} from "@/lib/push-subscription.ts";

/** Whether this device shows push messages of the account, or why it cannot. */
export type PushState = "unsupported" | "denied" | "off" | "on";

/** Reads the state of this device. `on` needs both: the browser's subscription, and the server's record of it. */
export async function fetchPushState(client: BackendClient): Promise<PushState> {
  const permission = pushPermission();
  if (permission !== "possible") return permission;
  const endpoint = await pushEndpoint();
  if (endpoint === null) return "off";
  const { data, error } = await client.from("push_subscriptions").select("endpoint");
  if (error) throw error;
  return data.some((row) => row.endpoint === endpoint) ? "on" : "off";
}

/**
 * Turns messages on in this browser, after asking the person.
 * @returns the state that follows: `denied` or `off` when the person does not want to.
 */
export async function turnPushOn(client: BackendClient, publicKey: string): Promise<PushState> {
  const subscription = await subscribeToPush(publicKey);
  if (subscription === null) return pushPermission() === "denied" ? "denied" : "off";
  const { endpoint, p256dh, authKey } = subscription;
  const { error } = await client.rpc("save_push_subscription", {
    endpoint,
    p256dh,
    auth_key: authKey,
  });
  if (error) throw error;
  return "on";
}

/** Turns messages off in this browser: on the server first, which is what counts. */
export async function turnPushOff(client: BackendClient): Promise<PushState> {
  const endpoint = await pushEndpoint();
  const { data, error } = await client.from("push_subscriptions").select("id, endpoint");
  if (error) throw error;
  const ids = data.filter((row) => row.endpoint === endpoint).map(({ id }) => id);
  const removal = await client.from("push_subscriptions").delete().in("id", ids);
  if (removal.error) throw removal.error;
  await unsubscribeFromPush();
  return "off";
}
