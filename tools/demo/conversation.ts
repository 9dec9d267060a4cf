import type { Host } from "basehost";
import type { DemoAccount } from "./accounts.ts";

interface Line {
  room: string;
  /** First name of the author. */
  by: string;
  /** Age in minutes. */
  ago: number;
  text: string;
  /** Index of the message that it replies to. */
  answers?: number;
  /** First names of the members who like it. */
  liked?: string[];
}

const minutesPerDay = 24 * 60;

/** The demo conversation, oldest message first. */
const demoMessages: readonly Line[] = [
  {
    room: "general",
    by: "Marcus",
    ago: minutesPerDay + 190,
    text: "Welcome, everybody. This is the front room: say who you are and what you are working on.",
    liked: ["Priya", "Tom"],
  },
  {
    room: "general",
    by: "Priya",
    ago: minutesPerDay + 162,
    text: "Hello! Priya, physiotherapist in Leeds. I want to run a clinic for injured runners at weekends and have no idea what to charge.",
  },
  {
    room: "general",
    by: "Tom",
    ago: minutesPerDay + 150,
    text: "Welcome, Priya. Three years ago I asked the same about tables. I was too cheap by half, and nobody thanked me for it.",
    answers: 1,
    liked: ["Priya", "Helen"],
  },
  {
    room: "general",
    by: "Helen",
    ago: minutesPerDay + 148,
    text: "Before a price, write down two numbers: what an hour has to earn after tax and room hire, and how many hours a Saturday really has. Post them here and we go through them together.",
    answers: 1,
    liked: ["Priya", "Tom", "Marcus"],
  },
  {
    room: "general",
    by: "Priya",
    ago: 64,
    text: "Done. £48 an hour, five hours a Saturday, room hire £60.",
  },
  {
    room: "general",
    by: "Priya",
    ago: 64,
    text: "Written down it looks less frightening than in my head.",
    liked: ["Helen"],
  },
  {
    room: "general",
    by: "Helen",
    ago: 51,
    text: "Good. So five paying hours bring £240, and £60 of it is gone before you begin. Now: which of the five is empty in a bad week?",
    answers: 4,
  },
  {
    room: "general",
    by: "Tom",
    ago: 12,
    text: "The calculator I used: https://example.com/what-an-hour-costs. Ugly, but it remembers holidays.",
  },
  {
    room: "accountability",
    by: "Tom",
    ago: 2 * minutesPerDay,
    text: "By Friday: the price list goes on the website. All of it, no “on request”.",
    liked: ["Helen"],
  },
  {
    room: "accountability",
    by: "Tom",
    ago: 95,
    text: "It is up. Two enquiries already, both above what I used to ask.",
    answers: 8,
    liked: ["Priya", "Helen", "Marcus"],
  },
  {
    room: "accountability",
    by: "Priya",
    ago: 40,
    text: "By Sunday: I call three running clubs. If I write here that I sent e-mails instead, do not let me off.",
    liked: ["Tom"],
  },
];

/** The same ids on every install, so that repeating an interrupted seed adds nothing twice. */
const idOf = (place: number) => `d0000000-0000-4000-8000-${String(place).padStart(12, "0")}`;

/** Writes the demo conversation, spread over the last two days. */
export async function seedConversation(
  host: Host,
  people: ReadonlyMap<DemoAccount, string>,
): Promise<void> {
  const { admin } = host.context.db;
  const ids = new Map([...people].map(([account, id]) => [account.firstName, id]));
  for (const [place, line] of demoMessages.entries()) {
    const parent = line.answers === undefined ? null : idOf(line.answers);
    await admin.query(
      `insert into public.chat_messages
         (id, user_id, chat_room_id, content, message_type, parent_message_id, created_at)
       values ($1, $2, $3, $4, $5, $6, now() - make_interval(mins => $7)) on conflict do nothing`,
      [
        idOf(place),
        ids.get(line.by),
        line.room,
        line.text,
        parent === null ? "message" : "reply",
        parent,
        line.ago,
      ],
    );
    for (const name of line.liked ?? []) {
      await admin.query(
        "insert into public.message_likes (user_id, message_id) values ($1, $2) on conflict do nothing",
        [ids.get(name), idOf(place)],
      );
    }
  }
}
