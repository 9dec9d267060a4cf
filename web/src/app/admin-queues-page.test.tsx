import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi, beforeEach } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "./testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const counts = (waiting: Readonly<Record<string, number>>) =>
  ["identity", "reports", "accounts", "disputes", "review", "payouts", "claims", "later"].map(
    (queue) => ({
      queue,
      waiting: waiting[queue] ?? 0,
      oldest_at: (waiting[queue] ?? 0) > 0 ? "2026-11-20T10:00:00+00:00" : null,
    }),
  );

function open(address: string, answer: Reply) {
  const world = { answer };
  const view = renderApp(address, {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/admin_queues")) return world.answer;
      return call.includes("/rpc/") && !call.endsWith("/rpc/my_notifications")
        ? { body: [] }
        : undefined;
    },
  });
  return { world, view };
}

const tabs = async () =>
  (await screen.findAllByRole("tab")).map((tab) => tab.textContent?.split(" ·")[0]);
const selected = () => screen.getByRole("tab", { selected: true }).textContent;

describe("the queues", () => {
  it("are those in which something waits, and the first of them is open", async () => {
    open("/admindash/queues", { body: counts({ reports: 2, payouts: 1, claims: 3 }) });
    expect(await tabs()).toEqual(["Reports", "Payouts", "Claims"]);
    expect(selected()).toMatch(/^Reports · 2/);
    await userEvent.click(screen.getByRole("tab", { name: /^Claims · 3/ }));
    expect(window.location.search).toBe("?queue=claims");
    expect(await screen.findByText("No claims")).toBeVisible();
  });

  it("are counted on their tab in the console's other pages, and nothing is asked elsewhere", async () => {
    const { view } = open("/admindash/members", { body: counts({ reports: 2, claims: 3 }) });
    const tab = await screen.findByRole("link", { name: /^Queues.*waiting/ }, { timeout: 5000 });
    expect(tab).toHaveTextContent("Queues 5 waiting");
    await userEvent.click(tab);
    expect(await tabs()).toEqual(["Reports", "Claims"]);
    expect(screen.getByRole("link", { name: "Queues" })).toBeVisible();
    view.unmount();
    const elsewhere = open("/members", { body: counts({ reports: 2 }) });
    expect(await screen.findByRole("heading", { level: 1 })).toBeVisible();
    expect(elsewhere.view.calls().filter((call) => call.endsWith("/admin_queues"))).toEqual([]);
  });

  it("keep the one that was asked for, with nothing in it", async () => {
    open("/admindash/queues?queue=accounts", { body: counts({ review: 1 }) });
    expect(await screen.findByRole("tab", { name: /^Drafts · 1/ })).toBeVisible();
    expect(await tabs()).toEqual(["Accounts", "Drafts"]);
    expect(selected()).toMatch(/^Accounts · 0 nothing waiting/);
  });

  it("begin with the one in which something is open, which stays when that is closed", async () => {
    const { view } = open("/admindash/queues?draft=d-1", {
      body: counts({ reports: 2, review: 1 }),
    });
    const reports = await screen.findByRole("tab", { name: /^Reports · 2/ });
    expect(selected()).toMatch(/^Drafts/);
    await act(async () => await view.router.navigate("/admindash/queues"));
    expect(selected()).toMatch(/^Drafts/);
    await act(async () => await view.router.navigate("/admindash/queues?draft=d-1"));
    await userEvent.click(reports);
    expect(window.location.search).toBe("?queue=reports");
  });

  it("say in one line that nothing waits", async () => {
    open("/admindash/queues", { body: counts({}) });
    expect(await screen.findByText("Nothing is waiting for a decision")).toBeVisible();
    expect(screen.queryByRole("tab")).not.toBeInTheDocument();
  });

  it("are all there when they could not be counted", async () => {
    open("/admindash/queues", { status: 400, body: { message: "down" } });
    expect(await tabs()).toHaveLength(7);
  });
});
