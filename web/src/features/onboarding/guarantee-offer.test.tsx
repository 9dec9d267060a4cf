import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const record = "POST /rest/v1/rpc/record_guarantee_baseline";

/** The last step, with what the server answers about the guarantee. */
function open(guarantee: Reply) {
  vi.spyOn(console, "error").mockImplementation(() => {});
  return renderApp("/onboarding", {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      profiles: { id: adaId, role: "student", onboarding_complete: false },
      onboarding_progress: { current_step: 9, data: {} },
    },
    reply: ({ call }) => {
      if (call === record) return { status: 204 };
      return call === "POST /rest/v1/rpc/my_guarantee" ? guarantee : undefined;
    },
  });
}

describe("the last step of onboarding", () => {
  it("offers to write down the income that the guarantee compares with, and what skipping costs", async () => {
    const mine = {
      baseline_until: "2099-12-01T00:00:00Z",
      is_baseline_open: true,
      terms: { months: 6 },
      baseline: null as object | null,
      check_ins: [],
      lines: [],
    };
    const recorded = {
      monthly_pence: 150_000,
      source: "Salary",
      document_name: null,
      target_pence: 1_500_000,
      ends_at: "2099-05-23T10:00:00Z",
      claim_until: "2099-06-22T23:00:00Z",
      month: 1,
    };
    const view = open({ body: mine });
    const offer = within(await screen.findByRole("region", { name: "Your guarantee" }));
    expect(offer.getByText(/by 30 November 2099/)).toHaveTextContent(
      "Without it, the guarantee doesn't apply. You can skip this now",
    );
    // The step itself asks for nothing more.
    expect(screen.getByRole("button", { name: "Complete Onboarding" })).toBeEnabled();
    await userEvent.click(offer.getByText("Write it down now"));
    await userEvent.type(offer.getByLabelText("What you earn a month, in pounds"), "1500");
    await userEvent.type(offer.getByLabelText("Where it comes from"), "Salary");
    mine.baseline = recorded;
    await userEvent.click(offer.getByRole("button", { name: "Save where I start" }));
    expect(await offer.findByText("On record: you start at £1,500 a month.")).toBeVisible();
    expect(view.seen).toContainEqual({
      call: record,
      body: { monthly_pence: 150_000, source: "Salary" },
    });
  });

  it.each([
    ["has no guarantee, as with a complimentary membership", { body: null }],
    ["can't be asked", { status: 500, body: { message: "boom" } }],
  ])("leaves the offer out of an account that %s", async (_, answer: Reply) => {
    open(answer);
    expect(await screen.findByRole("button", { name: "Complete Onboarding" })).toBeEnabled();
    expect(screen.queryByText("Your guarantee")).not.toBeInTheDocument();
  });
});
