import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const isFigures = (call: string) => call.endsWith("/functions/v1/guarantee-figures");

describe("the terms of the guarantee", () => {
  it.for([
    [null, /^Fewer than five claims have been decided\./],
    [{ decided: 12, granted: 7 }, /^12 claims decided, 7 granted\./],
  ] as const)("say to visitors and members how claims ended: %j", async ([figures, sentence]) => {
    for (const session of [{}, { session: sessionOf() }]) {
      const { unmount } = renderApp("/guarantee", {
        ...session,
        rows: memberRows({}),
        reply: ({ call }) => (isFigures(call) ? { body: { figures } } : undefined),
      });
      expect(await screen.findByText(sentence)).toBeVisible();
      unmount();
    }
  });

  it("list the work they ask for", async () => {
    renderApp("/guarantee", {});
    const work = await screen.findByRole("list", { name: "Do the work" });
    expect([...work.children].map(({ textContent }) => textContent)).toEqual([
      "6 monthly check-ins",
      "12 submissions",
      "150 messages in chat rooms",
      "12 articles read",
      "6 months of membership",
    ]);
    const steps = screen.getByRole("region", { name: "What you need to do" });
    expect(steps).toHaveTextContent(/^What you need to doFirst 7 daysWrite down what you earn/);
    expect(steps).toHaveTextContent(/30 days afterClaim, if you earn less than 10 times as much$/);
  });

  it("ask nothing of the database, and stand without the figures", async () => {
    const { calls } = renderApp("/guarantee", {
      reply: ({ call }) => (isFigures(call) ? { status: 500, body: {} } : undefined),
    });
    expect(await screen.findByRole("heading", { level: 1, name: "The guarantee" })).toBeVisible();
    expect(await screen.findByRole("heading", { name: "What counts as income" })).toBeVisible();
    expect(calls().filter((call) => call.includes("/rpc/"))).toEqual([]);
    expect(screen.queryByText("Claims so far")).not.toBeInTheDocument();
  });
});
