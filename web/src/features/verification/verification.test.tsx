import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

interface Situation {
  readonly latest?: object;
  readonly rejected?: number;
  readonly upload?: Reply;
  readonly insert?: Reply;
}

const isUpload = (call: string) =>
  call.startsWith("POST /storage/v1/object/verification-documents/");
const insert = "POST /rest/v1/user_verifications";

function open({ latest, rejected = 0, upload, insert: inserted }: Situation = {}) {
  let row = latest;
  const view = renderApp("/verification", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call, body }) => {
      if (call.startsWith("HEAD")) {
        return { status: 200, headers: { "content-range": `*/${rejected}` } };
      }
      if (call === "GET /rest/v1/user_verifications") return { body: row ? [row] : [] };
      if (isUpload(call)) return upload ?? { body: { Key: "k", Id: "i" } };
      if (call === insert && !inserted) row = { ...(body as object) };
      return call === insert ? (inserted ?? { status: 201 }) : undefined;
    },
  });
  const decide = (decided: object) => {
    row = decided;
    view.live.change("UPDATE", "user_verifications", { user_id: adaId });
  };
  return { ...view, decide };
}

const file = (name: string, type: string, size = 4) =>
  new File([new Uint8Array(size)], name, { type });
const picker = () => screen.findByLabelText("Identity document");
/** Goes round the `accept` filter, as dropping a file does. */
const choose = async (chosen: File) =>
  userEvent.setup({ applyAccept: false }).upload(await picker(), chosen);
const submit = () => screen.getByRole("button", { name: "Submit for Verification" });

