import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { heicNamedJpg } from "@/lib/testing/heic-photo.ts";

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

  it("says when to try again while many pictures are being looked at", async () => {
    const body = { statusCode: "503", error: "SlowDown", code: "SlowDown", message: "Too many" };
    open({ upload: { status: 503, body, headers: { "retry-after": "5" } } });
    await choose(file("passport.jpg", "image/jpeg"));
    await userEvent.click(submit());
    const sentence = "The server is busy right now. Try again in 5 seconds.";
    expect(await screen.findByText(sentence)).toBeVisible();
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

it("sends a PDF as a bank writes it, with bytes before and behind it", async () => {
  const { seen } = open();
  const letter = "\r\n%PDF-1.4\n1 0 obj\nendobj\n%%EOF\n% printed by a bank\n";
  await choose(new File([letter], "letter.pdf", { type: "application/pdf" }));
  await userEvent.click(submit());
  expect(await screen.findByText(/^Document uploaded successfully!/)).toBeVisible();
  expect(seen.some(({ call }) => isUpload(call))).toBe(true);
});

describe("a file that is not what it is called", () => {
  it("is not sent, and the form says so", async () => {
    const { seen } = open();
    await choose(new File(["<html>"], "passport.pdf", { type: "application/pdf" }));
    await userEvent.click(submit());
    expect(
      await screen.findByText(
        "This file couldn't be read. Please choose another photo, scan or PDF.",
      ),
    ).toBeVisible();
    vi.spyOn(globalThis, "createImageBitmap").mockRejectedValue(new Error("no picture"));
    await choose(file("passport.jpg", "image/jpeg"));
    await userEvent.click(submit());
    await waitFor(() => expect(submit()).toBeDisabled());
    await choose(heicNamedJpg());
    await userEvent.click(submit());
    expect(await screen.findByText(/This is a HEIC photo.*Export it as a JPG/)).toBeVisible();
    expect(seen.some(({ call }) => isUpload(call))).toBe(false);
  });
});
