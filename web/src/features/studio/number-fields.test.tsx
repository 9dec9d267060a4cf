import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { draftId, openStudio } from "./testing/studio-screen.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

const save = async () => userEvent.keyboard("{Control>}s{/Control}");
const lesson = { slug: "first", title: "First", content: "Apples.", minutes: 5, videoUrl: null };

const fields = [
  {
    label: "Price in pounds",
    refused: ["-1", "12.505", "1000000"],
    taken: "12.5",
    wrong: "Enter pounds, or pounds and pence such as 12.50.",
    saved: { price: 12.5, minutes: 5 },
  },
  {
    label: "Minutes",
    refused: ["-5", "601", "2.5"],
    taken: "90",
    wrong: "Enter whole minutes, from 1 to 600.",
    saved: { price: 7, minutes: 90 },
  },
];

it.each(fields)("$label: says what it doesn't take", async ({ label, refused, ...rest }) => {
  const { server } = openStudio(`/studio/${draftId}`, {
    kind: "course",
    content: { price: 7, modules: [lesson] },
  });
  const field = await screen.findByLabelText(label);
  for (const typed of refused) {
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    expect(field).toHaveAccessibleDescription(expect.stringContaining(rest.wrong));
  }
  await userEvent.clear(field);
  await userEvent.type(field, rest.taken);
  expect(field).not.toHaveAccessibleDescription(expect.stringContaining(rest.wrong));
  await save();
  const saved = () => ({ price: server.fields.price, minutes: server.fields.modules[0]?.minutes });
  await waitFor(() => expect(saved()).toEqual(rest.saved));
});

it("a price that was emptied is asked for, and stays as it was", async () => {
  const { server } = openStudio(`/studio/${draftId}`, { kind: "course", content: { price: 7 } });
  await userEvent.clear(await screen.findByLabelText("Price in pounds"));
  expect(screen.getByText("Enter pounds, or pounds and pence such as 12.50.")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Description"), "Ask for more");
  await save();
  await waitFor(() => expect(server.fields.excerpt).toBe("Ask for more"));
  expect(server.fields.price).toBe(7);
});
