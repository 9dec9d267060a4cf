import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { memberRows, nothingTold, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const question = (id: string, words: string) => ({
  id,
  question: words,
  created_at: "2026-11-20T10:00:00+00:00",
  asker: "Tom Ashworth",
  place: {
    category: "general",
    shelf: "articles",
    subcategory: "money",
    item_id: "a1",
    module: null,
    title: "Price It Properly",
  },
});

const waitingSection = async () =>
  within(
    await screen.findByRole("region", { name: /^Waiting for your answer/ }, { timeout: 5000 }),
  );

it("opens one answer at a time, and keeps what was begun in another", async () => {
  renderApp("/studio", {
    session: sessionOf(),
    rows: memberRows({ role: "mentor" }),
    reply: ({ call }) =>
      call.endsWith("/rpc/waiting_questions")
        ? { body: [question("q1", "Which price first?"), question("q2", "Which day?")] }
        : undefined,
  });
  const section = await waitingSection();
  const first = section.getByRole("button", { name: /^Which price first\?/ });
  const second = section.getByRole("button", { name: /^Which day\?/ });
  expect(section.queryByRole("textbox")).not.toBeInTheDocument();
  await userEvent.click(first);
  await userEvent.type(section.getByRole("textbox"), "The high");
  expect(section.getByRole("link", { name: "Read “Price It Properly”" })).toHaveAttribute(
    "href",
    "/knowledge/foundations/money/a1",
  );
  await userEvent.click(second);
  expect(first).toHaveAttribute("aria-expanded", "false");
  expect(section.getByRole("textbox")).toHaveValue("");
  await userEvent.click(first);
  expect(section.getByRole("textbox")).toHaveValue("The high");
  await userEvent.click(first);
  expect(section.queryByRole("textbox")).not.toBeInTheDocument();
});

it("takes a question that was answered off the list and off the bell", async () => {
  let questions = [question("q1", "Which price first?")];
  renderApp("/studio", {
    session: sessionOf(),
    rows: memberRows({ role: "mentor" }),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/waiting_questions")) return { body: questions };
      if (call.endsWith("/rpc/my_notifications")) {
        return { body: { ...nothingTold, unread: questions.length } };
      }
      if (!call.endsWith("/rpc/answer_question")) return undefined;
      questions = [];
      return { status: 204 };
    },
  });
  const section = await waitingSection();
  await screen.findByRole("button", { name: "Notifications, 1 unread" });
  await userEvent.click(section.getByRole("button", { name: /^Which price first/ }));
  await userEvent.type(section.getByLabelText("Your answer"), "The one you can say aloud.");
  await userEvent.click(section.getByRole("button", { name: "Answer" }));
  await waitFor(() => expect(screen.queryByText("Which price first?")).not.toBeInTheDocument());
  expect(await screen.findByRole("button", { name: "Notifications" })).toBeVisible();
  const answer = screen.getByRole("link", { name: "“Price It Properly”" });
  expect(answer).toHaveAttribute("href", "/knowledge/foundations/money/a1#question-q1");
  const said = screen.getByText(/^Your answer is published\. Members see it under/);
  await waitFor(() => expect(document.activeElement).toContainElement(said));
});

it("opens the question that a notification leads to, and puts the focus in its answer", async () => {
  const { router } = renderApp("/studio#question-q2", {
    session: sessionOf(),
    rows: memberRows({ role: "mentor" }),
    reply: ({ call }) =>
      call.endsWith("/rpc/waiting_questions")
        ? { body: [question("q1", "Which price first?"), question("q2", "Which day?")] }
        : undefined,
  });
  const section = await waitingSection();
  const second = section.getByRole("button", { name: /^Which day\?/ });
  expect(second).toHaveAttribute("aria-expanded", "true");
  await waitFor(() => expect(section.getByRole("textbox")).toHaveFocus());
  await userEvent.click(second);
  expect(section.queryByRole("textbox")).not.toBeInTheDocument();
  // The same line of the bell, followed again.
  await act(async () => router.navigate("/studio#question-q2"));
  await waitFor(() => expect(section.getByRole("textbox")).toHaveFocus());
  await act(async () => router.navigate("/studio#question-q1"));
  await waitFor(() => expect(second).toHaveAttribute("aria-expanded", "false"));
  expect(section.getByRole("button", { name: /^Which price first/ })).toHaveAttribute(
    "aria-expanded",
    "true",
  );
});
