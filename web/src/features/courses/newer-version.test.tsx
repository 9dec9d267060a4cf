import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

const courseId = "c0000000-0000-4000-8000-000000000001";
const path = `/business/courses/pricing/${courseId}`;

const lesson = (slug: string, order: number, done = false) => ({
  id: `m-${slug}`,
  slug,
  title: `Lesson ${slug}`,
  content: `The text of ${slug}.`,
  module_order: order,
  video_url: null,
  estimated_duration: 20,
  completions: done ? [{ module_id: `m-${slug}` }] : [],
});

const certificate = (id: string, isRevoked: boolean) => ({
  id,
  course_id: courseId,
  course: "Ask for more",
  completed_on: "2026-11-02",
  is_revoked: isRevoked,
});

/** A course whose second lesson was replaced after the member had completed the first. */
function open({ failing = false, completed = false, address = path } = {}) {
  const state = { version: 1 };
  return renderApp(address, {
    session: sessionOf(),
    rows: memberRows({ level: 3 }),
    reply: ({ call }) => {
      switch (call) {
        case "GET /rest/v1/courses":
          return {
            body: [
              {
                id: courseId,
                slug: "pricing",
                title: "Ask for more",
                description: "",
                thumbnail_url: null,
                is_free: true,
                price: 0,
                estimated_duration: 40,
                difficulty_level: "beginner",
                enrollment_count: 1,
                rating_count: 0,
                rating_sum: 0,
                module_count: 2,
                version: 2,
                subcategory: { slug: "pricing", name: "Pricing" },
                mentor: null,
                enrollments: [
                  {
                    progress_percentage: 50,
                    completed_at: completed ? "2026-11-02T00:00:00Z" : null,
                    course_version: state.version,
                  },
                ],
                modules: [lesson("one", 1, true), lesson("new", 2)],
              },
            ],
          };
        case "POST /rest/v1/rpc/enrolled_course_version":
          return { body: [lesson("one", 1, true), lesson("old", 2)] };
        case "POST /rest/v1/rpc/take_newest_version":
          if (failing) return { status: 400, body: { code: "FF405", message: "No" } };
          state.version = 2;
          return { status: 204 };
        case "POST /rest/v1/rpc/my_achievements":
          return {
            body: {
              earned: [],
              next: [],
              streak: { weeks: 0, is_active_this_week: true },
              is_shown: true,
              certificates: [certificate("revoked", true), certificate("valid", false)],
              shared: [],
            },
          };
        case "POST /rest/v1/rpc/questions_of":
          return { body: { may_ask: true, may_answer: false, may_remove: false, items: [] } };
        default:
          return undefined;
      }
    },
  });
}

const titles = async () =>
  within(await screen.findByRole("complementary", { name: "Course modules" }))
    .getAllByRole("link")
    .map(({ textContent }) => textContent)
    .filter((text) => text.includes("Lesson"));

const offer = "A newer version of this course is out";

describe("a newer version of a course", () => {
  it("leaves the lessons one knows, and moves by choice", async () => {
    const { calls } = open();
    expect(await screen.findByText(offer)).toBeVisible();
    expect((await titles()).join()).toMatch(/Lesson one.*Lesson old/);
    // Nobody can ask under a lesson that is no longer there.
    expect(await screen.findByRole("heading", { level: 2, name: "Lesson old" })).toBeVisible();
    expect(calls()).not.toContain("POST /rest/v1/rpc/questions_of");
    await userEvent.click(screen.getByRole("button", { name: "Move to it" }));
    await userEvent.click(screen.getByRole("button", { name: "Stay" }));
    expect(calls()).not.toContain("POST /rest/v1/rpc/take_newest_version");
    await userEvent.click(screen.getByRole("button", { name: "Move to it" }));
    await userEvent.click(screen.getByRole("button", { name: "Move to the newer version" }));
    await waitFor(() => expect(screen.queryByText(offer)).not.toBeInTheDocument());
    expect((await titles()).join()).toMatch(/Lesson one.*Lesson new/);
    expect((await titles()).join()).not.toContain("Lesson old");
  });

  it("says when moving failed, and keeps the lessons one knows", async () => {
    open({ failing: true });
    await userEvent.click(await screen.findByRole("button", { name: "Move to it" }));
    await userEvent.click(screen.getByRole("button", { name: "Move to the newer version" }));
    expect(
      await screen.findByText(/^We couldn't move you to the newer version\./),
    ).toBeInTheDocument();
    expect(screen.getByText(offer)).toBeInTheDocument();
    expect(screen.getByRole("heading", { level: 2, name: "Lesson old" })).toBeInTheDocument();
  });

  it("is what a member who has completed the course reads", async () => {
    const { calls } = open({ completed: true });
    expect((await titles()).join()).toMatch(/Lesson one.*Lesson new/);
    expect(screen.queryByText(offer)).not.toBeInTheDocument();
    expect(calls()).not.toContain("POST /rest/v1/rpc/enrolled_course_version");
  });

  it("leads members who have completed the course to their certificate, and no others", async () => {
    const { unmount } = open({ completed: true, address: `${path}?module=one` });
    expect(await screen.findByRole("link", { name: "See your certificate" })).toHaveAttribute(
      "href",
      "/certificates/valid",
    );
    unmount();
    open({ address: `${path}?module=one` });
    expect(await screen.findByText("Completed")).toBeVisible();
    expect(screen.queryByRole("link", { name: "See your certificate" })).not.toBeInTheDocument();
  });
});
