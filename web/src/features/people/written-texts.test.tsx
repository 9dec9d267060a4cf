import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const helenId = "22222222-2222-4222-8222-222222222222";

const text = (at: number) => ({
  id: `33333333-3333-4333-8333-${String(at).padStart(12, "0")}`,
  kind: "article",
  title: `Text ${at}`,
  category: "general",
  subcategory: "basics",
  minutes: 4,
  sale_slug: null,
  is_training: false,
  created_at: `2026-11-05T00:00:00.${String(900_000 - at)}+00:00`,
});
const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => text(from + index));

const profile = (count: number) => ({
  id: helenId,
  name: "Helen Okafor",
  role: "mentor",
  is_blocked: false,
  level: 1,
  topics: [],
  joined_on: "2026-03-02",
  submissions: null,
  kept_pacts: null,
  achievements: null,
  texts: { count, newest: texts(1, Math.min(count, 5)) },
});

function open(count: number, page: (body: unknown) => Reply) {
  return renderApp(`/members/${helenId}`, {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call, body }) => {
      if (call === "POST /rest/v1/rpc/effective_level") return { body: 2 };
      if (call === "POST /rest/v1/rpc/member_profile") return { body: profile(count) };
      return call === "POST /rest/v1/rpc/written_texts_page" ? page(body) : undefined;
    },
  });
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const list = async () => await screen.findByRole("list", { name: "Articles and courses" });
const more = () => screen.getByRole("button", { name: "Show more" });

it("leads from the newest five to all a member wrote, page by page", async () => {
  const asked: unknown[] = [];
  open(34, (body) => {
    asked.push(body);
    return { body: asked.length === 1 ? texts(6, 29) : texts(30, 34) };
  });
  expect(within(await list()).getAllByRole("link")).toHaveLength(5);
  expect(screen.getByText("The newest 5 of 34 that are open to you.")).toBeVisible();
  await userEvent.click(more());
  expect(await screen.findByRole("link", { name: /^Text 29/ })).toBeVisible();
  expect(screen.getByText("The newest 29 of 34 that are open to you.")).toBeVisible();
  await userEvent.click(more());
  expect(await screen.findByRole("link", { name: /^Text 34/ })).toHaveAttribute(
    "href",
    `/knowledge/foundations/basics/${text(34).id}`,
  );
  expect(within(await list()).getAllByRole("link")).toHaveLength(34);
  expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
  const after = (at: number) => ({
    author: helenId,
    before: text(at).created_at,
    after_id: text(at).id,
    page_size: 24,
  });
  expect(asked).toEqual([after(5), after(29)]);
});

it("says that more could not be loaded, keeps what there is, and tries again", async () => {
  let failing = true;
  open(7, () =>
    failing ? { status: 400, body: { code: "FF300", message: "Slow." } } : { body: texts(6, 7) },
  );
  await list();
  await userEvent.click(more());
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "We couldn't load more of these. You're going too fast. Wait a moment and try again.",
  );
  expect(within(await list()).getAllByRole("link")).toHaveLength(5);
  failing = false;
  await userEvent.click(more());
  expect(await screen.findByRole("link", { name: /^Text 7/ })).toBeVisible();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

it("offers nothing more where all of it is there", async () => {
  open(3, () => ({ body: [] }));
  expect(within(await list()).getAllByRole("link")).toHaveLength(3);
  expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
});
