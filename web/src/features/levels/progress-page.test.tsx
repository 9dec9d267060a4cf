import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const progress = {
  current_level: 2,
  chat_rooms_opened: ["a", "b", "c", "d", "e"],
  learning_submissions: 4,
  message_engagements: 60,
  articles_read_by_category: { general: ["x", "y"] },
  courses_completed_by_category: {},
  level_completed_at: "2026-11-03T10:00:00+00:00",
  updated_at: "2026-11-21T10:00:00+00:00",
};

const event = (id: number, differs: object = {}) => ({
  id,
  kind: "message",
  category: null,
  reference: `m${id}`,
  label: `Message ${id}`,
  path: "/chats/general",
  happened_at: "2026-11-20T10:00:00+00:00",
  ...differs,
});

function open(path = "/progress", replies: Record<string, Reply> = {}, level = 2) {
  const world = { replies };
  const view = renderApp(path, {
    session: sessionOf(),
    rows: {
      ...memberRows({ level }),
      user_progress: progress,
      level_completions: [{ level: 1, completed_at: "2026-11-03T10:00:00+00:00" }],
    },
    reply: ({ call, body }) => {
      const fixed = world.replies[call];
      if (fixed) return fixed;
      if (call.endsWith("/rpc/engagement_rank")) {
        return {
          body: [{ engagements: 60, percentile: 76.5, members: 41, label: "Top 25% Active" }],
        };
      }
      if (call.endsWith("/rpc/progress_history")) {
        return {
          body: [
            {
              day: new Date().toISOString().slice(0, 10),
              engagements: 12,
              rooms: 1,
              submissions: 2,
              articles: 2,
              courses: 0,
            },
          ],
        };
      }
      if (call.endsWith("/rpc/progress_evidence")) {
        const before = (body as { before_id?: number }).before_id ?? 41;
        const ids = Array.from({ length: before > 11 ? 30 : 10 }, (_, index) => before - 1 - index);
        return { body: ids.map((id) => event(id, id === 39 ? { label: null, path: null } : {})) };
      }
      return undefined;
    },
  });
  return { ...view, world };
}

const row = (name: RegExp) => screen.findByRole("button", { name });

describe("a step that asks for rooms", () => {
  it("leads from Progress and from a locked section to the room that was never opened", async () => {
    const replies: Record<string, Reply> = {
      "GET /rest/v1/user_progress": { body: [{ ...progress, chat_rooms_opened: ["general"] }] },
      "POST /rest/v1/rpc/my_next_room": { body: "wins" },
    };
    open("/progress", replies, 1);
    const step = await screen.findByRole("link", { name: "Open another chat room" });
    await waitFor(() => expect(step).toHaveAttribute("href", "/chats/wins"));
    await userEvent.click(screen.getAllByRole("button", { name: /^Library/ })[0] as Element);
    const door = within(await screen.findByRole("dialog", { name: "Library opens at Level 2" }));
    expect(door.getByRole("link", { name: "Open another chat room" })).toHaveAttribute(
      "href",
      "/chats/wins",
    );
  });
});

