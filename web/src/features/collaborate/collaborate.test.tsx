import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { noPostFilters, postQuery } from "./model/post.ts";

const tomId = "22222222-2222-4222-8222-222222222222";
const rpc = (name: string) => `POST /rest/v1/rpc/${name}`;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const own = (differs: object = {}) => ({
  id: "66666666-6666-4666-8666-666666666666",
  kind: "offer",
  title: "Logos for a fair price",
  details: "Three drafts.",
  topics: ["Design"],
  created_at: "2026-11-20T09:00:00+00:00",
  edited_at: null,
  ends_at: "2027-01-19T09:00:00+00:00",
  is_open: true,
  ...differs,
});
const found = (differs: object = {}) => ({
  ...own({
    id: "77777777-7777-4777-8777-777777777777",
    kind: "request",
    title: "A bookkeeper in Leeds",
    details: "<i>Two</i> hours a month.",
  }),
  author: {
    id: tomId,
    name: "Tom Ashworth",
    role: "student",
    occupation: "Baker",
    avatar_url: null,
    level: 2,
  },
  ...differs,
});

type Answers = Readonly<Record<string, Reply | ((body: unknown) => Reply)>>;

function open(path: string, answers: Answers, level = 1) {
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call, body }) => {
      if (call === rpc("effective_level")) return { body: level };
      const answer = answers[call];
      if (answer !== undefined) return typeof answer === "function" ? answer(body) : answer;
      if (call === rpc("my_collaboration_posts") || call === rpc("collaboration_page")) {
        return { body: [] };
      }
      return undefined;
    },
  });
}

