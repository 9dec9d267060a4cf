import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const mentor = {
  id: "22222222-2222-4222-8222-222222222222",
  name: "Helen Okafor",
  role: "mentor",
  is_blocked: false,
  level: 1,
  topics: [],
  joined_on: "2026-03-02",
  submissions: null,
  kept_pacts: null,
  achievements: null,
  texts: { count: 0, newest: [] },
};

it.each([
  ["mentor", false],
  ["student", true],
])("the profile of a %s shows the level reached: %s", async (role, shown) => {
  const replies: Record<string, unknown> = {
    "POST /rest/v1/rpc/effective_level": 1,
    "POST /rest/v1/rpc/member_profile": { ...mentor, role },
  };
  renderApp(`/members/${mentor.id}`, {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => (call in replies ? { body: replies[call] } : undefined),
  });
  expect(await screen.findByRole("heading", { level: 1, name: mentor.name })).toBeVisible();
  const level = screen.queryByRole("heading", { name: "Level 1 · Community" });
  expect(level !== null).toBe(shown);
});
