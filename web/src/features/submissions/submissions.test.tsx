import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const grace = {
  id: "99999999-9999-4999-8999-999999999999",
  first_name: "Grace",
  last_name: "Hopper",
  role: "mentor",
  occupation: "Admiral",
};
const ada = {
  id: adaId,
  first_name: "Ada",
  last_name: "Lovelace",
  role: "student",
  occupation: null,
};

function rowOf(id: string, differs: object = {}) {
  return {
    id,
    user_id: grace.id,
    submission_type: "success",
    title: `Title ${id}`,
    content: `Content of ${id}`,
    image_url: null,
    is_featured: false,
    like_count: 2,
    comment_count: 0,
    created_at: "2026-11-20T10:00:00+00:00",
    author: grace,
    likes: [],
    ...differs,
  };
}

interface Situation {
  readonly path?: string;
  readonly rows?: readonly object[];
  readonly role?: string;
  readonly comments?: object[];
  readonly replies?: Record<string, Reply>;
}

function open({ path, rows = [rowOf("s1")], role, comments = [], replies = {} }: Situation = {}) {
  const world = { rows: [...rows], comments, replies };
  const view = renderApp(path ?? "/learning/submissions", {
    session: sessionOf(),
    rows: memberRows(role ? { role } : {}),
    reply: ({ call }) => {
      const fixed = world.replies[call];
      if (fixed) return fixed;
      if (call === "GET /rest/v1/learning_submissions") return { body: world.rows };
      if (call === "GET /rest/v1/learning_submission_comments") return { body: world.comments };
      return undefined;
    },
  });
  return { ...view, world };
}

const card = (title: string) => screen.findByRole("article", { name: title });

