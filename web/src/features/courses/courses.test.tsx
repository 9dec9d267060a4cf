import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});
const courseId = "c0000000-0000-4000-8000-000000000001";
const listPath = "/business/courses/pricing";
const path = `${listPath}/${courseId}`;

const syllabus = [{ title: "Ask first", minutes: 20 }];

const card = (name: string, differs: object = {}) => ({
  id: name,
  slug: name.toLowerCase().replaceAll(" ", "-"),
  title: name,
  description: `What ${name} teaches.`,
  thumbnail_url: null,
  is_featured: false,
  is_free: true,
  price: 0,
  estimated_duration: 140,
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

const shelf = (items: object[], differs: object = {}): Reply => ({
  body: {
    category: "business",
    shelf: "courses",
    required_level: 3,
    level: 3,
    is_open: true,
    subcategory: {
      id: "s",
      slug: "pricing",
      name: "Pricing",
      description: "What to ask.",
      color: "#0f766e",
      icon: "tag",
    },
    items,
    ...differs,
  },
});

/** A course of three modules on an invented server that keeps what was done. */
function inventCourse(differs: object = {}, films: readonly (string | null)[] = []) {
  const state = { enrolled: false, done: new Set<string>() };
  const modules = ["one", "two", "three"].map((slug, index) => ({
    id: `m-${slug}`,
    slug,
    title: `Lesson ${slug}`,
    content: `The text of ${slug}.\n\n## Exercise\n\nDo it.`,
    module_order: index + 1,
    video_url: films[index] ?? null,
    estimated_duration: 20,
  }));
  const row = () => ({
    ...card("Ask for more"),
    id: courseId,
    mentor_id: null,
    is_published: true,
    subcategory: { slug: "pricing", name: "Pricing" },
    mentor: { id: "helen", first_name: "Helen", last_name: "Okafor", role: "mentor" },
    enrollments: state.enrolled
      ? [
          {
            progress_percentage: Math.round((state.done.size / 3) * 100),
            completed_at: state.done.size === 3 ? "2026-11-02T00:00:00Z" : null,
          },
        ]
      : [],
    modules: state.enrolled
      ? modules.toReversed().map((each) => ({
          ...each,
          completions: state.done.has(each.id) ? [{ module_id: each.id }] : [],
        }))
      : [],
    ...differs,
  });
  return { state, row };
}

interface World {
  readonly items?: object[];
  readonly page?: Reply;
  readonly course?: ReturnType<typeof inventCourse>;
  readonly reply?: (call: string) => Reply | undefined;
}

function open(address: string, { items = [], page, course, reply }: World = {}) {
  return renderApp(address, {
    session: sessionOf(),
    rows: memberRows({ level: 3 }),
    reply: ({ call, body }) => {
      if (call === "POST /rest/v1/rpc/questions_of") {
        return { body: { may_ask: true, may_answer: false, may_remove: false, items: [] } };
      }
      if (call === "POST /rest/v1/rpc/course_syllabus") return { body: syllabus };
      const own = reply?.(call);
      if (own) return own;
      if (call === "POST /rest/v1/rpc/subcategory_page") return page ?? shelf(items);
      if (call === "GET /rest/v1/courses") return { body: course ? [course.row()] : [] };
      if (call === "POST /rest/v1/course_enrollments" && course) {
        course.state.enrolled = true;
        return { status: 201 };
      }
      if (call === "POST /rest/v1/module_completions" && course) {
        course.state.done.add((body as { module_id: string }).module_id);
        return { status: 201 };
      }
      return undefined;
    },
  });
}

const modulesAside = () => screen.findByRole("complementary", { name: "Course modules" });

describe("the courses of a subcategory", () => {
  it("are shown as cards with price, mentor, duration, difficulty, enrolled count and progress", async () => {
    open(listPath, {
      items: [
        card("Free start", { is_featured: true }),
        card("Ask for more", {
          is_free: false,
          price: 29.5,
          mentor_first_name: "Helen",
          difficulty_level: "advanced",
          enrollment_count: 1204,
          is_enrolled: true,
          progress_percentage: 67,
        }),
        card("Done with", {
          is_enrolled: true,
          progress_percentage: 100,
          completed_at: "2026-11-01T00:00:00Z",
        }),
      ],
    });
    const free = await screen.findByRole("article", { name: "Free start" });
    for (const text of ["Featured", "Free", "Fourfold", "2 h 20 min", "Beginner", "0 enrolled"]) {
      expect(within(free).getByText(text)).toBeVisible();
    }
    expect(within(free).queryByRole("progressbar")).not.toBeInTheDocument();
    const priced = screen.getByRole("article", { name: "Ask for more" });
    for (const text of ["£29.50", "Helen", "Advanced", "1,204 enrolled", "67% complete"]) {
      expect(within(priced).getByText(text)).toBeVisible();
    }
    expect(within(priced).getByText("· Included")).toBeVisible();
    expect(within(priced).queryByText("Complete")).not.toBeInTheDocument();
    expect(
      within(screen.getByRole("article", { name: "Done with" })).getByText("Complete"),
    ).toBeVisible();
  });

  it("may be none", async () => {
    open(listPath);
    expect(await screen.findByText("No courses yet")).toBeVisible();
  });

  it("show a message for an unknown subcategory", async () => {
    open(listPath, { page: shelf([], { subcategory: null }) });
    expect(await screen.findByRole("heading", { name: "Subcategory not found" })).toBeVisible();
  });
});

describe("the player", () => {
  it("asks the member to enrol first, and shows no modules before", async () => {
    const { seen } = open(path, { course: inventCourse({ is_free: false, price: 40 }) });
    expect(await screen.findByRole("heading", { level: 1, name: "Ask for more" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Helen Okafor" })).toHaveAttribute(
      "href",
      "/members/helen",
    );
    expect(screen.getByText("Mentor")).toHaveAttribute("data-role", "mentor");
    expect(screen.getByText("£40")).toBeVisible();
    expect(screen.getByText("3 modules")).toBeVisible();
    const aside = await modulesAside();
    expect(within(aside).getByText("Enroll to access course modules")).toBeVisible();
    expect((await within(aside).findAllByRole("listitem")).map((line) => line.textContent)).toEqual(
      ["1Ask first20 min"],
    );
    expect(within(aside).queryByRole("link")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Enroll in This Course" }));
    expect(await screen.findByRole("heading", { level: 2, name: "Lesson one" })).toBeVisible();
    expect(seen.find(({ call }) => call === "POST /rest/v1/course_enrollments")?.body).toEqual({
      user_id: adaId,
      course_id: courseId,
      enrolled_from: "other",
    });
    expect(within(await modulesAside()).getByText("0% complete")).toBeVisible();
  });

  it.each([
    ["each", ["one", "two", "three"], []],
    ["past one that is done", ["one", "three"], ["m-two"]],
  ])("completes the modules in order, each once: %s", async (_which, slugs, done) => {
    const course = inventCourse();
    course.state.enrolled = true;
    course.state.done = new Set(done);
    const { seen } = open(path, { course });
    for (const slug of slugs) {
      const title = { level: 2, name: `Lesson ${slug}` };
      expect(await screen.findByRole("heading", title)).toBeVisible();
      expect(await screen.findByText(`The text of ${slug}.`)).toBeVisible();
      expect(window.location.search).toBe(`?module=${slug}`);
      await userEvent.click(screen.getByRole("button", { name: "Mark as Complete" }));
      expect(await screen.findByText("Completed")).toBeVisible();
      const percent = Math.round((course.state.done.size * 100) / 3);
      expect(within(await modulesAside()).getByText(`${percent}% complete`)).toBeVisible();
      // The page turns once the tick is drawn.
      expect(screen.getByRole("heading", title)).toBeVisible();
      if (slug !== "three") {
        await waitFor(() => expect(screen.queryByRole("heading", title)).not.toBeInTheDocument());
        const next = await screen.findByRole("heading", { level: 2, name: /^Lesson/ });
        await waitFor(() => expect(next).toHaveFocus());
      }
    }
    expect(screen.getByText("Completed").parentElement).toHaveTextContent(
      "Completed · you've finished this course",
    );
    expect(screen.getByText("Complete")).toBeVisible();
    expect(screen.getByRole("link", { name: "Back to the courses" })).toHaveAttribute(
      "href",
      listPath,
    );
    expect(
      seen
        .filter(({ call }) => call === "POST /rest/v1/module_completions")
        .map(({ body }) => (body as { module_id: string }).module_id),
    ).toEqual(slugs.map((slug) => `m-${slug}`));
  });

  it("opens at the first module that is not completed, or at the one in the address", async () => {
    const course = inventCourse();
    course.state.enrolled = true;
    course.state.done.add("m-one");
    const { unmount } = open(path, { course });
    expect(await screen.findByRole("heading", { level: 2, name: "Lesson two" })).toBeVisible();
    const first = within(await modulesAside()).getAllByRole("link", { name: /Lesson one/ })[0];
    expect(first).toHaveAccessibleName(/completed/);
    unmount();
    open(`${path}?module=three`, { course });
    expect(await screen.findByRole("heading", { level: 2, name: "Lesson three" })).toBeVisible();
  });

  it("keeps a completion when a module is added to a finished course", async () => {
    const course = inventCourse({
      enrollments: [{ progress_percentage: 100, completed_at: "2026-11-01T00:00:00Z" }],
    });
    course.state.enrolled = true;
    course.state.done.add("m-one").add("m-two");
    open(path, { course });
    await userEvent.click(await screen.findByRole("button", { name: "Mark as Complete" }));
    expect(await screen.findByText("Completed")).toBeVisible();
    expect(within(await modulesAside()).getByText("100% complete")).toBeVisible();
    expect(screen.getByText("Complete")).toBeVisible();
  });

  it("loads a video from an allowed host only on request, in a sandbox", async () => {
    const course = inventCourse({}, ["https://www.youtube.com/watch?v=abcdefghijk"]);
    course.state.enrolled = true;
    const { container } = open(path, { course });
    const play = await screen.findByRole("button", { name: /Play video/ });
    expect(container.querySelector("iframe")).toBeNull();
    await userEvent.click(play);
    const frame = screen.getByTitle("Video: Lesson one");
    expect(frame).toHaveAttribute(
      "src",
      "https://www.youtube-nocookie.com/embed/abcdefghijk?autoplay=1&cc_load_policy=1",
    );
    expect(frame.getAttribute("sandbox")?.split(" ")).toEqual([
      "allow-scripts",
      "allow-same-origin",
      "allow-presentation",
    ]);
  });

  it("shows a video file with captions, and nothing from other hosts", async () => {
    const course = inventCourse({}, ["/films/one.mp4", "https://films.example/two"]);
    course.state.enrolled = true;
    const { container } = open(path, { course });
    const film = await screen.findByLabelText("Video: Lesson one");
    expect(film).toHaveAttribute("src", "/films/one.mp4");
    expect(film.querySelector("track")).toHaveAttribute("src", "/films/one.vtt");
    await userEvent.click(screen.getByRole("link", { name: /^Next/ }));
    expect(await screen.findByText(/don't load videos from/)).toBeVisible();
    expect(container.querySelector("iframe, video")).toBeNull();
  });

  it.each([
    ["enrolment", "POST /rest/v1/course_enrollments", "Enroll in This Course", false],
    ["completion", "POST /rest/v1/module_completions", "Mark as Complete", true],
  ])("only logs a failed %s and keeps the button", async (_what, failing, button, enrolled) => {
    const course = inventCourse();
    course.state.enrolled = enrolled;
    let broken = true;
    const { calls } = open(path, {
      course,
      reply: (call) =>
        broken && call === failing
          ? { status: 500, body: { code: "XX000", message: "boom" } }
          : undefined,
    });
    await userEvent.click(await screen.findByRole("button", { name: button }));
    await waitFor(() => expect(calls()).toContain(failing));
    await waitFor(() => expect(console.error).toHaveBeenCalled());
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    broken = false;
    // Pressed until it takes: for a moment the first try may still hold the button.
    await waitFor(async () => {
      const again = screen.queryByRole("button", { name: button });
      if (again) await userEvent.click(again);
      expect(screen.queryByRole("button", { name: button })).not.toBeInTheDocument();
    });
  });

  it.each([[path], [`${listPath}/some-course`]])("does not find %s", async (address) => {
    open(address);
    expect(await screen.findByRole("heading", { name: "Course not found" })).toBeVisible();
  });

  it("redirects to the list when the course fails to load", async () => {
    open(path, {
      items: [card("Free start")],
      reply: (call) =>
        call === "GET /rest/v1/courses"
          ? { status: 500, body: { code: "XX000", message: "boom" } }
          : undefined,
    });
    expect(await screen.findByRole("article", { name: "Free start" })).toBeVisible();
    expect(window.location.pathname).toBe(listPath);
  });
});