describe("the posts", () => {
  it("are found with filters in the address, and answered in a direct message that names them", async () => {
    const asked: unknown[] = [];
    open("/collaborate?kind=request&level=9", {
      [rpc("collaboration_page")]: (body) => {
        asked.push(body);
        return { body: [found()] };
      },
    });
    const post = within(await screen.findByRole("article"));
    expect(post.getByText("<i>Two</i> hours a month.")).toBeVisible();
    expect(asked[0]).toEqual({ kind: "request", page_size: 20 });
    const answer = post.getByRole("link", { name: "Answer A bookkeeper in Leeds" });
    expect(answer).toHaveAttribute("href", expect.stringMatching(`^/messages/${tomId}[?]draft=`));
    const { searchParams } = new URL(answer.getAttribute("href") ?? "", "http://x.test");
    expect(searchParams.get("draft")).toBe("About your request “A bookkeeper in Leeds”:\n");
    await userEvent.selectOptions(screen.getByLabelText("Kind"), "offer");
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ kind: "offer" }));
    expect(window.location.search).toContain("kind=offer");
  });

  it("are reported with a reason", async () => {
    const sent: unknown[] = [];
    open("/collaborate", {
      [rpc("collaboration_page")]: { body: [found()] },
      [rpc("report")]: (body) => {
        sent.push(body);
        return { status: 204 };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: /^Report A bookkeeper/ }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Send report" }));
    expect(await dialog.findByText(/^Choose what's wrong, or say it/)).toBeVisible();
    await userEvent.type(dialog.getByLabelText("In your own words"), "Spam");
    await userEvent.click(dialog.getByRole("button", { name: "Send report" }));
    await waitFor(() =>
      expect(sent).toEqual([{ kind: "post", subject_id: found().id, reason: "Spam" }]),
    );
  });

  it("are for members, and say when there are none", async () => {
    open("/collaborate", {}, 0);
    expect(await screen.findByText(/Offers and requests are for members/)).toBeVisible();
    open("/collaborate?search=zzz", {});
    expect(await screen.findByText("No posts match")).toBeVisible();
  });

  it("leave out filters that do not exist", () => {
    expect(postQuery({ ...noPostFilters, kind: "gift", level: "9", topic: "  " })).toEqual({
      search: undefined,
      kind: undefined,
      level: undefined,
      topic: undefined,
    });
  });
});

describe("one's own posts", () => {
  it("are made with a kind, a title and a text; sent again after a failure they keep their id", async () => {
    const sent: { post_id: string }[] = [];
    open("/collaborate", {
      [rpc("save_collaboration_post")]: (body) => {
        sent.push(body as { post_id: string });
        return sent.length === 1
          ? { status: 400, body: { code: "FF831", message: "At most five." } }
          : { status: 204 };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "New post" }));
    const form = within(screen.getByRole("form", { name: "New post" }));
    await userEvent.click(form.getByRole("button", { name: "Post" }));
    expect(await form.findByText("Say in a few words what it's about.")).toBeVisible();
    await userEvent.type(form.getByLabelText("Title"), "x".repeat(81));
    expect(await form.findByText("A title has at most 80 characters.")).toBeVisible();
    await userEvent.clear(form.getByLabelText("Title"));
    await userEvent.type(form.getByLabelText("Title"), "A bookkeeper");
    await userEvent.type(form.getByLabelText("Details"), "Two hours a month.");
    await userEvent.type(form.getByLabelText("Topics"), "Tax,  VAT");
    await userEvent.click(form.getByRole("button", { name: "Post" }));
    expect(await form.findByText(/You have five open posts/)).toBeVisible();
    await userEvent.click(form.getByRole("button", { name: "Post" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[0]).toMatchObject({
      kind: "request",
      title: "A bookkeeper",
      topics: ["Tax", "VAT"],
    });
    await waitFor(() => expect(screen.queryByRole("form", { name: "New post" })).toBeNull());
  });

  it("keep what was typed and not posted, under the same id, until it is posted or cancelled", async () => {
    const sent: { post_id: string }[] = [];
    const answers: Answers = {
      [rpc("save_collaboration_post")]: (body) => {
        sent.push(body as { post_id: string });
        return sent.length === 1 ? { status: 503, body: { message: "x" } } : { status: 204 };
      },
    };
    async function openForm() {
      await userEvent.click(await screen.findByRole("button", { name: "New post" }));
      return within(screen.getByRole("form", { name: "New post" }));
    }
    const { unmount } = open("/collaborate", answers);
    const first = await openForm();
    await userEvent.type(first.getByLabelText("Title"), "A bookkeeper");
    await userEvent.type(first.getByLabelText("Details"), "Two hours a month.");
    await userEvent.click(first.getByRole("button", { name: "Post" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    unmount();
    open("/collaborate", answers);
    const second = await openForm();
    expect(second.getByLabelText("Title")).toHaveValue("A bookkeeper");
    await userEvent.click(second.getByRole("button", { name: "Post" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual(sent[0]);
    await waitFor(() => expect(screen.queryByRole("form", { name: "New post" })).toBeNull());
    const third = await openForm();
    expect(third.getByLabelText("Title")).toHaveValue("");
    await userEvent.type(third.getByLabelText("Title"), "A baker");
    await userEvent.click(third.getByRole("button", { name: "Cancel" }));
    expect((await openForm()).getByLabelText("Title")).toHaveValue("");
  });

  it("stand first, and are closed after a question", async () => {
    const closed: unknown[] = [];
    open("/collaborate", {
      [rpc("my_collaboration_posts")]: () => ({ body: [own({ is_open: closed.length === 0 })] }),
      [rpc("close_collaboration_post")]: (body) => {
        closed.push(body);
        return { status: 204 };
      },
    });
    const section = within(await screen.findByRole("region", { name: "Your posts" }));
    expect(section.getByText("Open until 19 January 2027")).toBeVisible();
    await userEvent.click(section.getByRole("button", { name: "Close Logos for a fair price" }));
    await userEvent.click(await screen.findByRole("button", { name: "Close post" }));
    await waitFor(() => expect(closed).toEqual([{ post_id: own().id }]));
    expect(await section.findByText(/^Closed/)).toBeVisible();
    expect(section.queryByRole("button", { name: /^Edit/ })).toBeNull();
  });

  it("keep the focus in the form, and give it back to the button", async () => {
    open("/collaborate", { [rpc("my_collaboration_posts")]: { body: [own()] } });
    for (const [name, form] of [
      ["New post", "New post"],
      ["Edit Logos for a fair price", "Edit post"],
    ] as const) {
      await userEvent.click(await screen.findByRole("button", { name }));
      const fields = within(await screen.findByRole("form", { name: form }));
      expect(fields.getByLabelText("What is it?")).toHaveFocus();
      await userEvent.click(fields.getByRole("button", { name: "Cancel" }));
      await waitFor(() => expect(screen.getByRole("button", { name })).toHaveFocus());
    }
  });
});
