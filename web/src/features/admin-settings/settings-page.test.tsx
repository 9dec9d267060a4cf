import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const supply = [
  { level: 1, kind: "rooms", category: null, needed: 5, available: 6 },
  { level: 1, kind: "engagements", category: null, needed: 50, available: null },
  { level: 4, kind: "engagements", category: null, needed: 550, available: null },
];
const price = (differs: object) => ({
  interval: "month",
  amount_pence: 5000,
  currency: "GBP",
  active_from: "2026-10-01T00:00:00Z",
  retired_at: null,
  ...differs,
});
const plan = {
  id: "student-access",
  name: "Student Access",
  role: "student",
  amount_pence: 5000,
  currency: "GBP",
  interval: "month",
  price_id: "price_1",
  is_active: true,
  members: 7,
  former_price_members: 1,
  prices: [
    price({ price_id: "price_1", members: 6 }),
    price({
      price_id: "price_0",
      amount_pence: 4000,
      retired_at: "2026-10-01T00:00:00Z",
      members: 1,
    }),
  ],
  last_event_at: null,
  last_check_at: null,
};
const email = {
  name: "welcome",
  texts: [
    { key: "subject", standard: "Welcome to Fourfold", text: null, placeholders: ["plan"] },
    { key: "next", standard: "Come in.", text: "Go on.", placeholders: ["plan"] },
  ],
  content: {
    subject: "Welcome to Fourfold",
    heading: "Welcome.",
    blocks: [{ type: "paragraph", text: "Go on." }],
    action: { label: "Continue", path: "/onboarding" },
    because: "you joined.",
    canSwitchOff: true,
  },
};

/** The console's settings, with the bodies of the calls that change them. */
function openSettings(path: string, refusals: Readonly<Record<string, Reply>> = {}) {
  const changes: unknown[] = [];
  renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      const name = call.split("/").at(-1) ?? "";
      const refusal = refusals[name];
      if (refusal) return refusal;
      if (name === "admin_level_supply") return { body: supply };
      if (name === "plan_overview") return { body: [plan] };
      if (name === "preview-emails") return { body: { emails: [email] } };
      if (name === "preview_level_requirement") {
        return { body: [{ members: 12, ready_before: 1, ready_after: 4 }] };
      }
      if (name === "admin-plan-prices") {
        changes.push(body);
        return { body: { price_id: "price_2" } };
      }
      if (name.startsWith("set_")) {
        changes.push(body);
        return { status: 204 };
      }
      return undefined;
    },
  });
  return changes;
}

describe("a level's requirement", () => {
  it("says what a new figure means before it is saved", async () => {
    const changes = openSettings("/admindash/settings?open=1-rooms");
    const panel = await screen.findByRole("dialog", { name: "Level 1 Community" });
    const figure = within(panel).getByLabelText("How many");
    await userEvent.clear(figure);
    expect(within(panel).getByText("Enter a whole number from 1 to 10,000.")).toBeDefined();
    await userEvent.type(figure, "6");
    await within(panel).findByText(/12 members at this level\. 4 would complete it/);
    expect(panel.textContent).toContain("The overall total goes from 555 to 556.");
    await userEvent.click(within(panel).getByRole("button", { name: "Save requirement" }));
    await waitFor(() => expect(changes).toEqual([{ level: 1, kind: "rooms", needed: 6 }]));
  });

  it("stands in a table beside what is available", async () => {
    openSettings("/admindash/settings");
    expect(await screen.findByRole("columnheader", { name: "Available" })).toBeVisible();
  });

  it("above what there is cannot be saved", async () => {
    openSettings("/admindash/settings?open=1-rooms");
    const panel = await screen.findByRole("dialog", { name: "Level 1 Community" });
    const figure = within(panel).getByLabelText("How many");
    const button = within(panel).getByRole("button", { name: "Save requirement" });
    await userEvent.clear(figure);
    await userEvent.type(figure, "7");
    expect(await within(panel).findByText(/There are only 6 chat rooms\./)).toBeDefined();
    expect(button).toBeDisabled();
    await userEvent.clear(figure);
    await userEvent.type(figure, "6");
    expect(button).toBeEnabled();
  });

  it("that lost its rooms meanwhile is refused with the reason", async () => {
    openSettings("/admindash/settings?open=1-rooms", {
      set_level_requirement: {
        status: 400,
        body: { code: "FF445", message: "A level cannot ask for more than there is." },
      },
    });
    const panel = await screen.findByRole("dialog", { name: "Level 1 Community" });
    const figure = within(panel).getByLabelText("How many");
    await userEvent.clear(figure);
    await userEvent.type(figure, "6");
    await userEvent.click(within(panel).getByRole("button", { name: "Save requirement" }));
    expect(
      await within(panel).findByText("A level cannot ask for more than there is."),
    ).toBeDefined();
  });

  it("leads an administrator without a second factor to it", async () => {
    openSettings("/admindash/settings?open=1-rooms", {
      preview_level_requirement: { status: 400, body: { code: "FF005", message: "…" } },
    });
    const link = await screen.findByRole("link", { name: "Set up second factor" });
    expect(link.getAttribute("href")).toContain("/account?then=%2Fadmindash%2Fsettings");
  });
});

