import webPush from "web-push";
import { requireEnv, type Deps } from "../deps.ts";

/** Limit of one request to a push service. */
const timeoutMs = 15_000;
/** How long a push service keeps a message for a browser that is switched off, in seconds. */
const keptForS = 6 * 3600;

/** A browser that has subscribed to push messages. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth_key: string;
}

/** `gone`: the browser has ended the subscription. `later`: anything else, to be tried again. */
export type PushOutcome = "sent" | "gone" | "later";

/** Sends encrypted messages to browsers. */
export interface PushSender {
  /** @param topic a later message with the same one replaces this one; at most 32 base64url characters. */
  send: (target: PushTarget, payload: string, topic: string) => Promise<PushOutcome>;
}

/** True for a push service on the internet, or the one of this machine that a test names. */
function isAllowed(endpoint: string, local: string | undefined): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, origin, username, password, port } = new URL(endpoint);
  if (local !== undefined && local !== "" && origin === local) return true;
  return protocol === "https:" && `${username}${password}${port}` === "";
}

/**
 * A sender with the deployment's own key pair (VAPID), by which push services know it. Only the database chooses whom to send
 * to, and only at known services; redirects are not followed.
 * @returns undefined where no keys are set: push is off then.
 * @throws {Error} when only a part of the settings is there.
 */
export function pushSender(deps: Deps): PushSender | undefined {
  if (!deps.env["VAPID_PUBLIC_KEY"] && !deps.env["VAPID_PRIVATE_KEY"]) return undefined;
  const vapidDetails = {
    subject: requireEnv(deps, "VAPID_SUBJECT"),
    publicKey: requireEnv(deps, "VAPID_PUBLIC_KEY"),
    privateKey: requireEnv(deps, "VAPID_PRIVATE_KEY"),
  };
  const local = deps.env["PUSH_LOCAL_SERVICE"];
  return {
    send: async ({ endpoint, p256dh, auth_key: auth }, payload, topic) => {
      if (!isAllowed(endpoint, local)) return "gone";
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        payload,
        { vapidDetails, TTL: keptForS, topic, contentEncoding: "aes128gcm" },
      );
      const { "Content-Length": _length, ...sent } = headers;
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: sent,
        body: new Uint8Array(body ?? []),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (answer.ok) return "sent";
      return answer.status === 404 || answer.status === 410 ? "gone" : "later";
    },
  };
}
