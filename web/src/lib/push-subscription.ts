const workerPath = "/service-worker.js";
/** Bytes of the public key that push services know the site by. */
const keyBytes = 65;

/** What a browser gives out to be told: where, and the keys that messages are encrypted with. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly authKey: string;
}

/** `unsupported`: this browser cannot show messages of sites. `denied`: the person has forbidden this site's. */
export type PushPermission = "unsupported" | "denied" | "possible";

/** Whether this browser may be asked to show messages. */
export function pushPermission(): PushPermission {
  const parts = ["Notification", "PushManager"].every((name) => name in globalThis);
  if (!parts || !("serviceWorker" in navigator)) return "unsupported";
  return Notification.permission === "denied" ? "denied" : "possible";
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (pushPermission() === "unsupported") return null;
  const registration = await navigator.serviceWorker.getRegistration(workerPath);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The address of this browser's subscription; null without one. */
export async function pushEndpoint(): Promise<string | null> {
  return (await currentSubscription())?.endpoint ?? null;
}

function keyOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
}

function isSameKey(known: ArrayBuffer | null, wanted: Uint8Array): boolean {
  const bytes = new Uint8Array(known ?? []);
  return bytes.length === keyBytes && bytes.every((byte, place) => byte === wanted[place]);
}

/**
 * Asks the person, installs the service worker and subscribes. Called from a click, without which browsers do not ask.
 * @param publicKey of the server, in base64url.
 * @returns null when the person does not allow it.
 * @throws when the browser or its push service refuses.
 */
export async function subscribeToPush(publicKey: string): Promise<BrowserSubscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register(workerPath);
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = keyOf(publicKey);
  const known = await pushManager.getSubscription();
  // A subscription made for another key of the server could never be sent to.
  if (known && !isSameKey(known.options.applicationServerKey, applicationServerKey)) {
    await known.unsubscribe();
  }
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { p256dh, auth } = made.toJSON().keys ?? {};
  if (p256dh === undefined || auth === undefined) throw new Error("a subscription without keys");
  return { endpoint: made.endpoint, p256dh, authKey: auth };
}

/** Ends this browser's subscription, if it has one. Never throws: the server has its own record of who is told. */
export async function unsubscribeFromPush(): Promise<void> {
  try {
    await (await currentSubscription())?.unsubscribe();
  } catch (error) {
    console.error("The subscription to push messages did not end", error);
  }
}
