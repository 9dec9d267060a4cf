import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { foundRow } from "./testing/found-row.ts";

beforeEach(() => {
  // What the palette's list needs and this document does not have.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

it("puts a room whose name is being typed before members who only work at it", async () => {
  renderApp("/account", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) =>
      call === "POST /rest/v1/rpc/search_library"
        ? {
            body: [
              foundRow("article", "Close the Book"),
              foundRow("room", "Productivity", { category: null, path: "/chats/productivity" }),
            ],
          }
        : call === "POST /rest/v1/rpc/people_page"
          ? {
              body: [
                {
                  user_id: "11111111-2222-4222-8222-222222222222",
                  name: "Mei Tan",
                  role_name: "student",
                  occupation_name: "Product designer",
                  avatar_url: null,
                  member_level: 2,
                  topics: [],
                },
              ],
            }
          : undefined,
  });
  await screen.findByRole("button", { name: "Search" });
  await userEvent.keyboard("{Control>}k{/Control}");
  const palette = await screen.findByRole("dialog", { name: "Search" });
  const field = within(palette).getByRole("combobox");
  const names = () =>
    within(palette)
      .getAllByRole("option")
      .map(({ textContent }) => /^(Productivity|Mei Tan|Close)/.exec(textContent)?.[0]);
  await userEvent.type(field, "Produc");
  expect(await within(palette).findByText("3 results")).toBeVisible();
  expect(names()).toEqual(["Productivity", "Mei Tan", "Close"]);
});
