import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  blueKey,
  keyChallenge,
  phoneApp,
  removeStandIn,
  sessionWith,
  standInForKeys,
  turnedBack,
} from "@/app/testing/security-key.ts";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

let keys: ReturnType<typeof standInForKeys>;
beforeEach(() => {
  keys = standInForKeys();
});
afterEach(() => {
  removeStandIn();
  vi.restoreAllMocks();
});

const enrolled = { body: { id: blueKey.id, type: "webauthn", friendly_name: "Blue key" } };
const path = `/auth/v1/factors/${blueKey.id}`;

/** An account page where keys are on; `replies` answers by the call. */
function open(replies: Readonly<Record<string, Reply>> = {}, session = sessionOf()) {
  return renderApp("/account#second-factor", {
    session,
    rows: memberRows(),
    config: { securityKeys: true },
    reply: ({ call }) =>
      replies[call] ??
      {
        "POST /auth/v1/factors": enrolled,
        [`POST ${path}/challenge`]: keyChallenge("create"),
        [`POST ${path}/verify`]: { body: sessionWith([blueKey], true) },
        [`DELETE ${path}`]: { body: { id: blueKey.id } },
        "POST /rest/v1/rpc/generate_recovery_codes": { body: ["abcd-efgh-jkmn-pqrs"] },
        "POST /rest/v1/rpc/recovery_code_status": { body: [{ codes_left: 10 }] },
      }[call],
  });
}

const addButton = { name: "Add a security key or passkey" };

async function add(name = "Blue key") {
  await userEvent.click(await screen.findByRole("button", addButton));
  await userEvent.type(screen.getByLabelText("Name of the key"), name);
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
}

describe("security keys as second factor", () => {
  it("are no part of the page where they are off", async () => {
    renderApp("/account#second-factor", { session: sessionOf(), rows: memberRows() });
    expect(await screen.findByRole("button", { name: "Set up second factor" })).toBeVisible();
    expect(screen.queryByRole("button", addButton)).toBeNull();
    expect(screen.queryByText(/security key/i)).toBeNull();
  });

  it("change nothing of the list of authenticator apps where they are off", async () => {
    renderApp("/account#second-factor", {
      session: sessionWith([phoneApp], true),
      rows: memberRows(),
    });
    const list = await screen.findByRole("list", { name: "Your authenticator apps" });
    expect(list).not.toHaveTextContent(/Added on/);
    expect(screen.getByRole("button", { name: "Add a device" })).toBeVisible();
  });

  it("are added with a name, and the recovery codes follow", async () => {
    const { seen } = open();
    await add();
    expect(await screen.findByText("abcd-efgh-jkmn-pqrs")).toBeVisible();
    const bodyOf = (call: string) => seen.find((request) => request.call === call)?.body;
    expect(bodyOf("POST /auth/v1/factors")).toMatchObject({
      factor_type: "webauthn",
      friendly_name: "Blue key",
    });
    expect(bodyOf(`POST ${path}/verify`)).toMatchObject({
      challenge_id: "challenge",
      webauthn: { type: "create", credential_response: { id: "AAAA" } },
    });
    // Neither a key of its own nor the device's fingerprint is left out.
    expect(keys.ask).toHaveBeenCalledWith({
      publicKey: expect.not.objectContaining({ hints: expect.anything() as unknown }) as unknown,
    });
  });

  it("leave nothing behind when the browser's question is turned down", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    keys.ask.mockRejectedValueOnce(turnedBack());
    const { calls } = open();
    await add();
    expect(
      await screen.findByText("No key was added. Try again when you have it ready."),
    ).toBeVisible();
    expect(calls()).not.toContain(`POST ${path}/verify`);
    expect(calls()).toContain(`DELETE ${path}`);
    await userEvent.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("abcd-efgh-jkmn-pqrs")).toBeVisible();
  });

  it("that were begun and never finished make room for the next", async () => {
    const begun = { ...blueKey, status: "unverified" };
    const { calls } = open({
      "GET /auth/v1/user": { body: { ...sessionOf().user, factors: [begun] } },
    });
    await add();
    expect(await screen.findByText("abcd-efgh-jkmn-pqrs")).toBeVisible();
    const own = calls().filter((call) => call.includes("/factors"));
    expect(own.slice(0, 2)).toEqual([`DELETE ${path}`, "POST /auth/v1/factors"]);
  });

  it.each<[string, Readonly<Record<string, Reply>>, unknown, string]>([
    [
      "is on the account already",
      {},
      new DOMException("", "InvalidStateError"),
      "This key is on your account already. Use another one.",
    ],
    [
      "has a name that is taken",
      {
        "POST /auth/v1/factors": {
          status: 422,
          body: { error_code: "mfa_factor_name_conflict", msg: "x" },
        },
      },
      undefined,
      "You already have a device with this name. Choose another name.",
    ],
    [
      "was not accepted",
      {
        [`POST ${path}/verify`]: {
          status: 422,
          body: { error_code: "mfa_verification_failed", msg: "x" },
        },
      },
      undefined,
      "That key wasn't accepted. Try again, or use another one.",
    ],
  ])("say so when one %s", async (_what, replies, thrown, text) => {
    vi.spyOn(console, "error").mockReturnValue();
    if (thrown !== undefined) keys.ask.mockRejectedValueOnce(thrown);
    open(replies);
    await add();
    expect(await screen.findByText(text)).toBeVisible();
  });

  it("stand in the list with their day, and are removed after a question", async () => {
    const { calls } = open({}, sessionWith([phoneApp, blueKey], true));
    const list = within(await screen.findByRole("list", { name: "Your second factors" }));
    expect(list.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
      "PhoneAdded on 1 October 2026Remove",
      "Blue keyAdded on 1 October 2026Remove",
    ]);
    await userEvent.click(list.getByRole("button", { name: "Remove Blue key" }));
    expect(await screen.findByText(/It will no longer be accepted/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Keep it" }));
    expect(calls()).not.toContain(`DELETE ${path}`);
    await userEvent.click(list.getByRole("button", { name: "Remove Blue key" }));
    await userEvent.click(screen.getByRole("button", { name: "Remove key" }));
    expect(await screen.findByText("The key was removed.")).toBeVisible();
    expect(calls()).toContain(`DELETE ${path}`);
  });

  it("cannot be added in a browser that knows none, which is said", async () => {
    removeStandIn();
    open();
    expect(await screen.findByText(/This browser doesn't support security keys/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
    expect(screen.queryByRole("button", addButton)).toBeNull();
  });

  it("can be an administrator's first", async () => {
    let isVerified = false;
    renderApp("/admindash/queues", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      config: { securityKeys: true },
      reply: ({ call }) => {
        if (call === "POST /auth/v1/factors") return enrolled;
        if (call.endsWith("/challenge")) return keyChallenge("create");
        if (call.endsWith("/verify")) isVerified = true;
        if (call.endsWith("/verify")) return { body: sessionWith([blueKey], true) };
        if (call.startsWith("GET /auth/v1") || call.startsWith("POST /auth/v1")) return undefined;
        if (!isVerified) return { status: 401, body: { code: "FF008", message: "Set up first" } };
        return call.endsWith("/generate_recovery_codes")
          ? { body: ["abcd-efgh-jkmn-pqrs"] }
          : undefined;
      },
    });
    expect(await screen.findByText(/authenticator app or a security key now/)).toBeVisible();
    await add("Work key");
    expect(await screen.findByText("abcd-efgh-jkmn-pqrs")).toBeVisible();
    await waitFor(() => expect(keys.ask).toHaveBeenCalledOnce());
  });
});
