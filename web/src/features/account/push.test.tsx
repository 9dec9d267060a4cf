import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const publicKey = `${"B".repeat(86)}A`;
const endpoint = "https://fcm.googleapis.com/send/1";
const p256dh = "p".repeat(87);
const auth = "a".repeat(22);

/** A browser whose subscription for `key` was made before, or that has none. */
function browser(
  options: {
    permission?: NotificationPermission;
    asked?: NotificationPermission;
    key?: string;
  } = {},
) {
  const keyOf = (text: string) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  let current: { key: Uint8Array } | null = options.key ? { key: keyOf(options.key) } : null;
  const log: string[] = [];
  const subscriptionOf = ({ key }: { key: Uint8Array }) => ({
    endpoint,
    options: { applicationServerKey: key.buffer },
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => {
      log.push("unsubscribe");
      current = null;
      return await Promise.resolve(true);
    },
  });
  const pushManager = {
    getSubscription: async () => await Promise.resolve(current && subscriptionOf(current)),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      log.push("subscribe");
      current ??= { key: applicationServerKey };
      return await Promise.resolve(subscriptionOf(current));
    },
  };
  const registration = { pushManager };
  const permission = {
    permission: options.permission ?? "default",
    requestPermission: async () => {
      permission.permission = options.asked ?? "granted";
      return await Promise.resolve(permission.permission);
    },
  };
  vi.stubGlobal("Notification", permission);
  vi.stubGlobal("PushManager", vi.fn());
  vi.stubGlobal("navigator", {
    userAgent: navigator.userAgent,
    language: navigator.language,
    onLine: true,
    serviceWorker: {
      ready: Promise.resolve(registration),
      getRegistration: async () => await Promise.resolve(registration),
      register: async (path: string) => {
        log.push(`register ${path}`);
        return await Promise.resolve(registration);
      },
    },
  });
  return { log };
}

function open(
  answers: Readonly<Record<string, () => Reply>> = {},
  stored: object[] = [],
  key: string | null = publicKey,
) {
  return renderApp("/account#notifications", {
    session: sessionOf(),
    rows: { ...memberRows(), notification_preferences: [], push_subscriptions: stored },
    reply: ({ call }) => answers[call]?.(),
    config: { vapidPublicKey: key },
  });
}

const saveCall = "POST /rest/v1/rpc/save_push_subscription";
const button = async (name: string) => await screen.findByRole("button", { name });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("push on this device", () => {
  it("says so where the browser cannot, has been forbidden to, or the site has no key", async () => {
    const { unmount } = open();
    expect(await screen.findByText(/This browser can't show push messages/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Turn on push" })).toBeNull();
    unmount();
    browser({ permission: "denied" });
    const denied = open();
    expect(await screen.findByText(/This browser blocks messages/)).toBeVisible();
    denied.unmount();
    open({}, [], null);
    expect(await screen.findByText("Push messages aren't set up here.")).toBeVisible();
  });

  it("is turned on by a click: asked, installed, subscribed and stored", async () => {
    const { log } = browser();
    const { seen } = open({ [saveCall]: () => ({ status: 204 }) });
    await userEvent.click(await button("Turn on push"));
    expect(await screen.findByText(/until you sign out here/)).toBeVisible();
    expect(log).toEqual(["register /service-worker.js", "subscribe"]);
    expect(seen.find(({ call }) => call === saveCall)?.body).toEqual({
      endpoint,
      p256dh,
      auth_key: auth,
    });
  });

  it("subscribes anew where the server has another key now", async () => {
    const { log } = browser({ key: `${"C".repeat(86)}A`, permission: "granted" });
    open({ [saveCall]: () => ({ status: 204 }) });
    await userEvent.click(await button("Turn on push"));
    expect(await button("Turn off push")).toBeVisible();
    expect(log).toEqual(["register /service-worker.js", "unsubscribe", "subscribe"]);
  });

  it("stays off when it is not allowed, and then says how to allow it", async () => {
    browser({ asked: "denied" });
    const { calls } = open();
    await userEvent.click(await button("Turn on push"));
    expect(await screen.findByText(/This browser blocks messages/)).toBeVisible();
    expect(calls()).not.toContain(saveCall);
  });

  it("says why it was not turned on", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    browser();
    open({ [saveCall]: () => ({ status: 400, body: { code: "FF790", message: "x" } }) });
    await userEvent.click(await button("Turn on push"));
    expect(await screen.findByText(/uses a push service we don't know/)).toBeVisible();
    expect(await button("Turn on push")).toBeVisible();
  });

  it("is on where the server knows this browser, and is turned off in both places", async () => {
    const { log } = browser({ key: publicKey, permission: "granted" });
    const { calls } = open({}, [{ id: "1", endpoint }]);
    await userEvent.click(await button("Turn off push"));
    expect(await button("Turn on push")).toBeVisible();
    expect(calls()).toContain("DELETE /rest/v1/push_subscriptions");
    expect(log).toEqual(["unsubscribe"]);
  });

  it("is off where the server has forgotten this browser", async () => {
    browser({ key: publicKey, permission: "granted" });
    open({}, [{ id: "1", endpoint: `${endpoint}0` }]);
    expect(await button("Turn on push")).toBeVisible();
  });

  it("ends in the browser at sign-out", async () => {
    const { log } = browser({ key: publicKey, permission: "granted" });
    open({ "POST /auth/v1/logout": () => ({ status: 204 }) }, [{ id: "1", endpoint }]);
    await button("Turn off push");
    await userEvent.click(screen.getByRole("link", { name: "Sign-in" }));
    const [signOut] = await screen.findAllByRole("button", { name: /^Sign out$/ });
    await userEvent.click(signOut ?? document.body);
    await waitFor(() => expect(log).toEqual(["unsubscribe"]));
  });
});
