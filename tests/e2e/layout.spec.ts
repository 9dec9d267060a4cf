import type { Locator, Page } from "@playwright/test";
import { createMember, createRoom } from "./support/chat.ts";
import { runAsOwner } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** The numbers of the top bar, the rail and the tabs that can be seen, and which of them touch an icon. */
async function numbers(page: Page) {
  return await page.evaluate(() => {
    const shown = (element: Element) => {
      const box = element.getBoundingClientRect();
      return box.width > 1 && box.height > 1 ? [{ element, box }] : [];
    };
    const all = (selector: string) =>
      [...document.querySelectorAll(`header ${selector}, nav ${selector}`)].flatMap(shown);
    const icons = all("svg");
    const found = all("span").filter(({ element }) =>
      /^\d+\+?$/.test(
        element.firstChild?.nodeType === 3 ? (element.firstChild.textContent ?? "").trim() : "",
      ),
    );
    const covered = found.filter(({ box: a }) =>
      icons.some(
        ({ box: b }) =>
          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
      ),
    );
    return {
      seen: found.length,
      covered: covered.map(({ element }) => element.textContent),
      outside: [...icons, ...found].filter(({ box }) => box.right > window.innerWidth).length,
    };
  });
}

test("numbers stand beside their icons, on a phone, on a desk and at 200 % zoom", async ({
  page,
  openAs,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const room = await createRoom();
  const said = { user_id: tom.id, chat_room_id: room.id, content: "Three orders this week" };
  expect((await tom.client.from("chat_messages").insert(said)).error).toBeNull();
  await runAsOwner(
    `insert into public.notifications (user_id, kind, actor_id, detail)
     select $1, 'level_up', null, n::text from generate_series(1, 120) n`,
    [ada.id],
  );
  await openAs(ada, "/studentdash");
  // Half as wide is what a window has at 200 %.
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
    [720, 450],
    [195, 422],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(page.getByRole("button", { name: /^Notifications/ })).toContainText("99+");
    await expect
      .poll(() => numbers(page), { message: `${width} px` })
      .toEqual({ seen: expect.any(Number), covered: [], outside: 0 });
    expect((await numbers(page)).seen).toBeGreaterThanOrEqual(2);
  }
});

/** How many lines a text has on the screen. */
const linesOf = async (text: Locator) =>
  await text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });

test("names and figures of the four levels stand in rows", async ({ page, openAs }) => {
  const ada = await createMember("Ada", 2);
  await runAsOwner(
    "insert into public.level_completions (user_id, level, completed_at) values ($1, 1, '2026-11-30')",
    [ada.id],
  );
  await openAs(ada, "/progress");
  const columns = page.getByRole("region", { name: "What each level asks for" });
  await expect(columns).toContainText("Done on 30 November 2026");
  for (const [width, inARow] of [
    [1300, 4],
    [1440, 4],
    [720, 2],
    [390, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const day = columns.getByText("Done on 30 November 2026");
    expect(await linesOf(day), `${width} px`).toBe(1);
    const tops = await columns.evaluate((section) =>
      [...section.querySelectorAll("ol > li")].map((level) =>
        [...level.querySelectorAll("h3, [role=progressbar]")].map((each) =>
          Math.round(each.getBoundingClientRect().top),
        ),
      ),
    );
    expect(tops).toHaveLength(4);
    for (let first = 0; first < 4; first += inARow) {
      const row = tops.slice(first, first + inARow);
      expect(row, `${width} px`).toEqual(row.map(() => tops[first]));
    }
  }
});
