import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

describe("the review queue", () => {
  const waiting = (id: string, hours: number, name: string) => ({
    id,
    user_id: `u-${id}`,
    email: `${name.toLowerCase()}@example.com`,
    first_name: name,
    last_name: "Hopper",
    document_type: "passport",
    document_url: `u-${id}-verification-1.png`,
    submitted_at: new Date(Date.now() - hours * 3_600_000).toISOString(),
    rejections: 0,
    document_version: `version-${id}`,
    document_state: "unchanged",
  });

  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const pngSha256 = "7f47b756761a46e6d4a4d96f0d8a4448f8449235009d1f3ad1493f5c773c19e8";
  const page = new TextEncoder().encode("<!doctype html><script>alert(1)</script>");
  const counts = ["identity", "messages", "accounts", "disputes"].map((queue) => ({
    queue,
    waiting: { identity: 2, disputes: 1 }[queue] ?? 0,
    oldest_at: ["identity", "disputes"].includes(queue) ? "2026-11-20T10:00:00+00:00" : null,
  }));
  const dispute = {
    dispute_id: "dp_1",
    email: "grace@example.com",
    first_name: "Grace",
    last_name: "Hopper",
    amount: 5000,
    currency: "gbp",
    reason: "fraudulent",
    status: "needs_response",
    opened_at: "2026-11-20T10:00:00+00:00",
    respond_by: "2100-01-01T10:00:00+00:00",
  };

  /** An administrator's queue, whose documents all have these bytes. */
  function desk(
    differs: object = {},
    bytes: Uint8Array<ArrayBuffer> = png,
    address = "/admindash/queues",
    refusal: string | null = null,
  ) {
    let queue = [
      { ...waiting("young", 2, "Alan"), ...differs },
      { ...waiting("old", 50, "Grace"), ...differs },
    ];
    const running = {
      id: "sub_1",
      plan: "Student Access",
      status: "past_due",
      since: "2026-10-01T10:00:00+00:00",
      is_current: true,
    };
    let flagged = [
      {
        user_id: "flagged-1",
        email: "kit@example.com",
        first_name: "Kit",
        last_name: "Marlowe",
        reason: "verification_attempts_exhausted",
        flagged_at: "2026-11-20T10:00:00+00:00",
        closed_at: null as string | null,
        last_reason: "Still blurred",
        subscriptions: null as unknown,
      },
      {
        user_id: "flagged-2",
        email: "two@example.com",
        first_name: "Thea",
        last_name: "Twice",
        reason: "several_subscriptions",
        flagged_at: "2026-11-20T10:00:00+00:00",
        closed_at: null,
        last_reason: "",
        subscriptions: [running],
      },
      {
        user_id: "flagged-3",
        email: "lou@example.com",
        first_name: "Lou",
        last_name: "Lost",
        reason: "dispute_lost",
        flagged_at: "2026-11-20T10:00:00+00:00",
        closed_at: null,
        last_reason: "",
        subscriptions: [running],
      },
    ];
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:document");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
    return renderApp(address, {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call, body }) => {
        if (call.endsWith("/rpc/verification_queue")) return { body: queue };
        if (call.endsWith("/functions/v1/open-verification-document")) return { bytes };
        if (call.endsWith("/rpc/admin_queues")) return { body: counts };
        if (call.endsWith("/rpc/dispute_queue")) return { body: [dispute] };
        if (call.endsWith("/rpc/flagged_accounts")) return { body: flagged };
        if (call.endsWith("/rpc/decide_flagged_verification")) {
          const { decision } = body as { decision: string };
          if (refusal !== null)
            return { status: 400, body: { code: refusal, message: "No", details: null } };
          flagged = flagged.flatMap((each) => {
            if (each.user_id !== "flagged-1") return [each];
            return decision === "reset"
              ? []
              : [{ ...each, closed_at: "2026-11-21T10:00:00+00:00" }];
          });
          return { status: 204 };
        }
        if (call.endsWith("/rpc/resolve_billing_flag")) {
          const { member } = body as { member: string };
          flagged = flagged.filter(({ user_id }) => user_id !== member);
          return { status: 204 };
        }
        if (call.endsWith("/rpc/review_verification")) {
          const { verification_id } = body as { verification_id: string };
          queue = queue.filter((each) => each.id !== verification_id);
          return { status: 204 };
        }
        return undefined;
      },
    });
  }
  const accounts = "/admindash/queues?queue=accounts";
  const flagOf = async (name: string) =>
    (await screen.findByText(name)).closest<HTMLElement>("[data-flagged]") ?? document.body;
  const decisionRequest = (view: ReturnType<typeof desk>) =>
    view.seen.find(({ call }) => call.endsWith("/rpc/review_verification"))?.body;

  it("has the oldest on top and counts against 48 hours", async () => {
    desk();
    const rows = await screen.findAllByRole("button", { name: /Hopper/ });
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/Grace Hopper.*2 h overdue|Grace Hopper.*3 h overdue/),
      expect.stringMatching(/Alan Hopper.*4[56] h left/),
    ]);
  });

  it("lists accounts with five rejections, and resets their attempts with a reason", async () => {
    const view = desk({}, png, accounts);
    const row = within(await flagOf("Kit Marlowe"));
    expect(row.getByText(/Still blurred/)).toBeVisible();
    await userEvent.click(row.getByRole("button", { name: "Decide" }));
    const dialog = within(await screen.findByRole("dialog", { name: /Kit Marlowe/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Let them try again" }));
    expect(dialog.getByText("Say why. It is recorded with your name.")).toBeVisible();
    expect(view.calls()).not.toContain("POST /rest/v1/rpc/decide_flagged_verification");
    await userEvent.type(dialog.getByLabelText(/Reason/), "Sent a good scan by post");
    await userEvent.click(dialog.getByRole("button", { name: "Let them try again" }));
    expect(await screen.findByText("Kit Marlowe can send documents again.")).toBeVisible();
    expect(
      view.seen.find(({ call }) => call.endsWith("/rpc/decide_flagged_verification"))?.body,
    ).toEqual({ member: "flagged-1", decision: "reset", reason: "Sent a good scan by post" });
    await waitFor(() => expect(screen.queryByText("Kit Marlowe")).not.toBeInTheDocument());
  });

  it("keeps a form closed, and opens it again later", async () => {
    const view = desk({}, png, accounts);
    const decide = async (opener: string, button: string) => {
      await userEvent.click(
        within(await flagOf("Kit Marlowe")).getByRole("button", { name: opener }),
      );
      const dialog = within(await screen.findByRole("dialog", { name: /Kit Marlowe/ }));
      await userEvent.type(dialog.getByLabelText(/Reason/), "Forged");
      await userEvent.click(dialog.getByRole("button", { name: button }));
    };
    await decide("Decide", "Keep closed");
    const closed = await screen.findByRole("region", { name: "Kept closed · 1 in all" });
    expect(within(closed).getByText(/Kept closed on 21 November 2026/)).toBeVisible();
    await decide("Open again", "Let them try again");
    await waitFor(() => expect(screen.queryByText("Kit Marlowe")).not.toBeInTheDocument());
    const decisions = view.seen.flatMap(({ call, body }) =>
      call.endsWith("/rpc/decide_flagged_verification")
        ? [(body as { decision: string }).decision]
        : [],
    );
    expect(decisions).toEqual(["keep_closed", "reset"]);
  });

  it.each([
    ["Thea Twice", "Several subscriptions", "flagged-2", "several_subscriptions"],
    ["Lou Lost", "Lost dispute", "flagged-3", "dispute_lost"],
  ])("shows the subscriptions of %s, %s, until it is resolved", async (name, why, member, flag) => {
    const view = desk({}, png, accounts);
    const row = within(await flagOf(name));
    expect(row.getByText(why)).toBeVisible();
    expect(row.getByRole("listitem")).toHaveTextContent(
      "Student Access, past due, since 1 October 2026, gives access (sub_1)",
    );
    await userEvent.click(row.getByRole("button", { name: "Decide" }));
    const dialog = within(await screen.findByRole("dialog", { name: new RegExp(name) }));
    await userEvent.type(dialog.getByLabelText(/Reason/), "Put right");
    await userEvent.click(dialog.getByRole("button", { name: "Mark as resolved" }));
    await waitFor(() => expect(screen.queryByText(name)).not.toBeInTheDocument());
    expect(view.seen.find(({ call }) => call.endsWith("/rpc/resolve_billing_flag"))?.body).toEqual({
      member,
      flag,
      reason: "Put right",
    });
  });

  it.each([
    ["FF121", "Another administrator has decided about this account already. Refresh the queue."],
    ["FF124", "This is your own account. Another administrator has to decide."],
    ["XX000", "Your decision was not saved. Check your connection and try again."],
  ])("says what refused a decision about an account: %s", async (code, text) => {
    desk({}, png, accounts, code);
    await userEvent.click(
      within(await flagOf("Kit Marlowe")).getByRole("button", { name: "Decide" }),
    );
    const dialog = within(await screen.findByRole("dialog", { name: /Kit Marlowe/ }));
    await userEvent.type(dialog.getByLabelText(/Reason/), "Forged");
    await userEvent.click(dialog.getByRole("button", { name: "Keep closed" }));
    expect(await dialog.findByText(text)).toBeVisible();
  });

  it("says how many wait in each queue, and opens the one in the address", async () => {
    desk();
    const tab = await screen.findByRole("tab", { name: /^Identity · 2/ });
    expect(tab).toHaveAttribute("aria-selected", "true");
    await userEvent.click(screen.getByRole("tab", { name: /^Disputes · 1/ }));
    expect(window.location.search).toBe("?queue=disputes");
    expect(await screen.findByText(/^Grace Hopper/)).toHaveTextContent("Grace Hopper · £50.00");
    expect(screen.getByText(/^Needs response · Fraudulent · opened/)).toBeVisible();
    expect(screen.getByText("Due 1 January 2100")).toBeVisible();
  });

  it("asks administrators without a second factor for one", async () => {
    renderApp("/admindash/queues?queue=accounts", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) =>
        call.endsWith("/rpc/admin_queues")
          ? { status: 400, body: { code: "FF005", message: "Second factor" } }
          : undefined,
    });
    expect(await screen.findByText("The queues need a second factor")).toBeVisible();
    expect(screen.getByRole("link", { name: "Set up second factor" })).toHaveAttribute(
      "href",
      "/account?then=%2Fadmindash%2Fqueues%3Fqueue%3Daccounts#second-factor",
    );
  });

  it("opens the document through the function that records it, and approves after asking", async () => {
    const view = desk();
    await userEvent.click(await screen.findByRole("button", { name: /Grace Hopper/ }));
    expect(
      await screen.findByRole("img", { name: "Identity document of Grace Hopper" }),
    ).toHaveAttribute("src", "blob:document");
    const opened = view.seen.find(({ call }) => call.endsWith("/open-verification-document"));
    expect(opened?.body).toEqual({ verification_id: "old" });
    expect(view.calls().filter((call) => call.includes("/storage/"))).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Approve" }));
    const dialog = await screen.findByRole("alertdialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Approve document" }));
    await waitFor(() =>
      expect(decisionRequest(view)).toEqual({
        verification_id: "old",
        decision: "approved",
        document_version: "version-old",
        document_sha256: pngSha256,
      }),
    );
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: /Grace Hopper/ })).not.toBeInTheDocument(),
    );
  });

  it("does not reject without a reason, and keeps one until it is sent", async () => {
    const view = desk();
    await userEvent.click(await screen.findByRole("button", { name: /Alan Hopper/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Reject" }));
    expect(await screen.findByText(/Say why, so that/)).toBeVisible();
    expect(screen.getByLabelText("Common reasons")).toHaveFocus();
    await userEvent.selectOptions(
      screen.getByLabelText("Common reasons"),
      "The document has expired. Please send one that is valid today.",
    );
    const reason = screen.getByLabelText("Reason for a rejection");
    expect(reason).toHaveValue("The document has expired. Please send one that is valid today.");
    await userEvent.clear(reason);
    await userEvent.type(reason, "Too dark.");
    await userEvent.click(screen.getByRole("button", { name: /Grace Hopper/ }));
    expect(await screen.findByLabelText("Reason for a rejection")).toHaveValue("");
    await userEvent.click(screen.getByRole("button", { name: /Alan Hopper/ }));
    expect(await screen.findByLabelText("Reason for a rejection")).toHaveValue("Too dark.");
    await userEvent.click(screen.getByRole("button", { name: "Reject" }));
    await userEvent.click(await screen.findByRole("button", { name: "Reject document" }));
    await waitFor(() =>
      expect(decisionRequest(view)).toMatchObject({
        verification_id: "young",
        decision: "rejected",
        reason: "Too dark.",
      }),
    );
  });

  it("does not show or approve what is neither a picture nor a PDF", async () => {
    desk({}, page);
    await userEvent.click(await screen.findByRole("button", { name: /Grace Hopper/ }));
    expect(await screen.findByText("This is neither a picture nor a PDF")).toBeVisible();
    expect(screen.queryByRole("img", { name: /Identity document/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Save|Open/ })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Approve" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Reject" })).toBeEnabled();
  });

  it("saves a PDF instead of opening it", async () => {
    desk({}, new TextEncoder().encode("%PDF-1.7\n…\n%%EOF\n"));
    await userEvent.click(await screen.findByRole("button", { name: /Grace Hopper/ }));
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(`${this.download} ${this.href}`);
    });
    await userEvent.click(await screen.findByRole("button", { name: "Save the PDF" }));
    expect(saved).toEqual(["identity-document.pdf blob:document"]);
    expect(screen.getByRole("button", { name: "Approve" })).toBeEnabled();
  });

  it.each([
    ["changed", "The file was replaced after it was submitted. Reject it and ask for another one."],
    ["missing", "The file is no longer stored. Reject it and ask for another one."],
  ])("approves nothing that is %s", async (document_state, text) => {
    desk({ document_state });
    await userEvent.click(await screen.findByRole("button", { name: /Grace Hopper/ }));
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole("button", { name: "Approve" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Reject" })).toBeEnabled();
  });

  it("leaves an administrator's own document to another one", async () => {
    desk({ user_id: adaId });
    await userEvent.click(await screen.findByRole("button", { name: /^Grace.*Another.*Yours$/ }));
    expect(screen.getByRole("heading", { name: /^Identity/ })).toHaveTextContent("· 0 waiting");
    expect(await screen.findByText("Another administrator has to review it.")).toBeVisible();
    expect(screen.queryByRole("button", { name: /^(?:Approve|Reject)$/ })).toBeNull();
  });
});