describe("/learning/submissions", () => {
  it("shows the author's picture from the product's own bucket, whatever the row says", async () => {
    const avatar_url = "https://elsewhere.test/grace-1.jpg?track=me";
    open({ rows: [rowOf("s1", { author: { ...grace, avatar_url } })] });
    expect((await card("Title s1")).querySelector("img")?.src).toBe(
      "http://backend.test/storage/v1/object/public/profile-pictures/grace-1.jpg",
    );
  });

  it("shows type, author, text and counts, and a link to create one", async () => {
    open({ rows: [rowOf("s1", { is_featured: true, image_url: "/x/learning-images/u-1.png" })] });
    const shown = await card("Title s1");
    expect(within(shown).getByText("Success")).toHaveAttribute("data-type", "success");
    expect(within(shown).getByText("Success")).toHaveTextContent("🏆");
    expect(within(shown).getByText("Grace Hopper")).toBeVisible();
    expect(within(shown).getByText("Mentor")).toBeVisible();
    expect(within(shown).getByText("Content of s1")).toBeVisible();
    expect(within(shown).getByText("Featured")).toBeVisible();
    expect(within(shown).getByRole("button", { name: "Like 2" })).toBeVisible();
    expect(within(shown).getByRole("img")).toHaveAttribute(
      "src",
      "http://backend.test/storage/v1/object/public/learning-images/u-1.png",
    );
    expect(within(shown).getByRole("img")).toHaveAccessibleName(
      "Shown by Grace Hopper with “Title s1”; opens in full",
    );
    expect(screen.getByRole("link", { name: "New Submission" })).toHaveAttribute(
      "href",
      "/learning/create",
    );
  });

  it("never shows a picture from anywhere but the product's own bucket", async () => {
    open({ rows: [rowOf("s1", { image_url: "https://evil.example/track.png?x=1" })] });
    expect(within(await card("Title s1")).getByRole("img")).toHaveAttribute(
      "src",
      "http://backend.test/storage/v1/object/public/learning-images/track.png",
    );
  });

  it("filters by type, with the filter in the address", async () => {
    const { calls } = open();
    await card("Title s1");
    const filter = screen.getByRole("navigation", { name: "Filter by type" });
    expect(
      within(filter)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual([
      "✳️All",
      "🤝Pact",
      "📈Progress report",
      "🔄Before and after",
      "🌧️Failure",
      "🏆Success",
    ]);
    const before = calls().length;
    await userEvent.click(within(filter).getByRole("link", { name: "Failure" }));
    expect(window.location.search).toBe("?type=failure");
    expect(within(filter).getByRole("link", { name: "Failure" })).toHaveAttribute(
      "aria-current",
      "true",
    );
    await waitFor(() => expect(calls().length).toBeGreaterThan(before));
  });

  it("explains an empty feed, and offers a retry after a failure", async () => {
    const view = open({ path: "/learning/submissions?type=failure", rows: [] });
    expect(await screen.findByText("No failures yet")).toBeVisible();
    view.unmount();
    const down = { status: 500, body: { code: "XX000", message: "boom" } };
    const { world } = open({ replies: { "GET /rest/v1/learning_submissions": down } });
    expect(await screen.findByText("We couldn't load the submissions")).toBeVisible();
    world.replies = {};
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await card("Title s1")).toBeVisible();
  });

  it("tells a member without an active membership why the feed is empty", async () => {
    open({ rows: [], replies: { "POST /rest/v1/rpc/effective_level": { body: 0 } } });
    expect(await screen.findByText("Your membership is not active")).toBeVisible();
    expect(screen.getByRole("link", { name: "See your membership" })).toHaveAttribute(
      "href",
      "/subscriptions",
    );
    expect(screen.queryByText("Nothing has been shared yet")).not.toBeInTheDocument();
  });

  it("tells a member without an active membership why a linked submission is not shown", async () => {
    open({
      path: "/learning/submissions?submission=s9",
      rows: [],
      replies: { "POST /rest/v1/rpc/effective_level": { body: 0 } },
    });
    expect(await screen.findByText("Your membership is not active")).toBeVisible();
    expect(screen.queryByText("Submission not found")).not.toBeInTheDocument();
  });

  it("shows new submissions, counts and deletions live", async () => {
    const { live, world } = open();
    await card("Title s1");
    await waitFor(() => expect(live.watchers("learning_submissions")).toBe(1));
    const { author: _author, likes: _likes, ...bare } = rowOf("s2");
    world.rows = [rowOf("s2")];
    act(() => live.change("INSERT", "learning_submissions", bare));
    expect(await card("Title s2")).toBeVisible();
    const titles = screen.getAllByRole("article").map((each) => within(each).getByRole("heading"));
    expect(titles.map((each) => each.textContent)).toEqual(["Title s2", "Title s1"]);
    act(() => live.change("UPDATE", "learning_submissions", { ...bare, like_count: 9 }));
    expect(
      await within(await card("Title s2")).findByRole("button", { name: "Like 9" }),
    ).toBeVisible();
    act(() => live.change("DELETE", "learning_submissions", { id: "s1" }));
    await waitFor(() =>
      expect(screen.queryByRole("article", { name: "Title s1" })).not.toBeInTheDocument(),
    );
  });

  it("keeps live changes that arrive while the feed is loading", async () => {
    const { author: _author, likes: _likes, ...bare } = rowOf("s1", { like_count: 3 });
    const held = Promise.withResolvers<void>();
    let asked = 0;
    const { live } = renderApp("/learning/submissions", {
      session: sessionOf(),
      rows: memberRows(),
      reply: async ({ call }) => {
        if (call !== "GET /rest/v1/learning_submissions") return undefined;
        asked += 1;
        // The first time the page opens; then it has joined, and reads again what it may have
        // missed.
        if (asked === 2) await held.promise;
        return { body: [rowOf("s1"), rowOf("s2")] };
      },
    });
    await card("Title s1");
    await waitFor(() => expect(asked).toBe(2));
    act(() => live.change("UPDATE", "learning_submissions", bare));
    act(() => live.change("DELETE", "learning_submissions", { id: "s2" }));
    await userEvent.click(
      await within(await card("Title s1")).findByRole("button", { name: "Like 3" }),
    );
    await act(async () => {
      held.resolve();
      await held.promise;
    });
    await waitFor(() => expect(screen.queryByRole("progressbar")).not.toBeInTheDocument());
    expect(
      await within(await card("Title s1")).findByRole("button", { name: "Like 4" }),
    ).toBePressed();
    expect(screen.queryByRole("article", { name: "Title s2" })).not.toBeInTheDocument();
  });

  it("shows a like at once, and reverts it when it was not saved", async () => {
    const { seen, world } = open();
    const shown = await card("Title s1");
    await userEvent.click(within(shown).getByRole("button", { name: "Like 2" }));
    expect(await within(shown).findByRole("button", { name: "Like 3" })).toBePressed();
    const likes = seen.filter(({ call }) => call.endsWith("/learning_submission_likes"));
    expect(likes).toEqual([
      {
        call: "POST /rest/v1/learning_submission_likes",
        body: { user_id: adaId, submission_id: "s1" },
      },
    ]);
    world.replies = {
      "DELETE /rest/v1/learning_submission_likes": { status: 500, body: { message: "no" } },
    };
    await userEvent.click(within(shown).getByRole("button", { name: "Like 3" }));
    expect(await screen.findByText(/^We couldn't save your like/)).toBeVisible();
    expect(await within(shown).findByRole("button", { name: "Like 3" })).toBePressed();
  });

  it("keeps the text of a comment and shows when to retry after a rate limit", async () => {
    open({
      rows: [rowOf("s1")],
      comments: [],
      replies: {
        "POST /rest/v1/learning_submission_comments": {
          status: 429,
          body: { code: "over_request_rate_limit", message: "Too many requests." },
          headers: { "retry-after": "4" },
        },
      },
    });
    const shown = await card("Title s1");
    await userEvent.click(within(shown).getByRole("button", { name: "Comments 0" }));
    await userEvent.type(await within(shown).findByLabelText("Your comment"), "Thank you");
    await userEvent.click(within(shown).getByRole("button", { name: "Comment" }));
    const message = "You’re going a little fast. Try again in 4 seconds.";
    expect(await within(shown).findByText(message)).toBeVisible();
    expect(within(shown).getByLabelText("Your comment")).toHaveValue("Thank you");
  });

  it("adds a comment, keeps its text after a failure, and stores it once", async () => {
    const comment = { id: "c1", user_id: grace.id, content: "Well done", author: grace };
    const { seen, world } = open({
      rows: [rowOf("s1", { comment_count: 1 })],
      comments: [{ ...comment, created_at: "2026-11-20T11:00:00+00:00" }],
      replies: {
        "POST /rest/v1/learning_submission_comments": {
          status: 400,
          body: { code: "FF300", message: "You are going too fast. Wait a moment and try again." },
        },
      },
    });
    const shown = await card("Title s1");
    await userEvent.click(within(shown).getByRole("button", { name: "Comments 1" }));
    expect(await within(shown).findByText("Well done")).toBeVisible();
    expect(within(shown).queryByRole("button", { name: /^Delete the comment/ })).toBeNull();
    await userEvent.type(within(shown).getByLabelText("Your comment"), "  Thank you  ");
    await userEvent.click(within(shown).getByRole("button", { name: "Comments 1" }));
    expect(within(shown).queryByRole("region")).toBeNull();
    await userEvent.click(within(shown).getByRole("button", { name: "Comments 1" }));
    await userEvent.click(within(shown).getByRole("button", { name: "Comment" }));
    expect(await within(shown).findByText(/^You are going too fast/)).toBeVisible();
    expect(within(shown).getByLabelText("Your comment")).toHaveValue("  Thank you  ");
    world.replies = {};
    await userEvent.click(within(shown).getByRole("button", { name: "Comment" }));
    await waitFor(() => expect(within(shown).getByLabelText("Your comment")).toHaveValue(""));
    const bodies = seen
      .filter(({ call }) => call === "POST /rest/v1/learning_submission_comments")
      .map(({ body }) => body as { id: string; content: string });
    expect(bodies.map(({ content }) => content)).toEqual(["Thank you", "Thank you"]);
    expect(bodies[0]?.id).toBe(bodies[1]?.id);
  });

  it("lets an author delete after confirming, and only an administrator feature", async () => {
    const { seen } = open({ rows: [rowOf("s1", { user_id: adaId, author: ada })] });
    await userEvent.click(await screen.findByRole("button", { name: "More about “Title s1”" }));
    expect(screen.queryByRole("menuitem", { name: "Feature" })).toBeNull();
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    const question = await screen.findByRole("alertdialog", { name: "Delete this submission?" });
    await userEvent.click(within(question).getByRole("button", { name: "Delete submission" }));
    await waitFor(() => expect(screen.queryByRole("article")).not.toBeInTheDocument());
    expect(seen.find(({ call }) => call.endsWith("/rpc/delete_submission"))?.body).toEqual({
      submission_id: "s1",
    });
  });

  it("lets no other member delete, and lets administrators feature", async () => {
    const view = open();
    await userEvent.click(await screen.findByRole("button", { name: "More about “Title s1”" }));
    expect(await screen.findByRole("menuitem", { name: "Copy link" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: "Delete" })).toBeNull();
    view.unmount();
    const { seen } = open({ role: "admin" });
    await userEvent.click(await screen.findByRole("button", { name: "More about “Title s1”" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Feature" }));
    expect(await screen.findByText("Featured")).toBeVisible();
    expect(seen.find(({ call }) => call.endsWith("/rpc/feature_submission"))?.body).toEqual({
      submission_id: "s1",
      featured: true,
    });
  });

  it("shows the linked submission", async () => {
    open({ path: "/learning/submissions?submission=aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa" });
    expect(await card("Title s1")).toBeVisible();
    await userEvent.click(screen.getByRole("link", { name: "All submissions" }));
    expect(window.location.search).toBe("");
  });

  it("reports a broken link, without a request for an invalid id", async () => {
    const { calls } = open({ path: "/learning/submissions?submission=nonsense" });
    expect(await screen.findByText("Submission not found")).toBeVisible();
    expect(calls().filter((call) => call.endsWith("/learning_submissions"))).toEqual([]);
  });
});
