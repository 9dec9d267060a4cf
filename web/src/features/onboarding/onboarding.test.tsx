import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, type Reply } from "@/app/testing/test-app.tsx";
import { answers, bodies, heading, open, press, saved } from "./testing/wizard.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

describe("the wizard", () => {
  it("begins at the first step and saves every advance", async () => {
    const view = open();
    await heading("Welcome");
    const bar = screen.getByRole("progressbar", { name: "Onboarding" });
    expect(bar).toHaveAttribute("aria-valuenow", "11");
    expect(screen.getByText("Next: four levels, and what each one opens")).toBeVisible();
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

  it("goes back a step by the browser's own Back, to the first as well", async () => {
    const { router } = open();
    await heading("Welcome");
    await press("Continue");
    await heading("Four levels");
    await act(() => router.navigate(-1));
    await heading("Welcome");
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
