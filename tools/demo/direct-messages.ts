import type { Moment } from "./moments.ts";

/** A conversation of two members, oldest message first. */
export interface StoryConversation {
  between: readonly [string, string];
  /** Each as "moment Name: text"; `\n` begins a new line. */
  lines: readonly string[];
}

/** The conversations of the members one can sign in as; the last message of some still waits for them. */
export const conversations: readonly StoryConversation[] = [
  {
    between: ["Tom", "Helen"],
    lines: [
      "4 21:20 Tom: The list is up, as you saw. The first person to read it asked for ten per cent off the stool. Is that a sign, or just one person?",
      "4 21:35 Helen: One person. Two things I'd ask before you change anything:\n\n1. What did they compare it with?\n2. Would they buy at **ten per cent less**, today?",
      "4 21:40 Tom: With a flat pack, from a shop with meatballs. I didn't ask the second.",
      "3 08:15 Helen: Then ask the next three, and write down the words they use. A discount is an answer to a question, and you don't know the question yet.",
      "1 12:20 Tom: The next three didn't ask for one. I've written that down as well.",
      "1 12:45 Helen: Then the price is the price.",
      "0 -58 Tom: My rent on the workshop goes up in spring, by £40 a month. Before I touch the list: would you put it on the stool, or on the tables?",
    ],
  },
  {
    between: ["Priya", "Tom"],
    lines: [
      "4 13:20 Priya: Thank you for being my witness. I've never promised anything to a furniture maker before.",
      "4 13:30 Tom: We're strict but fair. Write down whom you ask first, it helped me.",
      "1 18:45 Priya: Two sold. I said the number and then drank a whole glass of water.",
      "1 19:00 Tom: Ingrid will be proud. Who are the other two?",
      "0 -90 Tom: Saw the outcome. Well kept! What was the sentence that sold the third place?",
      "0 -52 Priya: I told her that she'll know which of her two shoes is lying. And how are your ten stool owners coming along?",
    ],
  },
  {
    between: ["Helen", "Priya"],
    lines: [
      "5 18:30 Priya: May I ask here instead of in the room: do I have to register anything before I take the first £15?",
      "5 19:10 Helen: Of course. At your size you only need to keep a record from the first pound: date, name, amount. Tell your insurer before the first clinic, that matters more.",
      "5 19:20 Priya: The insurer! Ringing tomorrow.",
      "4 10:15 Priya: Covered, and no more expensive. Thank you.",
      "0 -48 Helen: Three of us will be thinking of you on Saturday. Take the sheet for the answers with you, printed. Telephones run out at the wrong moment.",
    ],
  },
  {
    between: ["Marcus", "Helen"],
    lines: [
      "1 10:10 Marcus: Two questions under your text are answered and one has just come in. Do you want me to say in General that you read them on weekday mornings?",
      "1 10:40 Helen: Yes, please. Better a day that holds than an hour that doesn't.",
    ],
  },
];

/** An offer or a request under Collaborate. */
export interface StoryPost {
  at: Moment;
  by: string;
  kind: "offer" | "request";
  title: string;
  text: string;
  topics: readonly string[];
}

/** Everything that is open under Collaborate, oldest first. */
export const posts: readonly StoryPost[] = [
  {
    at: "9 18:30",
    by: "Mei",
    kind: "offer",
    title: "One screen of your website, looked at with fresh eyes",
    text: "Send me one page and the one thing people should do on it. You get three sentences and a sketch. In return: tell me how many did it before and after.",
    topics: ["Websites", "Design"],
  },
  {
    at: "5 09:50",
    by: "Tom",
    kind: "request",
    title: "Looking for someone who photographs small things well",
    text: "Twelve pictures of one stool, one afternoon, near Sheffield. I can pay £80, or make you a stool.",
    topics: ["Photography", "Product pages"],
  },
  {
    at: "3 12:15",
    by: "Priya",
    kind: "offer",
    title: "Half an hour for the shoulder that hurts at your desk",
    text: "On a screen, with your own chair in the picture. I'd like to learn which three questions people ask before they book. It costs nothing but honest answers.",
    topics: ["Working at a desk", "Running injuries"],
  },
  {
    at: "2 10:30",
    by: "Beatrice",
    kind: "request",
    title: "A reader for my report template, an hour at most",
    text: "Thirty-one pages about somebody's great-grandfather. I need to know on which page you stopped caring. I pay in archive stories, or £25.",
    topics: ["Editing", "Reports"],
  },
  {
    at: "1 11:20",
    by: "Ingrid",
    kind: "offer",
    title: "Your offer in plain English, if Norwegian isn't your problem",
    text: "I'll go through one page of yours and mark every sentence a foreign customer would stumble over. Two pages a week, first come, first served.",
    topics: ["Plain English", "Offers"],
  },
  {
    at: "0 -115",
    by: "Zoe",
    kind: "request",
    title: "Two owners of firms under ten people, twenty minutes each",
    text: "I'd like to hear what you do on the day somebody hands in their notice. I'm selling nothing, and I'll send you the page that comes out of it.",
    topics: ["Hiring", "Small firms"],
  },
];
