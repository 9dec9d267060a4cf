import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  adaId,
  memberRows,
  renderApp,
  sessionOf,
  type Reply,
  type TestAppOptions,
} from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const answers = {
  current_situation: "Employed",
  biggest_challenge: "Time",
  goals_6_months: "Ship",
  goals_1_year: "Earn",
  motivation: "Freedom",
  commitment_level: "8",
  first_name: "Ada",
  last_name: "Lovelace",
  occupation: "Analyst",
  bio: "",
};

interface Situation {
  readonly step?: number;
  readonly data?: object;
  readonly role?: string;
  readonly path?: string;
  readonly replies?: Readonly<Record<string, Reply>>;
  readonly document?: object;
  readonly rejected?: number;
}

function open({
  step,
  data = {},
  role = "student",
  path = "/onboarding",
  replies = {},
  document,
  rejected = 0,
}: Situation = {}) {
  const profile = { id: adaId, role, onboarding_complete: false };
  let latest = document;
  const world: TestAppOptions = {
    session: sessionOf(),
    rows: {
      ...memberRows({ role }),
      profiles: null,
      onboarding_progress: step === undefined ? null : { current_step: step, data },
    },
    reply: ({ call }) => {
      const own = replies[call];
      if (own) return own;
      if (call.startsWith("HEAD")) {
        return { status: 200, headers: { "content-range": `*/${rejected}` } };
      }
      if (call === "GET /rest/v1/profiles") return { body: [profile] };
      if (call === "PATCH /rest/v1/profiles") {
        profile.onboarding_complete = true;
        return { status: 204 };
      }
      if (call === "GET /rest/v1/user_verifications") return { body: latest ? [latest] : [] };
      if (call === "POST /rest/v1/user_verifications") {
        latest = { status: "pending" };
        return { status: 201 };
      }
      return call.startsWith("POST /storage/") ? { body: { Key: "k" } } : undefined;
    },
  };
  return renderApp(path, world);
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const bodies = (view: ReturnType<typeof open>, call: string) =>
  view.seen.filter((each) => each.call === call).map((each) => each.body);
const saved = "POST /rest/v1/onboarding_progress";

describe("the wizard", () => {
  it("begins at the first step and saves every advance", async () => {
    const view = open();
    await heading("Welcome");
    const bar = screen.getByRole("progressbar", { name: "Onboarding" });
    expect(bar).toHaveAttribute("aria-valuenow", "11");
    await press("Continue");
    await heading("Four levels");
    expect(bar).toHaveAttribute("aria-valuetext", "Step 2 of 9");
    await press("Continue");
    await heading("The rooms and their rules");
    await waitFor(() => expect(bodies(view, saved)).toHaveLength(2));
    expect(bodies(view, saved)[1]).toMatchObject({
      user_id: adaId,
      current_step: 3,
      completed_steps: [1, 2],
    });
    await press("Back");
    await heading("Four levels");
  });

  it("resumes where one left, with what was saved", async () => {
    open({ step: 7, data: answers });
    await heading("Who you are");
    expect(screen.getByLabelText("First name")).toHaveValue("Ada");
  });

  it("lists what the levels ask for from level_requirements, and offers to try again", async () => {
    const replies: Record<string, Reply> = {
      "GET /rest/v1/level_requirements": { status: 400, body: { message: "down" } },
    };
    open({ step: 2, replies });
    const retry = await screen.findByRole("button", { name: "Try again" });
    replies["GET /rest/v1/level_requirements"] = {
      body: [
        { level: 2, kind: "articles", category: "wealth", needed: 9 },
        { level: 2, kind: "courses", category: "wealth", needed: 1 },
      ],
    };
    await userEvent.click(retry);
    expect(await screen.findByText("9 Wealth articles read")).toBeVisible();
    expect(screen.getByText("1 Wealth course completed")).toBeVisible();
    expect(screen.queryByText(/chat rooms opened/)).not.toBeInTheDocument();
  });

  it("does not know a twelfth step", async () => {
    open({ step: 3, path: "/onboarding?step=12" });
    await heading("Step not found");
    await userEvent.click(screen.getByRole("link", { name: "Back to where you were" }));
    await heading("The rooms and their rules");
  });

  it("does not let anybody skip ahead", async () => {
    open({ step: 2, path: "/onboarding?step=9" });
    await heading("Four levels");
  });

  it("goes on when saving fails, and only logs it", async () => {
    open({ replies: { [saved]: { status: 500, body: { message: "boom" } } } });
    await heading("Welcome");
    await press("Continue");
    await heading("Four levels");
    await waitFor(() => expect(console.error).toHaveBeenCalled());
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  it("starts at the beginning when loading fails, and does not write over what it could not read", async () => {
    const read = "GET /rest/v1/onboarding_progress";
    const replies: Record<string, Reply> = { [read]: { status: 500, body: { message: "boom" } } };
    const view = open({ step: 7, data: answers, replies });
    await heading("Welcome");
    delete replies[read];
    await press("Continue");
    await waitFor(() => expect(bodies(view, saved)).toHaveLength(1));
    expect(bodies(view, saved)[0]).toMatchObject({ data: { first_name: "Ada" } });
  });
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

describe("the identity step", () => {
  const choose = async (file: File) =>
    userEvent
      .setup({ applyAccept: false })
      .upload(await screen.findByLabelText("Identity document"), file);
  const passport = new File(["x"], "passport.png", { type: "image/png" });

  it("waits for a file, sends it and goes on", async () => {
    const view = open({ step: 8, data: answers });
    await screen.findByLabelText("Identity document");
    expect(screen.getByRole("button", { name: "Continue" })).toBeDisabled();
    await choose(passport);
    await press("Continue");
    await heading("Ready");
    expect(bodies(view, "POST /rest/v1/user_verifications")[0]).toMatchObject({
      user_id: adaId,
      document_type: "passport",
      status: "pending",
    });
  });

  it("refuses what it cannot use", async () => {
    open({ step: 8, data: answers });
    await choose(new File(["x"], "notes.txt", { type: "text/plain" }));
    expect(await screen.findByText("Please upload a JPG, PNG, or PDF file.")).toBeVisible();
    await choose(new File([new Uint8Array(11 * 1024 * 1024)], "a.png", { type: "image/png" }));
    expect(await screen.findByText("File size must be less than 10MB.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Continue" })).toBeDisabled();
  });

  it("says when the upload failed and stays", async () => {
    open({
      step: 8,
      data: answers,
      replies: {
        "POST /rest/v1/user_verifications": { status: 500, body: { message: "boom" } },
      },
    });
    await choose(passport);
    await press("Continue");
    expect(
      await screen.findByText("Failed to upload verification document. Please try again."),
    ).toBeVisible();
    await heading("Confirm your identity");
  });

  it("needs no second document while one waits", async () => {
    open({ step: 8, data: answers, document: { status: "pending" } });
    expect(await screen.findByText(/Your document is being reviewed/)).toBeVisible();
    expect(screen.queryByLabelText("Identity document")).not.toBeInTheDocument();
    await press("Continue");
    await heading("Ready");
  });

  it("is closed after five rejections", async () => {
    open({ step: 8, data: answers, document: { status: "rejected" }, rejected: 5 });
    expect(
      await screen.findByText("Maximum verification attempts exceeded. Please contact support."),
    ).toBeVisible();
    expect(screen.getByRole("button", { name: "Continue" })).toBeDisabled();
  });
});

describe("the last step", () => {
  it("wants the terms agreed to", async () => {
    const view = open({ step: 9, data: answers });
    await press("Complete Onboarding");
    expect(
      await screen.findByText("Please agree to the terms and conditions to continue."),
    ).toBeVisible();
    expect(view.calls()).not.toContain("PATCH /rest/v1/profiles");
  });

  it.each([
    ["student", "/studentdash"],
    ["mentor", "/mentordash"],
  ])("opens the doors for a %s", async (role, target) => {
    const view = open({ step: 9, data: answers, role });
    await userEvent.click(await screen.findByRole("checkbox"));
    await press("Complete Onboarding");
    await waitFor(() => expect(window.location.pathname).toBe(target));
    expect(bodies(view, "PATCH /rest/v1/profiles")[0]).toMatchObject({ onboarding_complete: true });
    expect(bodies(view, "POST /rest/v1/user_levels")[0]).toMatchObject({
      user_id: adaId,
      current_level: 1,
      unlocked_levels: [0, 1],
    });
    expect(sessionStorage.length).toBe(0);
  });

  it("says when it did not work, and why as far as is known", async () => {
    open({
      step: 9,
      data: answers,
      replies: {
        "PATCH /rest/v1/profiles": { status: 400, body: { code: "FF103", message: "no document" } },
      },
    });
    await userEvent.click(await screen.findByRole("checkbox"));
    await press("Complete Onboarding");
    expect(
      await screen.findByText("Failed to complete onboarding. Please try again."),
    ).toBeVisible();
    expect(screen.getByText(/go back to step 8/i)).toBeVisible();
    expect(window.location.pathname).toBe("/onboarding");
  });
});
