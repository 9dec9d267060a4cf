import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { describeDetail } from "./components/describe-detail.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const graceId = "22222222-2222-4222-8222-222222222222";
const entries = [
  {
    id: 8,
    happened_at: "2026-03-02T10:00:00+00:00",
    actor: "44444444-4444-4444-8444-444444444444",
    actor_name: "Kit Marlowe",
    action: "account.suspended",
    subject: graceId,
    subject_name: "Grace Hopper",
    detail: { reason: "Spam", before: { suspended: false }, after: { suspended: true }, rows: 3 },
  },
  {
    id: 7,
    happened_at: "2026-03-01T10:00:00+00:00",
    actor: null,
    actor_name: null,
    action: "profile.deleted",
    subject: "55555555-5555-4555-8555-555555555555",
    subject_name: null,
    detail: {},
  },
];

function openLog(path = "/admindash/audit", page: readonly object[] = entries) {
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/audit_page")) return { body: page };
      if (call.endsWith("/rpc/audit_choices")) {
        return { body: { actions: ["account.suspended"], actors: [{ id: graceId, name: null }] } };
      }
      if (call.endsWith("/rpc/export_audit_log")) {
        return { body: { csv: "id\r\n8\r\n", rows: 1, is_complete: true } };
      }
      return undefined;
    },
  });
}
const bodyOf = (view: ReturnType<typeof openLog>, name: string) =>
  view.seen.findLast(({ call }) => call.endsWith(`/rpc/${name}`))?.body;

describe("the audit log", () => {
  it("names who did what to whom, and shows before and after beside it", async () => {
    openLog();
    const rows = within(await screen.findByRole("table", { name: "Audit log" }));
    const [first] = await rows.findAllByRole("link", { name: "Grace Hopper" });
    expect(first).toHaveAttribute("href", `/admindash/members?member=${graceId}`);
    expect(rows.getByText("Deleted account 55555555")).toBeVisible();
    expect(rows.getByText("The system")).toBeVisible();
    await userEvent.click(rows.getByRole("button", { name: /^Suspended, Grace Hopper/ }));
    const panel = within(await screen.findByRole("dialog", { name: "Suspended" }));
    expect(panel.getByText("Spam")).toBeVisible();
    expect(panel.getByRole("row", { name: "Suspended no yes" })).toBeVisible();
    expect(window.location.search).toBe("?entry=8");
  });

  it("is filtered by the address, and exported with the same filters", async () => {
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:log");
    vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    const view = openLog("/admindash/audit?actor=system&since=2026-03-01");
    await screen.findByRole("button", { name: /^Suspended/ });
    expect(bodyOf(view, "audit_page")).toEqual({
      by_system: true,
      since: "2026-03-01",
      page_size: 50,
    });
    await userEvent.selectOptions(screen.getByLabelText("Action"), "Suspended");
    await userEvent.selectOptions(screen.getByLabelText("By"), "Deleted account 22222222");
    await userEvent.type(screen.getByLabelText("About"), "grace");
    await waitFor(() => expect(bodyOf(view, "audit_page")).toMatchObject({ about: "grace" }));
    await userEvent.click(screen.getByRole("button", { name: "Export as CSV" }));
    expect(await screen.findByText("1 entry saved. The export is recorded.")).toBeVisible();
    expect(saved).toHaveBeenCalledOnce();
    expect(bodyOf(view, "export_audit_log")).toEqual({
      actor: graceId,
      action: "account.suspended",
      about: "grace",
      since: "2026-03-01",
    });
  });

  it("says when nothing matches", async () => {
    openLog("/admindash/audit?about=nobody", []);
    expect(await screen.findByText("No entries match")).toBeVisible();
    expect(screen.getByRole("button", { name: "Export as CSV" })).toBeDisabled();
  });
});

describe("the detail of an entry", () => {
  it("lists what changed, also where one side is missing, and everything else as it is", () => {
    expect(
      describeDetail({
        reason: null,
        before: { role: "mentor", level: 2, same: 1 },
        after: { role: "admin", until: "2026-03-01", same: 1 },
        message_id: "m-1",
        tags: ["a"],
        nothing: null,
      }),
    ).toEqual({
      reason: null,
      changes: [
        { field: "Role", before: "mentor", after: "admin" },
        { field: "Level", before: "2", after: null },
        { field: "Until", before: null, after: "2026-03-01" },
      ],
      facts: [
        { label: "Message id", value: "m-1" },
        { label: "Tags", value: '["a"]' },
      ],
    });
    expect(describeDetail({ before: "old", after: "new" }).changes).toEqual([
      { field: "Value", before: "old", after: "new" },
    ]);
  });
});