describe("/verification", () => {
  it("asks for a document, and waits for a file", async () => {
    open();
    expect(
      await screen.findByText("Please upload a valid identity document for verification."),
    ).toBeVisible();
    expect(submit()).toBeDisabled();
    const types = screen.getByLabelText<HTMLSelectElement>("Document type");
    expect([...types.options].map((each) => each.value)).toEqual([
      "passport",
      "drivers_license",
      "national_id",
    ]);
    expect(screen.getByRole("link", { name: "Back to Dashboard" })).toHaveAttribute(
      "href",
      "/studentdash",
    );
    expect(screen.getByText("No screenshots or photocopies")).toBeVisible();
  });

  it("sends the file and then asks for its review", async () => {
    const { seen } = open();
    await choose(file("passport.png", "image/png"));
    await userEvent.selectOptions(screen.getByLabelText("Document type"), "national_id");
    await userEvent.click(submit());
    expect(
      await screen.findByText(
        "Document uploaded successfully! Verification typically takes 24-48 hours.",
      ),
    ).toBeVisible();
    const stored = seen.findIndex(({ call }) => isUpload(call));
    const asked = seen.findIndex(({ call }) => call === insert);
    expect(stored).toBeGreaterThan(-1);
    expect(asked).toBeGreaterThan(stored);
    const name = /[^/]+$/.exec(seen[stored]?.call ?? "")?.[0];
    expect(name).toMatch(new RegExp(`^${adaId}-verification-\\d+\\.png$`));
    expect(seen[asked]?.body).toEqual({
      user_id: adaId,
      document_type: "national_id",
      document_url: name,
      status: "pending",
    });
    expect(
      await screen.findByText("Your document is being reviewed. This typically takes 24-48 hours."),
    ).toBeVisible();
    expect(screen.queryByLabelText("Identity document")).not.toBeInTheDocument();
  });

  it("shows a decision as soon as it is made", async () => {
    const { live, decide } = open({ latest: { status: "pending" } });
    expect(await screen.findByText(/^Your document is being reviewed/)).toBeVisible();
    await waitFor(() => expect(live.watchers("user_verifications")).toBe(1));
    act(() => decide({ status: "rejected", rejected_reason: "The photo is blurred." }));
    expect(await screen.findByText("The photo is blurred.")).toBeVisible();
    expect(await picker()).toBeVisible();
    act(() => decide({ status: "approved" }));
    expect(await screen.findByText("Your identity has been verified successfully!")).toBeVisible();
    expect(screen.queryByLabelText("Identity document")).not.toBeInTheDocument();
  });

  it("refuses other kinds of file and more than ten megabytes", async () => {
    open();
    await choose(file("notes.txt", "text/plain"));
    expect(await screen.findByText("Please upload a JPG, PNG, or PDF file.")).toBeVisible();
    expect(submit()).toBeDisabled();
    await choose(file("big.pdf", "application/pdf", 11 * 1024 * 1024));
    expect(await screen.findByText("File size must be less than 10MB.")).toBeVisible();
    expect(submit()).toBeDisabled();
    await choose(file("good.pdf", "application/pdf"));
    expect(screen.queryByText("File size must be less than 10MB.")).not.toBeInTheDocument();
    expect(submit()).toBeEnabled();
  });

  it("wants a file when the form is sent without one", async () => {
    open();
    await picker();
    fireEvent.submit(screen.getByRole("form", { name: "Upload a document" }));
    expect(await screen.findByText("Please select a file to upload.")).toBeVisible();
  });

  it.each<[string, Situation]>([
    ["the storage", { upload: { status: 500, body: { message: "disk" } } }],
    ["the database", { insert: { status: 400, body: { code: "FF113", message: "no" } } }],
  ])("says when %s refuses, and keeps the file", async (_who, situation) => {
    open(situation);
    await choose(file("passport.jpg", "image/jpeg"));
    await userEvent.click(submit());
    expect(await screen.findByText("Failed to upload document. Please try again.")).toBeVisible();
    expect(screen.getByText("passport.jpg")).toBeVisible();
    expect(submit()).toBeEnabled();
  });

  it.each([
    ["approved", "Your identity has been verified successfully!"],
    ["pending", "Your document is being reviewed. This typically takes 24-48 hours."],
  ])("hides the form while %s", async (status, text) => {
    open({ latest: { status } });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole("form")).not.toBeInTheDocument();
  });

  it("shows why a document was rejected and takes another", async () => {
    open({ latest: { status: "rejected", rejected_reason: "The edge is cut off." }, rejected: 1 });
    expect(
      await screen.findByText("Your document was rejected. Please upload a new document."),
    ).toBeVisible();
    expect(screen.getByText("The edge is cut off.")).toBeVisible();
    expect(await picker()).toBeInTheDocument();
    expect(screen.queryByText(/verification attempts used/)).not.toBeInTheDocument();
  });

  it.each([3, 4])("warns after %d rejections", async (rejected) => {
    open({ latest: { status: "rejected" }, rejected });
    expect(
      await screen.findByText(
        `Warning: ${rejected}/5 verification attempts used. Account will be removed after 5 consecutive failures.`,
      ),
    ).toBeVisible();
    expect(await picker()).toBeInTheDocument();
  });

  it("closes the form after five", async () => {
    open({ latest: { status: "rejected" }, rejected: 5 });
    expect(
      await screen.findByText(
        "Maximum verification attempts exceeded. Please contact support for assistance.",
      ),
    ).toBeVisible();
    expect(screen.queryByRole("form")).not.toBeInTheDocument();
  });
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
      (await screen.findByText("Kit Marlowe")).closest("li, article, div[data-flagged]") as HTMLElement,
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
    const opened = view.calls().findIndex((call) => call.endsWith("/rpc/open_verification_document"));
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

describe("a file that is not what it is called", () => {
  it("is not sent, and the form says so", async () => {
    const { seen } = open();
    await choose(new File(["<html>"], "passport.pdf", { type: "application/pdf" }));
    await userEvent.click(submit());
    expect(
      await screen.findByText(
        "This file could not be read. Please choose another photo, scan or PDF.",
      ),
    ).toBeVisible();
    vi.spyOn(globalThis, "createImageBitmap").mockRejectedValue(new Error("no picture"));
    await choose(file("passport.jpg", "image/jpeg"));
    await userEvent.click(submit());
    await waitFor(() => expect(submit()).toBeDisabled());
    expect(seen.some(({ call }) => isUpload(call))).toBe(false);
  });
});
