import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { adaId, memberRows, nothingTold, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

const courseId = "c0000000-0000-4000-8000-000000000001";
const listPath = "/business/courses/pricing";

const card = (name: string, differs: object = {}) => ({
  id: name,
  slug: name.toLowerCase().replaceAll(" ", "-"),
  title: name,
  description: `What ${name} teaches.`,
  thumbnail_url: null,
  is_featured: false,
  is_free: true,
  price: 0,
  estimated_duration: 95,
  difficulty_level: "beginner",
  enrollment_count: 0,
  module_count: 3,
  created_at: "2026-11-01T00:00:00Z",
  mentor_id: null,
  mentor_first_name: null,
  rating: null,
  rating_count: 0,
  rating_sum: 0,
  mentor_role: null,
  is_enrolled: false,
  progress_percentage: 0,
  completed_at: null,
  ...differs,
});

/** A course of one lesson, finished or not. */
const taken = (finished: boolean) => ({
  ...card("Ask for more"),
  id: courseId,
  is_published: true,
  subcategory: { slug: "pricing", name: "Pricing" },
  mentor: null,
  enrollments: [
    {
      progress_percentage: finished ? 100 : 0,
      completed_at: finished ? "2026-11-02T00:00:00Z" : null,
    },
  ],
  modules: [
    {
      id: "m1",
      slug: "one",
      title: "Lesson one",
      content: "The text.",
      module_order: 1,
      video_url: null,
      estimated_duration: 20,
      completions: finished ? [{ module_id: "m1" }] : [],
    },
  ],
});

const access = { category: "business", required_level: 3, level: 3, is_open: true };

/** A subcategory of the level as the home of a shelf shows it. */
const topic = (slug: string, done: number) => ({
  id: slug,
  slug,
  name: slug,
  description: "",
  color: "#0f766e",
  icon: "tag",
  item_count: 2,
  free_count: 2,
  done_count: done,
});

/** What the server says of a membership that has ended. */
function ended(call: string) {
  if (call === "GET /rest/v1/stripe_subscriptions") {
    const row = { customer_id: "cus_1", subscription_id: "sub_1", status: "canceled" };
    return { body: [row] };
  }
  if (call.endsWith("/rpc/effective_level")) return { body: 0 };
  if (!call.endsWith("/rpc/my_notifications")) return undefined;
  const told = { id: 9, created_at: "2026-11-20T10:00:00+00:00", unread: true, others: 0 };
  const item = { ...told, detail: null, actor: null, kind: "membership_ended" };
  return { body: { ...nothingTold, unread: 1, items: [item] } };
}

const achieved = {
  earned: [],
  next: [],
  streak: { weeks: 0, is_active_this_week: true },
  is_shown: true,
  certificates: [
    {
      id: "cert",
      course_id: courseId,
      course: "Ask for more",
      completed_on: "2026-11-02",
      is_revoked: false,
    },
  ],
  shared: [],
};

function open(
  items: readonly object[],
  finished = true,
  homes: readonly object[] = [],
  isOver = () => false,
) {
  return renderApp(`${listPath}/${courseId}`, {
    session: sessionOf(),
    rows: memberRows({ level: 3 }),
    reply: ({ call, body }) => {
      const over = isOver() ? ended(call) : undefined;
      if (over !== undefined) return over;
      if (call === "GET /rest/v1/courses") return { body: [taken(finished)] };
      if (call.endsWith("/rpc/my_achievements")) return { body: achieved };
      if (call.endsWith("/rpc/rating_of")) {
        return { body: { count: 0, average: null, may_rate: finished, own: null } };
      }
      if (call === "POST /rest/v1/rpc/category_home") {
        const { shelf } = body as { shelf: string };
        return { body: { ...access, shelf, subcategories: homes } };
      }
      if (call !== "POST /rest/v1/rpc/subcategory_page") return undefined;
      const isOther = (body as { slug: string }).slug === "selling";
      return {
        body: {
          ...access,
          shelf: "courses",
          subcategory: {
            id: "s",
            slug: "pricing",
            name: "Pricing",
            description: "What to ask.",
            color: "#0f766e",
            icon: "tag",
          },
          items: isOther ? [card("Sell", { id: "c9" })] : items,
        },
      };
    },
  });
}

const done = { completed_at: "2026-11-01T00:00:00Z" };

it("asks for a rating where the course's end is read, before the way to other lessons", async () => {
  open([]);
  const rating = await screen.findByRole("region", { name: "What did you think of this course?" });
  const end = screen.getByText("Completed", { exact: false, selector: "p span span" });
  const way = screen.getByRole("navigation", { name: "Previous and next" });
  expect(end.compareDocumentPosition(rating)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(rating.compareDocumentPosition(way)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
const items = [
  card("Begin", { id: "first" }),
  card("Ask for more", { ...done, id: courseId }),
  card("Known", { ...done, id: "known" }),
  card("Say no", { id: "next" }),
];

it("a finished course says how many of its list are finished, and leads to the next that isn't", async () => {
  const all = open(items);
  expect(await screen.findByRole("link", { name: "Next course: Say no" })).toHaveAttribute(
    "href",
    `${listPath}/next`,
  );
  expect(screen.getByText("You've finished 2 of 4 courses here.")).toBeVisible();
  // What was earned comes before what is next.
  const links = ["See your certificate", "Next course: Say no", "Back to the courses"];
  await screen.findByRole("link", { name: links[0] ?? "" });
  expect(screen.getByRole("button", { name: "Share Ask for more" })).toBeVisible();
  const names = screen.getAllByRole("link").map(({ textContent }) => textContent);
  expect(names.filter((name) => links.includes(name))).toEqual(links);
  all.unmount();
  // The last of the list leads to one that was passed over.
  const last = open(items.slice(0, 3));
  expect(await screen.findByRole("link", { name: "Next course: Begin" })).toBeVisible();
  last.unmount();
  open(items.slice(1, 3));
  expect(await screen.findByText("You've finished 2 of 2 courses here.")).toBeVisible();
  expect(screen.queryByRole("link", { name: /^Next course/ })).not.toBeInTheDocument();
});

it("a course that isn't finished offers no next one", async () => {
  open([card("Ask for more", { id: courseId }), card("Say no")], false);
  expect(await screen.findByRole("button", { name: "Mark as Complete" })).toBeVisible();
  expect(screen.queryByRole("link", { name: /^Next course/ })).not.toBeInTheDocument();
});

it("the last course of its list leads to the next of the level", async () => {
  open([card("Ask for more", { ...done, id: courseId })], true, [
    topic("pricing", 2),
    topic("selling", 0),
  ]);
  expect(await screen.findByRole("link", { name: /^Next for you/ })).toHaveAttribute(
    "href",
    "/business/courses/selling/c9",
  );
});

it("after the last course of a level nothing is promised", async () => {
  open([card("Ask for more", { ...done, id: courseId })], true, [topic("pricing", 2)]);
  expect(await screen.findByRole("link", { name: "Back to the courses" })).toBeVisible();
  expect(screen.queryByRole("link", { name: /^Next/ })).not.toBeInTheDocument();
});

it("an open lesson says that the membership has ended, and that nothing counts until it is back", async () => {
  let isOver = false;
  const { live } = open([], false, [], () => isOver);
  expect(await screen.findByRole("heading", { level: 2, name: "Lesson one" })).toBeVisible();
  await waitFor(() => expect(live.watchers("notifications")).toBe(1));
  isOver = true;
  live.change("INSERT", "notifications", { id: 9, user_id: adaId });
  expect(await screen.findByText(/^You can read this page to its end/)).toBeVisible();
  expect(screen.getByRole("link", { name: "See your membership" })).toBeVisible();
});