it("the plans show price, members and the link to the card provider", async () => {
  openSettings("/admindash/settings?part=plans");
  await screen.findByText("£50 a month");
  expect(screen.getByText("£40 a month")).toBeDefined();
  expect(screen.getByText("7 members, 1 of them at a former price")).toBeDefined();
  expect(screen.getByText("price_1")).toBeDefined();
  expect(screen.getByText(/No event has arrived yet/)).toBeDefined();
});

describe("how members pay", () => {
  it("is the card alone until wallets are turned on and saved", async () => {
    const changes = openSettings("/admindash/settings?part=plans");
    const wallets = await screen.findByRole("checkbox", { name: "Apple Pay, Google Pay and Link" });
    expect(wallets).not.toBeChecked();
    expect(wallets).toHaveAccessibleDescription(/register this site's domain/);
    await userEvent.click(wallets);
    expect(changes).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Save how members pay" }));
    await screen.findByText("Members can pay with a wallet from now on.");
    expect(changes).toEqual([{ enabled: true }]);
  });

  it("says why it was not changed", async () => {
    openSettings("/admindash/settings?part=plans", {
      set_payment_element: {
        status: 400,
        body: { code: "FF005", message: "Confirm your second factor first." },
      },
    });
    await userEvent.click(
      await screen.findByRole("checkbox", { name: "Apple Pay, Google Pay and Link" }),
    );
    await userEvent.click(screen.getByRole("button", { name: "Save how members pay" }));
    expect(await screen.findByRole("alert")).toBeVisible();
  });
});

describe("the price of a plan", () => {
  it("is put on sale by the year, after it was said what happens to whom", async () => {
    const changes = openSettings("/admindash/settings?part=plans");
    await userEvent.click(await screen.findByRole("button", { name: "Add a yearly price" }));
    const dialog = within(
      await screen.findByRole("dialog", { name: "Add a yearly price to Student Access" }),
    );
    await userEvent.click(dialog.getByRole("button", { name: "Put on Sale" }));
    expect(dialog.getByText("Enter an amount between £1 and £100,000.")).toBeDefined();
    expect(dialog.getByText("Say why.")).toBeDefined();
    await userEvent.type(dialog.getByLabelText("Price for a year"), "500");
    expect(
      dialog.getByText("From now on members who join or switch pay £500 a year."),
    ).toBeDefined();
    await userEvent.type(dialog.getByLabelText("Reason"), "For those who stay");
    await userEvent.click(dialog.getByRole("button", { name: "Sell for £500 a year" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(changes).toEqual([
      {
        request_id: expect.any(String) as string,
        plan_id: "student-access",
        interval: "year",
        amount_pence: 50_000,
        reason: "For those who stay",
      },
    ]);
  });

  it("says who keeps the one before, and why another was refused", async () => {
    openSettings("/admindash/settings?part=plans", {
      "admin-plan-prices": {
        status: 409,
        body: { code: "same_price", error: "This is what the plan costs already." },
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "New monthly price" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/6 members on the present price keep it/)).toBeDefined();
    await userEvent.type(dialog.getByLabelText("Price for a month"), "50");
    await userEvent.type(dialog.getByLabelText("Reason"), "The same");
    await userEvent.click(dialog.getByRole("button", { name: "Sell for £50 a month" }));
    expect(await dialog.findByText("This is what the plan costs already.")).toBeDefined();
  });
});

describe("the texts of an e-mail", () => {
  it("are saved one by one, and a default is stored as none", async () => {
    const changes = openSettings("/admindash/settings?part=emails&open=welcome");
    const panel = await screen.findByRole("dialog", { name: "Welcome" });
    await userEvent.type(within(panel).getByLabelText("Subject"), "!");
    await userEvent.click(
      within(panel).getByRole("button", { name: "Use the default paragraph: next" }),
    );
    await userEvent.click(within(panel).getByRole("button", { name: "Save texts" }));
    await waitFor(() =>
      expect(changes).toEqual([
        { template: "welcome", key: "subject", new_text: "Welcome to Fourfold!" },
        { template: "welcome", key: "next" },
      ]),
    );
  });

  it("are not shown without a second factor", async () => {
    openSettings("/admindash/settings?part=emails", {
      "preview-emails": { status: 403, body: { code: "FF005", error: "…" } },
    });
    await screen.findByText("These settings need a second factor");
  });
});
