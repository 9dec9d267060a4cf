import type { faces } from "./faces.ts";

/** What the page's small pictures of the product show. The people are those of the demo. */

export interface RoomLine {
  readonly name: keyof typeof faces;
  readonly role?: "Mentor";
  readonly text: string;
}

/** The room beside the headline. */
export const roomPicture = {
  label: "A conversation in the General room, as an example",
  name: "General",
  purpose: "The front room, open from the first day",
  lines: [
    {
      name: "Callum",
      text: "I need a picture of me that isn't from my cousin's wedding. What would that cost?",
    },
    { name: "Kofi", text: "Honestly? I've never priced it. That's why I joined." },
    {
      name: "Helen",
      role: "Mentor",
      text: "Then Callum is your first conversation, not your first invoice. Ask what a good picture would be worth to him.",
    },
    {
      name: "Callum",
      text: "It'd be worth one customer who trusts me before I ring the bell. That's about three hundred quid.",
    },
    { name: "Kofi", text: "Coffee, and an hour with the van?" },
  ] satisfies readonly RoomLine[],
  note: "An example from the demo's General room",
} as const;

export const miniatures = {
  room: {
    name: "Accountability",
    lines: [
      { name: "Priya", text: "Four places by Saturday." },
      { name: "Tom", text: "I'll ask you on Friday." },
    ] satisfies readonly RoomLine[],
  },
  article: {
    shelf: "Habits",
    title: "The Helpful House",
    text: "Twenty seconds of effort decides more than an hour of resolve.",
  },
  course: {
    title: "Price It Properly",
    lessons: [
      "What each sale leaves",
      "What it is worth to them",
      "The shape of the price",
      "Change it in the open",
    ],
    done: 2,
  },
  sheet: {
    title: "The one-page balance sheet",
    rows: [
      ["What we own", "£320,000"],
      ["What we owe", "£181,000"],
    ],
    total: ["Net worth", "£139,000"],
  },
} as const;

/** The small screens of the week, by day. */
export const weekPictures = {
  pact: { kind: "Pact", title: "Sell four paid places", due: "by Friday", witnesses: "3 will ask" },
  bar: { title: "Level 2, Knowledge", articles: "14 of 25 articles", share: 56 },
  reply: {
    question: "Six free assessments, not one booking. What did I miss?",
    name: "Leila",
    answer: "What did you tell them happens next?",
  },
  course: { title: "What each sale leaves", done: "Completed", progress: "2 of 4 modules" },
  failure: { kind: "Failure", title: "I gave six free assessments and sold nothing" },
} as const;
