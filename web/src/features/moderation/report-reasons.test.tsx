import { waitFor, within } from "@testing-library/react";
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
      expect.stringMatching(/Hopper Boring Wait/),
      expect.stringMatching(/Hopper Dangerous or illegal Wait/),
      expect.stringMatching(/Hopper Harassment or hate · Rude Wait/),
      expect.stringMatching(/Hopper Dangerous or illegal · Poison Wait/),
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
});