describe("/progress", () => {
  it("names the level, shows the whole of 648 in one ring, and the rank as a sentence", async () => {
    open();
    expect(await screen.findByRole("heading", { name: "Level 2: Knowledge" })).toBeVisible();
    expect(screen.getByRole("progressbar", { name: "Overall completion" })).toHaveAttribute(
      "aria-valuetext",
      "11 per cent, 70 of 648",
    );
    expect(await screen.findByText("Top 25% Active")).toBeVisible();
    expect(
      screen.getByText("With 60 engagements you are ahead of 76.5% of all 41 members."),
    ).toBeVisible();
  });

  it("has the member's own goals beside the next step", async () => {
    open("/progress", {
      "GET /rest/v1/onboarding_responses": {
        body: [
          { question: "goals_6_months", answer: "Three <b>clients</b>" },
          { question: "goals_1_year", answer: "Half my income" },
        ],
      },
    });
    const step = await screen.findByRole("region", { name: "Your next step" });
    expect(within(step).getByText(/Read 23 more Knowledge articles on your way/)).toBeVisible();
    expect(within(step).getByRole("link", { name: "Read a Knowledge article" })).toBeVisible();
    const goals = await screen.findByRole("region", { name: "Your goals" });
    expect(within(goals).getByText("Three <b>clients</b>")).toBeVisible();
    expect(within(goals).getByText(/Only you see your goals/)).toBeVisible();
  });

  it("says what each level asks for, how much is done and what is behind one", async () => {
    open();
    expect(await row(/^Chat rooms opened 5 of 5 at level 1/)).toBeVisible();
    expect(await row(/^Learning submissions 3 of 3 at level 1/)).toBeVisible();
    expect(await row(/^Message engagements 50 of 50 at level 1/)).toBeVisible();
    expect(await row(/^Articles read 2 of 25 at level 2/)).toBeVisible();
    expect(await row(/^Message engagements 60 of 150 at level 2/)).toBeVisible();
    expect(await row(/^Courses completed 0 of 5 at level 4/)).toBeVisible();
    expect(screen.getByText("Done on 3 November 2026")).toBeVisible();
    const now = screen.getByText("Now").closest("li");
    expect(now).toHaveAttribute("aria-current", "step");
  });

  it("shows the requirements of level_requirements, and an overall total that follows them", async () => {
    const requirement = (level: number, kind: string, needed: number) => ({
      level,
      kind,
      needed,
      category: null,
    });
    open("/progress", {
      "GET /rest/v1/level_requirements": {
        body: [
          requirement(1, "rooms", 7),
          requirement(2, "submissions", 4),
          requirement(3, "engagements", 89),
        ],
      },
    });
    expect(await row(/^Chat rooms opened 5 of 7 at level 1/)).toBeVisible();
    expect(await row(/^Learning submissions 4 of 4 at level 2/)).toBeVisible();
    expect(await row(/^Message engagements 60 of 89 at level 3/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Articles read/ })).not.toBeInTheDocument();
    expect(screen.getByRole("progressbar", { name: "Overall completion" })).toHaveAttribute(
      "aria-valuetext",
      "69 per cent, 69 of 100",
    );
  });

  it("has the evidence behind a figure one click away, page by page", async () => {
    const { seen } = open();
    await userEvent.click(await row(/^Message engagements 60 of 150/));
    const sheet = await screen.findByRole("dialog", { name: "Message engagements" });
    expect(await within(sheet).findByRole("link", { name: "Message 40" })).toHaveAttribute(
      "href",
      "/chats/general",
    );
    expect(within(sheet).getByText("No longer available, but it still counts")).toBeVisible();
    expect(within(sheet).getAllByRole("listitem")).toHaveLength(30);
    expect(window.location.search).toBe("?evidence=engagements");
    await userEvent.click(within(sheet).getByRole("button", { name: "Show earlier" }));
    expect(await within(sheet).findByRole("link", { name: "Message 1" })).toBeVisible();
    expect(within(sheet).queryByRole("button", { name: "Show earlier" })).toBeNull();
    const asked = seen
      .filter(({ call }) => call.endsWith("/rpc/progress_evidence"))
      .map(({ body }) => body);
    expect(asked).toEqual([
      { kind: "engagements", page_size: 30 },
      { kind: "engagements", before_id: 11, page_size: 30 },
    ]);
    await userEvent.click(within(sheet).getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(window.location.search).toBe("");
  });

  it("leads from a submission to that submission, and never out of the product", async () => {
    open("/progress?evidence=submissions", {
      "POST /rest/v1/rpc/progress_evidence": {
        body: [
          event(2, { kind: "submission", label: "Mine", path: "/learning/submissions" }),
          event(1, { label: "Odd", path: "//evil.example" }),
        ],
      },
    });
    expect(await screen.findByRole("link", { name: "Mine" })).toHaveAttribute(
      "href",
      "/learning/submissions?submission=m2",
    );
    expect(screen.getByText("Odd")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Odd" })).toBeNull();
  });

  it("draws what was done over time, with the same figures as a table", async () => {
    const { seen } = open();
    expect(
      await screen.findByRole("img", { name: /^Message engagements: 12 in 90 days/ }),
    ).toBeVisible();
    await userEvent.click(screen.getByText("Figures as a table"));
    const table = screen.getByRole("table", { name: /^What you did in \d+ days, newest first$/ });
    expect(within(table).getAllByRole("row")).toHaveLength(14);
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent(/12.*1.*2.*2.*0$/);
    await userEvent.click(screen.getByRole("link", { name: "30 days" }));
    expect(
      await screen.findByRole("img", { name: /^Message engagements: 12 in 30 days/ }),
    ).toBeVisible();
    expect(window.location.search).toBe("?days=30");
    expect(seen.filter(({ call }) => call.endsWith("/progress_history")).at(-1)?.body).toEqual({
      days: 30,
    });
  });

  it("can be tried again where something did not come", async () => {
    const down = { status: 500, body: { code: "XX000", message: "boom" } };
    const { world } = open("/progress", {
      "GET /rest/v1/user_progress": down,
    });
    expect(await screen.findByText("Your progress couldn't be loaded")).toBeVisible();
    world.replies = {
      "POST /rest/v1/rpc/engagement_rank": down,
      "POST /rest/v1/rpc/progress_history": down,
    };
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "Level 2: Knowledge" })).toBeVisible();
    expect(await screen.findByText("The charts couldn't be loaded")).toBeVisible();
    expect(screen.getByText("Your engagement rank couldn't be loaded.")).toBeVisible();
  });
});
