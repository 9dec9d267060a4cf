import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId } from "@/app/testing/test-app.tsx";
import { answers, bodies, heading, open, press } from "./testing/wizard.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

describe("the questions", () => {
  it("name the ones that are missing", async () => {
    open({ step: 6 });
    await heading("Where you are now");
    await userEvent.type(screen.getByLabelText("Your biggest challenge"), "Time");
    await press("Continue");
    expect(
      await screen.findByText(
        "Please complete all required fields: Your current situation, Your goals for the next six months, Your goals for the next year, Your motivation, Your commitment, from 1 to 10",
      ),
    ).toBeVisible();
    expect(screen.getByLabelText("Your biggest challenge")).not.toBeInvalid();
    expect(screen.getByLabelText("Your motivation")).toBeInvalid();
  });

  it("open one at a time with a hint and an example, and the next takes the keyboard along", async () => {
    open({ step: 6 });
    const first = await screen.findByLabelText("Your current situation");
    expect(screen.getByText("0 of 6 answered")).toBeVisible();
    expect(first).toHaveAccessibleDescription(/a typical week looks like\.For example: /);
    const second = screen.getByLabelText("Your biggest challenge");
    expect(second).not.toHaveAccessibleDescription();

    await press("Next question");
    expect(await screen.findByText("Please answer this question.")).toBeVisible();
    expect(first).toHaveFocus();
    await userEvent.type(first, "Employed");
    await press("Next question");
    await waitFor(() => expect(second).toHaveFocus());
    expect(second).toHaveAccessibleDescription(/holds you back most/);
    expect(first).not.toHaveAccessibleDescription();
    expect(screen.getByText("1 of 6 answered")).toBeVisible();

    await userEvent.click(screen.getByLabelText("Your motivation"));
    expect(screen.getByLabelText("Your motivation")).toHaveAccessibleDescription(/who else/);
    expect(screen.getAllByRole("button", { name: "Next question" })).toHaveLength(1);
  });

  it("go on at the first one without an answer", async () => {
    open({ step: 6, data: { current_situation: "Employed", biggest_challenge: "Time" } });
    expect(
      await screen.findByLabelText("Your goals for the next six months"),
    ).toHaveAccessibleDescription(/show to someone/);
    expect(screen.getByText("2 of 6 answered")).toBeVisible();
  });

  it("tell at the field that a name cannot be read", async () => {
    open({ step: 7, data: { ...answers, first_name: "\u200b" } });
    await screen.findByLabelText(/First name/);
    await press("Continue");
    expect(await screen.findByLabelText(/First name/)).toHaveAccessibleDescription(
      "A name needs a letter, and no characters that can’t be seen.",
    );
    expect(screen.queryByText(/required fields/)).not.toBeInTheDocument();
  });

  it("are saved one row each, and the profile with them", async () => {
    const view = open({ step: 7, data: { ...answers, occupation: "" } });
    await heading("Who you are");
    await userEvent.type(screen.getByLabelText("Occupation"), "Engineer");
    await press("Continue");
    await heading("Confirm your identity");
    await waitFor(() => expect(bodies(view, "POST /rest/v1/profiles")).toHaveLength(1));
    expect(bodies(view, "POST /rest/v1/onboarding_responses")[0]).toContainEqual({
      user_id: adaId,
      page_number: 7,
      question: "occupation",
      answer: "Engineer",
    });
    expect(bodies(view, "POST /rest/v1/profiles")[0]).toMatchObject({
      id: adaId,
      first_name: "Ada",
      last_name: "Lovelace",
      occupation: "Engineer",
    });
  });

  it("put a line on the profile with a space where a copied cell has a tab", async () => {
    const view = open({ step: 7, data: { ...answers, occupation: "" } });
    await heading("Who you are");
    await userEvent.click(screen.getByLabelText("Occupation"));
    await userEvent.paste("Fitter\tLeeds ");
    await press("Continue");
    await waitFor(() => expect(bodies(view, "POST /rest/v1/profiles")).toHaveLength(1));
    expect(bodies(view, "POST /rest/v1/profiles")[0]).toMatchObject({ occupation: "Fitter Leeds" });
  });

  it("keep every word when the page is closed before saving", async () => {
    const first = open({ step: 6 });
    await userEvent.type(await screen.findByLabelText("Your motivation"), "Because of Ada");
    first.unmount();
    open({ step: 6 });
    expect(await screen.findByLabelText("Your motivation")).toHaveValue("Because of Ada");
  });

  it("keep every word when one goes back and forth", async () => {
    open({ step: 6 });
    await userEvent.type(await screen.findByLabelText("Your motivation"), "Because");
    await press("Back");
    await heading("Your first week");
    await press("Continue");
    expect(await screen.findByLabelText("Your motivation")).toHaveValue("Because");
  });
});
