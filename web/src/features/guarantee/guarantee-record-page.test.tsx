import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { heicNamedJpg } from "@/lib/testing/heic-photo.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const record = {
  baseline_until: "2099-12-01T00:00:00Z",
  is_baseline_open: true,
  terms: { months: 6 },
  baseline: null as object | null,
  check_ins: [],
  lines: [],
};

const baseline = {
  monthly_pence: 150_000,
  source: "Salary",
  document_name: null as string | null,
  target_pence: 1_500_000,
  ends_at: "2099-05-23T10:00:00Z",
  claim_until: "2099-06-22T23:00:00Z",
  month: 1,
};

const isUpload = (call: string) => call.startsWith("POST /storage/v1/object/guarantee-documents/");
const isRecord = (call: string) => call.endsWith("/rpc/record_guarantee_baseline");

/** The page of a member; `uploads` and `records` answer in turn. */
async function openPage(
  mine: object = record,
  { uploads = [], records = [] }: { uploads?: Reply[]; records?: Reply[] } = {},
) {
  const view = renderApp("/progress/guarantee", {
    session: sessionOf(),
    rows: memberRows({}),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/my_guarantee")) return { body: mine };
      if (call.endsWith("/rpc/my_guarantee_claim")) return { body: null };
      if (call.endsWith("/rpc/record_guarantee_check_in")) return { status: 204 };
      if (isRecord(call)) return records.shift() ?? { status: 204 };
      if (isUpload(call)) {
        const path = call.split("/guarantee-documents/")[1];
        return uploads.shift() ?? { body: { Id: "1", Key: `guarantee-documents/${path}`, path } };
      }
      return undefined;
    },
  });
  const panel = within(await screen.findByRole("region", { name: "Your guarantee" }));
  return { ...view, panel };
}

const payslip = () => new File(["%PDF-1.7\n%%EOF\n"], "payslip.pdf", { type: "application/pdf" });

async function fillIn(panel: Awaited<ReturnType<typeof openPage>>["panel"]) {
  await userEvent.type(await panel.findByLabelText("What you earn a month, in pounds"), "1,500");
  await userEvent.type(panel.getByLabelText("Where it comes from"), "Salary");
}

describe("where a member starts", () => {
  it("is recorded without a document, and says who sees it", async () => {
    const { panel, seen } = await openPage();
    await fillIn(panel);
    expect(
      panel.getByText("Before tax. Only you see it, and administrators if you claim."),
    ).toBeVisible();
    await userEvent.click(panel.getByRole("button", { name: "Save where I start" }));
    expect(await screen.findByText("Where you start is on record.")).toBeVisible();
    expect(seen.find(({ call }) => isRecord(call))?.body).toEqual({
      monthly_pence: 150_000,
      source: "Salary",
    });
    expect(seen.some(({ call }) => isUpload(call))).toBe(false);
  });

  it("takes a document, which is stored once, also when recording has to be tried again", async () => {
    const gone: Reply = { status: 400, body: { code: "FF300", message: "Too fast" } };
    const { panel, seen } = await openPage(record, { records: [gone] });
    await fillIn(panel);
    await userEvent.upload(panel.getByLabelText(/^A document that shows it/), payslip());
    await userEvent.click(panel.getByRole("button", { name: "Save where I start" }));
    expect(await panel.findByText(/It wasn't saved. You're going too fast/)).toBeVisible();
    await userEvent.click(panel.getByRole("button", { name: "Save where I start" }));
    expect(await screen.findByText("Where you start is on record.")).toBeVisible();
    const [stored, ...more] = seen.filter(({ call }) => isUpload(call));
    expect(more).toEqual([]);
    const name = stored?.call.split("/guarantee-documents/")[1];
    expect(name).toMatch(new RegExp(`^${adaId}-baseline-[0-9]+[.]pdf$`));
    expect(seen.findLast(({ call }) => isRecord(call))?.body).toMatchObject({
      document_name: name,
    });
  });

  it("makes room for the record, whose heading has the focus then", async () => {
    const mine = { ...record };
    const { panel } = await openPage(mine);
    await fillIn(panel);
    mine.baseline = baseline;
    await userEvent.click(panel.getByRole("button", { name: "Save where I start" }));
    expect(await panel.findByText("You started at")).toBeVisible();
    await waitFor(() =>
      expect(screen.getByRole("heading", { name: "Your guarantee" })).toHaveFocus(),
    );
  });

  it("refuses a file that can't be sent, and one that isn't what it says", async () => {
    const { panel, seen } = await openPage();
    await fillIn(panel);
    const field = panel.getByLabelText(/^A document that shows it/);
    const user = userEvent.setup({ applyAccept: false });
    await user.upload(field, new File(["x"], "payslip.docx"));
    expect(await panel.findByText("Please upload a JPG, PNG, or PDF file.")).toBeVisible();
    await user.upload(field, new File(["<html>"], "payslip.pdf", { type: "application/pdf" }));
    await user.click(panel.getByRole("button", { name: "Save where I start" }));
    expect(await panel.findByText(/The document can't be read. Choose another./)).toBeVisible();
    const read = vi
      .spyOn(globalThis, "createImageBitmap")
      .mockRejectedValue(new Error("no picture"));
    await user.upload(field, heicNamedJpg());
    await user.click(panel.getByRole("button", { name: "Save where I start" }));
    expect(await panel.findByText(/This is a HEIC photo.*Export it as a JPG/)).toBeVisible();
    read.mockRestore();
    expect(seen.some(({ call }) => isUpload(call) || isRecord(call))).toBe(false);
  });

  it("says that a document is on record", async () => {
    const name = `${adaId}-baseline-1.pdf`;
    const { panel } = await openPage({
      ...record,
      baseline: { ...baseline, document_name: name },
    });
    expect(await panel.findByText("Salary, with a document")).toBeVisible();
  });
});

describe("a check-in", () => {
  it("makes the bell be read again, which asked for it", async () => {
    const { panel, calls } = await openPage({ ...record, baseline });
    const bells = () => calls().filter((call) => call.endsWith("/rpc/my_notifications")).length;
    await userEvent.type(
      await panel.findByLabelText("What you earned this month, in pounds"),
      "1600",
    );
    const before = bells();
    await userEvent.click(panel.getByRole("button", { name: "Check in" }));
    expect(await screen.findByText("You've checked in for month 1.")).toBeVisible();
    await waitFor(() => expect(bells()).toBeGreaterThan(before));
  });
});
