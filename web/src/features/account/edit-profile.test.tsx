import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const answered = {
  current_situation: "Employed",
  biggest_challenge: "Time",
  goals_6_months: "Three clients",
  goals_1_year: "Half my income",
  motivation: "Freedom",
  commitment_level: "8",
};
const saveProfile = "POST /rest/v1/profiles";
const saveResponses = "POST /rest/v1/onboarding_responses";

function open(replies: Readonly<Record<string, Reply>> = {}) {
  return renderApp("/account", {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      onboarding_responses: Object.entries(answered).map(([question, answer]) => ({
        question,
        answer,
      })),
    },
    reply: ({ call }) => replies[call],
  });
}

const profile = async () => within(await screen.findByRole("form", { name: "Profile" }));
const goals = async () => within(await screen.findByRole("form", { name: "Goals" }));

describe("the profile on the account page", () => {
  it("is edited and saved as at onboarding", async () => {
    const { seen } = open();
    const form = await profile();
    expect(form.getByRole("button", { name: "Save changes" })).toBeDisabled();
    const name = form.getByLabelText(/First name/);
    expect(name).toHaveValue("Ada");
    await userEvent.clear(name);
    await userEvent.type(name, " Augusta ");
    await userEvent.click(form.getByRole("button", { name: "Save changes" }));
    expect(await screen.findAllByText("Your changes are saved.")).not.toHaveLength(0);
    expect(seen.find(({ call }) => call === saveProfile)?.body).toMatchObject({
      id: adaId,
      first_name: "Augusta",
      last_name: "Lovelace",
    });
    expect(seen.find(({ call }) => call === saveResponses)?.body).toContainEqual({
      user_id: adaId,
      page_number: 7,
      question: "first_name",
      answer: "Augusta",
    });
    await waitFor(() => expect(form.getByRole("button", { name: "Save changes" })).toBeDisabled());
  });

  it("names required fields that were emptied, and saves nothing", async () => {
    const { calls } = open();
    const form = await profile();
    await userEvent.clear(form.getByLabelText(/First name/));
    await userEvent.click(form.getByRole("button", { name: "Save changes" }));
    expect(await form.findByText("Please complete all required fields: First name")).toBeVisible();
    expect(calls()).not.toContain(saveProfile);
  });

  it("keeps the text and says so when saving fails", async () => {
    open({ [saveProfile]: { status: 500, body: { code: "XX000", message: "boom" } } });
    const form = await profile();
    await userEvent.type(form.getByLabelText(/Occupation/), "s");
    await userEvent.click(form.getByRole("button", { name: "Save changes" }));
    expect(await form.findByText(/We couldn't save your changes/)).toBeVisible();
    expect(form.getByLabelText(/Occupation/)).toHaveValue("Analysts");
  });
});

describe("the goals on the account page", () => {
  it("show what was answered, and can be changed", async () => {
    const { seen } = open();
    const form = await goals();
    const field = form.getByLabelText(/Your goals for the next year/);
    expect(field).toHaveValue("Half my income");
    await userEvent.clear(field);
    await userEvent.type(field, "All of it");
    await userEvent.click(form.getByRole("button", { name: "Save changes" }));
    expect(await screen.findAllByText("Your changes are saved.")).not.toHaveLength(0);
    await waitFor(() => expect(seen.map(({ call }) => call)).toContain(saveResponses));
    expect(seen.find(({ call }) => call === saveResponses)?.body).toContainEqual({
      user_id: adaId,
      page_number: 6,
      question: "goals_1_year",
      answer: "All of it",
    });
  });
});
