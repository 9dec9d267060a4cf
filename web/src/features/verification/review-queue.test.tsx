import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

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

  /** An administrator's queue, whose documents all have these bytes. */
  function desk(differs: object = {}, bytes: Uint8Array<ArrayBuffer> = png) {
    let queue = [
      { ...waiting("young", 2, "Alan"), ...differs },
      { ...waiting("old", 50, "Grace"), ...differs },
    ];
    let flagged = [
      {
        user_id: "flagged-1",
        email: "kit@example.com",
        first_name: "Kit",
        last_name: "Marlowe",
        flagged_at: "2026-11-20T10:00:00+00:00",
        rejections: 5,
        last_reason: "Still blurred",
      },
    ];
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:document");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
    vi.spyOn(globalThis, "fetch").mockImplementation((address) => {
      expect(address).toContain("token=t");
      return Promise.resolve(new Response(bytes));
    });
    return renderApp("/admindash", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call, body }) => {
        if (call.endsWith("/rpc/verification_queue")) return { body: queue };
        if (call.endsWith("/rpc/open_verification_document")) {
          const { verification_id } = body as { verification_id: string };
          return { body: `${verification_id}-verification-1.png` };
        }
        if (call.endsWith("/rpc/flagged_verifications")) return { body: flagged };
        if (call.endsWith("/rpc/decide_flagged_verification")) {
          flagged = [];
          return { status: 204 };
        }
        if (call.startsWith("POST /storage/v1/object/sign/")) {
          return { body: { signedURL: "/object/sign/verification-documents/x?token=t" } };
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
    const view = desk();
    const row = within(
      (await screen.findByText("Kit Marlowe")).closest(
        "li, article, div[data-flagged]",
      ) as HTMLElement,
    );
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

  it("shows the document for a minute and approves after asking", async () => {
    const view = desk();
    await userEvent.click(await screen.findByRole("button", { name: /Grace Hopper/ }));
    expect(
      await screen.findByRole("img", { name: "Identity document of Grace Hopper" }),
    ).toHaveAttribute("src", "blob:document");
    expect(view.seen.find(({ call }) => call.includes("/object/sign/"))?.body).toMatchObject({
      expiresIn: 60,
    });
    // The opening is recorded before there is a link.
    const opened = view
      .calls()
      .findIndex((call) => call.endsWith("/rpc/open_verification_document"));
    expect(opened).toBeGreaterThan(-1);
    expect(view.seen[opened]?.body).toEqual({ verification_id: "old" });
    expect(opened).toBeLessThan(view.calls().findIndex((call) => call.includes("/object/sign/")));
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

  it("does not reject without a reason", async () => {
    const view = desk();
    await userEvent.click(await screen.findByRole("button", { name: /Alan Hopper/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Reject" }));
    expect(await screen.findByText(/Say why, so that/)).toBeVisible();
    await userEvent.type(screen.getByLabelText("Reason for a rejection"), "Too dark.");
    await userEvent.click(screen.getByRole("button", { name: "Reject" }));
    const dialog = await screen.findByRole("alertdialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Reject document" }));
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
    await userEvent.click(await screen.findByRole("button", { name: /Grace Hopper/ }));
    expect(await screen.findByText("Another administrator has to review it.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Approve" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Reject" })).not.toBeInTheDocument();
  });
});
