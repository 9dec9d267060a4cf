import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, useLocation } from "react-router";
import { expect, it } from "vitest";
import { useGoToKeys } from "./use-go-to-keys.ts";

function Place() {
  useGoToKeys([
    { letter: "h", label: "Home", path: "/home" },
    { letter: "c", label: "Chats", path: "/chats" },
  ]);
  return <p>{useLocation().pathname}</p>;
}

function press(key: string, laterMs: number): void {
  const event = createEvent.keyDown(document.body, { key });
  Object.defineProperty(event, "timeStamp", { value: event.timeStamp + laterMs });
  fireEvent(document.body, event);
}

function openAtStart(): void {
  render(
    <MemoryRouter initialEntries={["/start"]}>
      <Place />
    </MemoryRouter>,
  );
}

it.each(["h", "gxh", "gb", "gB", "{Control>}g{/Control}h", "g{Escape}h"])(
  "%s leads nowhere",
  async (keys) => {
    openAtStart();
    await userEvent.keyboard(keys);
    expect(screen.getByText("/start")).toBeVisible();
  },
);

it("waits for the letter for a moment, and no longer", async () => {
  openAtStart();
  await userEvent.keyboard("g");
  press("h", 1600);
  expect(screen.getByText("/start")).toBeVisible();
  await userEvent.keyboard("g");
  press("c", 1000);
  expect(screen.getByText("/chats")).toBeVisible();
});
