import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { handleSessionError } from "@/lib/session-errors.ts";
import { overviewRow } from "@/lib/testing/overview-row.ts";
import { answerCode } from "@/app/testing/second-factor.ts";
import {
  memberRows,
  renderApp,
  sessionKey,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";

const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });
const factor = {
  id: "66666666-6666-4666-8666-666666666666",
  type: "totp",
  totp: { qr_code: "<svg/>", secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", uri: "otpauth://totp/x" },
};

/** A server that answers an administrator nothing before a second factor is verified. */
function guarded(code: "FF008" | "FF009") {
  let isVerified = false;
  const reply = ({ call, body }: { call: string; body: unknown }): Reply | undefined => {
    if (call === "POST /auth/v1/factors") return { body: factor };
    if (call.endsWith("/verify") && (body as { code?: string }).code === "123456")
      isVerified = true;
    const answer = answerCode(call, body);
    if (answer) return answer;
    if (call.startsWith("GET /auth/v1") || call.startsWith("POST /auth/v1")) return undefined;
    if (!isVerified) return { status: 401, body: { code, message: "Set up first" } };
    if (call.endsWith("/rpc/generate_recovery_codes")) return { body: ["abcd-efgh-jkmn-pqrs"] };
    return call.endsWith("/rpc/admin_overview") ? { body: overviewRow } : undefined;
  };
  return { rows: memberRows({ role: "admin" }), reply };
}

async function setUp() {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("Name of the device"), "Work phone");
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await user.type(await screen.findByLabelText("2. Enter the code it shows"), "123456");
  await user.click(await screen.findByLabelText("I have saved them"));
  await user.click(screen.getByRole("button", { name: "Done" }));
}

describe("an administrator without a second factor", () => {
  it.each(["/admindash", "/admindash/members", "/chats", "/account", "/learning/submissions"])(
    "meets nothing but its set-up at %s",
    async (path) => {
      renderApp(path, { session: sessionOf(), ...guarded("FF008") });
      expect(await heading("Set up your second factor")).toBeVisible();
      expect(screen.getByText(/nothing else opens before it's on/)).toBeVisible();
      expect(screen.queryByRole("navigation")).not.toBeInTheDocument();
      expect(screen.getByRole("link", { name: "Change your password" })).toBeVisible();
      expect(screen.getByRole("button", { name: "Sign out" })).toBeVisible();
      expect(window.location.pathname).toBe(path);
    },
  );

  it("is let into the console after setting it up, without loading anew", async () => {
    renderApp("/admindash", { session: sessionOf(), ...guarded("FF008") });
    await setUp();
    expect(await screen.findByText("7 students, 1 mentor; 2 more on trial")).toBeVisible();
    expect(window.location.pathname).toBe("/admindash");
  });

  it("is led to it from the sign-in", async () => {
    const user = userEvent.setup();
    renderApp("/adminlogin", guarded("FF008"));
    await user.type(await screen.findByLabelText("Admin email"), "ada@example.com");
    await user.type(screen.getByLabelText("Password"), "secret");
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    expect(await heading("Set up your second factor")).toBeVisible();
    expect(window.location.pathname).toBe("/admindash");
  });

  it("asks for a link first where a password is all that was shown", async () => {
    const user = userEvent.setup();
    const { seen } = renderApp("/admindash", { session: sessionOf(), ...guarded("FF009") });
    expect(await heading("Set up your second factor")).toBeVisible();
    expect(screen.queryByLabelText("Name of the device")).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Send the link" }));
    expect(await screen.findByText(/on its way to ada@example.com/)).toBeVisible();
    expect(seen).toContainEqual(
      expect.objectContaining({
        call: "POST /auth/v1/recover",
        body: expect.objectContaining({ email: "ada@example.com" }) as unknown,
      }),
    );
  });

  it("signs out all the same", async () => {
    const user = userEvent.setup();
    renderApp("/admindash", { session: sessionOf(), ...guarded("FF009") });
    await user.click(await screen.findByRole("button", { name: "Sign out" }));
    expect(await heading("Welcome")).toBeVisible();
    expect(localStorage.getItem(sessionKey)).toBeNull();
  });

  it("meets it also when the role comes while a page is open", async () => {
    const world = guarded("FF009");
    let isAdmin = false;
    const { client } = renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      reply: (request) => (isAdmin ? world.reply(request) : undefined),
    });
    expect(await heading(/account/i)).toBeVisible();
    isAdmin = true;
    const { data } = await client.auth.getSession();
    const refused = Response.json({ code: "FF009" }, { status: 401 });
    await act(() =>
      handleSessionError(client.auth, `Bearer ${data.session?.access_token ?? ""}`, refused),
    );
    expect(await heading("Set up your second factor")).toBeVisible();
  });

  it("is told when the code came too late for its link", async () => {
    const world = guarded("FF008");
    const user = userEvent.setup();
    renderApp("/admindash", {
      session: sessionOf(),
      ...world,
      reply: (request) =>
        request.call.endsWith("/verify")
          ? { status: 403, body: { error_code: "PT403", msg: "A password alone" } }
          : world.reply(request),
    });
    await user.type(await screen.findByLabelText("Name of the device"), "Work phone");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await user.type(await screen.findByLabelText("2. Enter the code it shows"), "123456");
    expect(await screen.findByText(/You signed in too long ago/)).toBeVisible();
  });
});

it("a member who is none meets nothing of it", async () => {
  renderApp("/account", { session: sessionOf(), rows: memberRows() });
  await waitFor(() =>
    expect(screen.queryByText("Set up your second factor")).not.toBeInTheDocument(),
  );
  expect(await heading(/account/i)).toBeVisible();
});
