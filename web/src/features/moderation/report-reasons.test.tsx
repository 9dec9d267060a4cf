import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import {
  findReportQueue as queue,
  openReportDesk as desk,
  reportRow as row,
} from "./testing/report-desk.ts";

describe("the reasons of reports", () => {
  it("stand in the queue, which has the gravest first when it is asked to", async () => {
    const post = (report_id: number, categories: unknown, reasons: readonly string[]) =>
      row("post", { report_id, categories, reasons });
    desk("/admindash/queues?queue=reports", [
      // A host of an earlier release says no categories.
      post(4, undefined, ["Boring"]),
      post(5, ["spam", "danger"], ["Coins", ""]),
      post(6, ["harassment", "unheard-of"], ["Rude", ""]),
      post(7, ["danger"], ["Poison"]),
    ]);
    const all = await queue(/^Reports · 4/);
    const rows = () => all.getAllByRole("button", { name: /^Post by Grace Hopper/ });
    const texts = () => rows().map(({ textContent }) => textContent);
    await waitFor(() => expect(rows()).toHaveLength(4));
    const [boring, coins, rude, poison] = [
      expect.stringMatching(/Hopper “Buy coins” Boring Wait/),
      expect.stringMatching(/Hopper “Buy coins” Dangerous or illegal Wait/),
      expect.stringMatching(/Hopper “Buy coins” Harassment or hate · Rude Wait/),
      expect.stringMatching(/Hopper “Buy coins” Dangerous or illegal · Poison Wait/),
    ];
    expect(texts()).toEqual([boring, coins, rude, poison]);
    expect(all.getByText("Waiting for your decision, oldest first.")).toBeVisible();
    const order = all.getByRole("button", { name: "Most serious first", pressed: false });
    await userEvent.click(order);
    await waitFor(() => expect(texts()).toEqual([coins, poison, rude, boring]));
    expect(window.location.search).toBe("?queue=reports&order=serious");
    expect(all.getByText("Waiting for your decision, most serious first.")).toBeVisible();
    const panel = within(all.getByRole("region", { name: "The open report" }));
    const reasons = within(panel.getByRole("list", { name: "Reasons" }));
    expect(reasons.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Spam or advertising“Coins”",
      "Dangerous or illegal",
    ]);
    await userEvent.click(all.getByRole("button", { name: "Most serious first", pressed: true }));
    await waitFor(() => expect(texts()).toEqual([boring, coins, rude, poison]));
    expect(window.location.search).toBe("?queue=reports");
  });

  it("leave the open report open when a graver one comes before it", async () => {
    const { report } = desk("/admindash/queues?queue=reports&order=serious", [
      row("post", { report_id: 4, categories: ["spam"], reasons: ["Coins"] }),
    ]);
    const all = await queue(/^Reports · 1/);
    const panel = within(await all.findByRole("region", { name: "The open report" }));
    await panel.findByText("“Coins”");
    report(row("post", { report_id: 5, categories: ["danger"], reasons: ["Poison"] }));
    await userEvent.click(all.getByRole("button", { name: "Refresh" }));
    const first = await all.findByRole("button", { name: /Dangerous or illegal · Poison/ });
    expect(all.getAllByRole("button", { name: /^Post by Grace Hopper/ })[0]).toBe(first);
    expect(panel.getByText("“Coins”")).toBeVisible();
    expect(panel.queryByText("“Poison”")).toBeNull();
  });

  it("name the reason of a removal, which the administrator may change, beside the words", async () => {
    const { decisions } = desk("/admindash/queues?queue=reports", [
      row("post", { report_id: 4, categories: ["other", "scam"], reasons: ["Odd", ""] }),
      row("post", { report_id: 5, categories: ["danger"], reasons: [""] }),
    ]);
    const all = await queue(/^Reports · 2/);
    const panel = within(await all.findByRole("region", { name: "The open report" }));
    const asked = async () => within(await screen.findByRole("alertdialog"));
    const press = async (name: string) =>
      await userEvent.click(panel.getByRole("button", { name }));
    await press("Keep");
    const keeping = await asked();
    expect(keeping.getByText("Buy coins")).toBeVisible();
    await userEvent.click(keeping.getByRole("button", { name: "Not yet" }));
    await press("Delete");
    const deleting = await asked();
    expect(deleting.getByText("Buy coins")).toBeVisible();
    const promise = "It makes promises about money that nobody can keep.";
    expect(deleting.getByRole("combobox", { name: "Common reasons" })).toHaveValue(promise);
    await userEvent.click(deleting.getByRole("button", { name: "Delete post" }));
    await all.findByRole("region", { name: /^Reports · 1/ });
    await press("Delete");
    // None of the list says it.
    expect((await asked()).getByRole("textbox", { name: "Why" })).toHaveValue("");
    expect(decisions().map(({ body }) => body)).toEqual([
      { report_id: 4, decision: "remove", explanation: promise },
    ]);
  });
});

describe("the queue of reports", () => {
  it("is read again with its counts, and says who is suspended", async () => {
    const author = { id: "a", name: "Grace Hopper", role: "mentor", avatar_url: null };
    const { report } = desk("/admindash/queues?queue=reports", [row("post", { author })]);
    const all = await queue(/^Reports · 1/);
    await all.findByRole("button", { name: "All 1" });
    expect(all.queryByText("Suspended")).toBeNull();
    report(row("comment", { report_id: 8, author: { ...author, is_suspended: true } }));
    await userEvent.click(all.getByRole("button", { name: "Refresh" }));
    await all.findByRole("button", { name: "All 2" });
    await userEvent.click(all.getByRole("button", { name: /^Comment by/ }));
    expect(await all.findByText("Suspended")).toBeVisible();
  });
});
