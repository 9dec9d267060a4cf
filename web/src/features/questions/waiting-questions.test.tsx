import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { memberRows, nothingTold, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

it("takes a question that was answered off the list and off the bell", async () => {
  let questions = [
    {
      id: "q1",
      question: "Which price first?",
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
    },
  ];
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
  const section = within(
    await screen.findByRole("region", { name: /^Waiting for your answer/ }, { timeout: 5000 }),
  );
  await screen.findByRole("button", { name: "Notifications, 1 unread" });
  await userEvent.type(section.getByLabelText("Your answer"), "The one you can say aloud.");
  await userEvent.click(section.getByRole("button", { name: "Answer" }));
  await waitFor(() => expect(screen.queryByText("Which price first?")).not.toBeInTheDocument());
  expect(await screen.findByRole("button", { name: "Notifications" })).toBeVisible();
});
