import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

const courseId = "c0000000-0000-4000-8000-000000000001";
const lesson = (slug: string, order: number) => ({
  id: `m-${slug}`,
  slug,
  title: `Lesson ${slug}`,
  content: `The text of ${slug}.`,
  module_order: order,
  video_url: null,
  estimated_duration: 20,
  completions: [],
});

/** A bought course whose second lesson was replaced since. */
function open({ failing = false } = {}) {
  const state = { version: 1 };
  return renderApp(`/your-courses/${courseId}`, {
    session: sessionOf(),
    // A buyer has a profile, and need not have a membership.
    rows: { profiles: memberRows()["profiles"] ?? null },
    reply: ({ call }) => {
      switch (call) {
        case "POST /rest/v1/rpc/bought_course":
          return {
            body: {
              id: courseId,
              slug: "pricing",
              title: "Ask for more",
              description: "",
              thumbnail_url: null,
              is_free: false,
              price: 40,
              estimated_duration: 40,
              difficulty_level: "beginner",
              enrollment_count: 1,
              module_count: 2,
              version: 2,
              subcategory: { slug: "pricing", name: "Pricing" },
              mentor: null,
              enrollments: [
                { progress_percentage: 0, completed_at: null, course_version: state.version },
              ],
              modules: [lesson("one", 1), lesson(state.version === 1 ? "old" : "new", 2)],
            },
          };
        case "POST /rest/v1/rpc/take_newest_bought_version":
          if (failing) return { status: 400, body: { code: "FF856", message: "No" } };
          state.version = 2;
          return { status: 204 };
        default:
          return undefined;
      }
    },
  });
}

const offer = "A newer version of this course is out";

async function titles(): Promise<string> {
  const list = await screen.findByRole("complementary", { name: "Course modules" });
  const links = within(list).getAllByRole("link");
  return links.map(({ textContent }) => textContent).join();
}

describe("a newer version of a bought course", () => {
  it("leaves the lessons that were bought, and moves by choice", async () => {
    open();
    expect(await screen.findByText(offer)).toBeVisible();
    expect(await titles()).toMatch(/Lesson one.*Lesson old/);
    await userEvent.click(screen.getByRole("button", { name: "Move to it" }));
    await userEvent.click(screen.getByRole("button", { name: "Move to the newer version" }));
    await waitFor(() => expect(screen.queryByText(offer)).not.toBeInTheDocument());
    expect(await titles()).toMatch(/Lesson one.*Lesson new/);
  });

  it("says when moving failed", async () => {
    open({ failing: true });
    await userEvent.click(await screen.findByRole("button", { name: "Move to it" }));
    await userEvent.click(screen.getByRole("button", { name: "Move to the newer version" }));
    expect(
      await screen.findByText(/^We couldn't move you to the newer version\./),
    ).toBeInTheDocument();
    expect(await titles()).toMatch(/Lesson old/);
  });
});
