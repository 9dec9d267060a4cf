import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { answerSubscription, planRows, subscriptionRow } from "./testing/subscription-rows.ts";

const pauseCall = "POST /functions/v1/stripe-pause-membership";
const resumeCall = "POST /functions/v1/stripe-resume-membership";
const offerCall = "POST /rest/v1/rpc/my_pause_offer";

const canPause = {
  refusal: null,
  begins_at: "2027-01-01T00:00:00Z",
  choices: [
    { months: 1, ends_at: "2027-02-01T00:00:00Z" },
    { months: 2, ends_at: "2027-03-01T00:00:00Z" },
  ],
  pause: null,
};
const pauseOf = (has_begun: boolean) => ({
  refusal: "paused",
  begins_at: null,
  choices: [],
  pause: {
    begins_at: "2027-01-01T00:00:00Z",
    ends_at: "2027-03-01T00:00:00Z",
    has_begun,
  },
});
const resting = { status: "paused", hold: "paused" };

function open(
  differs: object,
  offer: object,
  replies: Readonly<Record<string, Reply>> = {},
  path = "/subscriptions",
) {
  const answer = { now: offer };
  const { row, reply } = answerSubscription(differs, ({ call }) =>
    call === offerCall ? { body: answer.now } : replies[call],
  );
  const rows = { ...memberRows(), plans: planRows };
  return { ...renderApp(path, { session: sessionOf(), rows, reply }), row, answer };
}

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("pausing", () => {
  it("asks how long, says what stays open and what it costs, and plans it", async () => {
    const { seen, answer } = open({}, canPause, { [pauseCall]: { body: { paused: true } } });
    await press("Pause my membership");
    const dialog = within(
      await screen.findByRole("alertdialog", { name: "Pause your membership?" }),
    );
    expect(dialog.getByText(/You keep your access until 1 January 2027/)).toBeVisible();
    expect(dialog.getByText(/doesn't count towards the guarantee/)).toBeVisible();
    await userEvent.selectOptions(
      dialog.getByLabelText("How long?"),
      "2 months, until 1 March 2027",
    );
    answer.now = pauseOf(false);
    await userEvent.click(dialog.getByRole("button", { name: "Pause it" }));
    expect(
      await screen.findByText(
        "Your membership pauses on 1 January 2027 and resumes automatically on 1 March 2027.",
      ),
    ).toBeVisible();
    expect(seen.find(({ call }) => call === pauseCall)?.body).toEqual({ months: 2 });
    expect(screen.getByText("Pauses on")).toBeVisible();
    expect(screen.queryByText("Renews on")).not.toBeInTheDocument();
  });

  it("shows the server's reason when it is refused, and stays as it was", async () => {
    open({}, canPause, {
      [pauseCall]: { status: 409, body: { error: "A payment is being taken right now." } },
    });
    await press("Pause my membership");
    await press("Pause it");
    expect(await screen.findByText("A payment is being taken right now.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Pause my membership" })).toBeVisible();
  });

  it("says that nothing has changed when nothing answers", async () => {
    open({}, canPause, { [pauseCall]: { status: 500, body: {} } });
    await press("Pause my membership");
    await press("Pause it");
    expect(await screen.findByText(/We couldn't pause your membership. Nothing has/)).toBeVisible();
  });

  it("is not offered where it isn't possible", async () => {
    open({ cancel_at_period_end: true }, { ...canPause, choices: [] });
    expect(await screen.findByText("Active, ending")).toBeVisible();
    await waitFor(() => expect(screen.queryByText("Need a break?")).not.toBeInTheDocument());
  });

  it("is called off before it begins", async () => {
    const { calls, answer } = open({}, pauseOf(false), { [resumeCall]: { body: {} } });
    await screen.findByRole("heading", { name: "A pause is planned" });
    answer.now = canPause;
    await press("Don't pause");
    expect(await screen.findByText("Your membership keeps running.")).toBeVisible();
    expect(calls()).toContain(resumeCall);
  });
});

describe("a paused membership", () => {
  it("says so, and comes back after a question that names price and card", async () => {
    const { row, answer } = open(resting, pauseOf(true), { [resumeCall]: { body: {} } });
    expect(await screen.findByText(/is paused and nothing is charged/)).toBeVisible();
    expect(screen.queryByText("Renews on")).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "View plans" })).not.toBeInTheDocument();
    await press("Resume my membership");
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/We charge £50 per month.* to Visa ending in 4242/)).toBeVisible();
    row.now = subscriptionRow();
    answer.now = canPause;
    await userEvent.click(dialog.getByRole("button", { name: "Resume and pay" }));
    expect(await screen.findByText("Active")).toBeVisible();
  });

  it("tells why the card did not pay, and leads to another one", async () => {
    const { row, answer } = open(resting, pauseOf(true), {
      [resumeCall]: {
        status: 402,
        body: { error: "Your pause is over, but your card was refused." },
      },
    });
    await press("Resume my membership");
    row.now = subscriptionRow({ status: "past_due" });
    answer.now = { ...canPause, choices: [] };
    await press("Resume and pay");
    expect(await screen.findByText("Past due")).toBeVisible();
    expect(screen.getByRole("button", { name: "Update Card" })).toBeVisible();
  });

  it("is ended at once by cancelling", async () => {
    const { row } = open(resting, pauseOf(true), {
      "POST /functions/v1/stripe-cancel-subscription": { body: { message: "ok" } },
    });
    await press("Cancel Subscription");
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/Your membership ends now/)).toBeVisible();
    row.now = subscriptionRow({ status: "canceled" });
    await userEvent.click(dialog.getByRole("button", { name: "Yes, cancel" }));
    expect(
      await screen.findByText("Your membership has ended. Nothing was charged."),
    ).toBeVisible();
  });

  it("finds no checkout on the paywall, but the way back", async () => {
    open(resting, pauseOf(true), {}, "/paywall");
    expect(await screen.findByRole("link", { name: "Resume my membership" })).toHaveAttribute(
      "href",
      "/subscriptions",
    );
    expect(screen.queryByRole("radio")).not.toBeInTheDocument();
  });
});
