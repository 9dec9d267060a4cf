import type { Page } from "@playwright/test";
import sharp from "sharp";
import type { Queryable } from "basehost/database";
import type { Shot } from "./shot.ts";

/** Reacts to the newest messages of the front room and pins two of them. */
async function react(page: Page, owner: Queryable): Promise<void> {
  await owner.query(
    `insert into public.message_reactions (user_id, message_id, reaction)
     select p.id, m.id, r.reaction
     from (select id, row_number() over (order by created_at desc) as place from public.chat_messages
       where chat_room_id = 'general' and deleted_at is null order by created_at desc limit 4) m
     cross join (values ('applause', 1), ('thanks', 2), ('insight', 3)) r (reaction, step)
     join (select id, row_number() over (order by id) as n from public.profiles where onboarding_complete) p
       on p.n % (r.step + m.place) = 0
     on conflict do nothing`,
  );
  await owner.query(
    `insert into private.room_pins (message_id, chat_room_id)
     select id, chat_room_id from public.chat_messages
     where chat_room_id = 'general' and deleted_at is null order by created_at desc offset 3 limit 2
     on conflict do nothing`,
  );
  await page.reload();
  await page.getByRole("region", { name: "Pinned messages" }).waitFor();
}

/** Adds a drawn picture to the message that is being written. */
async function addPicture(page: Page): Promise<void> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200"><rect width="900" height="1200" fill="#dfe7ee"/><rect x="120" y="640" width="660" height="40" fill="#6b4f3a"/><rect x="200" y="680" width="40" height="380" fill="#6b4f3a"/><rect x="660" y="680" width="40" height="380" fill="#6b4f3a"/><rect x="330" y="420" width="240" height="170" rx="12" fill="#2a6f97"/></svg>`;
  const buffer = await sharp(Buffer.from(drawing)).png().toBuffer();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "desk.png", mimeType: "image/png", buffer });
  await page.getByLabel("Describe the picture").fill("My desk, tidy for once");
}

/** A room with reactions, pins and a search, for the demo's student. */
export const roomShots: readonly Shot[] = [
  { name: "chat-room-picture-draft", path: "/chats/productivity", prepare: addPicture },
  {
    name: "chat-room-picture",
    path: "/chats/productivity",
    prepare: async (page) => {
      await addPicture(page);
      await page.keyboard.press("Enter");
      await page.locator("article[data-delivery=saved] img[alt^='My desk']").last().waitFor();
    },
  },
  {
    name: "chat-room-picture-large",
    path: "/chats/productivity",
    prepare: async (page) => {
      await addPicture(page);
      await page.keyboard.press("Enter");
      await page
        .getByRole("button", { name: /^Open the picture/ })
        .last()
        .click();
      await page.getByRole("dialog").getByRole("img").waitFor();
    },
  },
  { name: "chat-room-reactions", path: "/chats/general", prepare: react },
  {
    name: "chat-room-pins",
    path: "/chats/general",
    prepare: async (page, owner) => {
      await react(page, owner);
      await page.getByRole("button", { name: /^Show all/ }).click();
    },
  },
  {
    name: "chat-room-search",
    path: "/chats/general",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Search messages" }).click();
      const sheet = page.getByRole("dialog", { name: "Search messages" });
      await sheet.getByRole("radio", { name: "In all your rooms" }).check();
      await sheet.getByRole("searchbox").fill("hour");
      await sheet.getByRole("list", { name: "Messages found" }).waitFor();
    },
  },
];
