import type { Moment } from "./moments.ts";
import type { StorySubmission } from "./submissions/types.ts";

/** A pact of the demo. */
export interface StoryPact {
  at: Moment;
  by: string;
  title: string;
  text: string;
  /** The due day, in days after today. */
  due: number;
  likes: number;
  /** First name of each witness, and when they accepted; null while they have not answered. */
  witnesses: Readonly<Record<string, Moment | null>>;
  outcome?: StorySubmission;
}

/** Every pact of the three weeks: kept, partly kept, not kept, and open. */
export const pacts: readonly StoryPact[] = [
  {
    at: "21 20:58",
    by: "Nadia",
    title: "Ask three families about a group of three",
    text: "Three families asked in person, and their answers written down before I decide anything.",
    due: -18,
    likes: 6,
    witnesses: { Tom: "21 21:12" },
    outcome: {
      at: "20 19:10",
      by: "Nadia",
      type: "success",
      title: "Three asked, three yes",
      text: "Two said yes before I had finished the sentence. The third asked whether the other two were clever, and then said yes as well. I had prepared a page of reasons that nobody wanted.",
      likes: 8,
    },
  },
  {
    at: "20 10:05",
    by: "Ingrid",
    title: "Five letters to people who once said thank you",
    text: "Five letters, one at a time, each to a person whose work I remember. No list, no newsletter, no “hope this finds you well”.",
    due: -15,
    likes: 7,
    witnesses: { Gareth: "20 10:30", Nadia: "20 12:40" },
    outcome: {
      at: "16 08:40",
      by: "Ingrid",
      type: "success",
      title: "The fifth letter is in the post",
      text: "Four went on the first days, the fifth waited until this morning because I once disappointed her. She answered within the hour. Nobody has hired me yet, but two of the five have asked what I do now.",
      likes: 9,
      comments: ["16 09:10 Gareth: I would have paid to read the fifth."],
    },
  },
  {
    at: "20 19:05",
    by: "Tom",
    title: "Hours and money for the last ten things I sold",
    text: "One sheet with ten lines: what it was, how long it took, what I was paid. Helen may ask for it.",
    due: -16,
    likes: 6,
    witnesses: { Helen: "20 19:20", Callum: "20 19:30" },
    outcome: {
      at: "17 18:45",
      by: "Tom",
      type: "success",
      title: "Ten lines, and I have stopped making boards",
      text: "Chopping boards: £6 an hour. Tables: £19. The plain stool: £27. I had been making the stool as a favour between other jobs.\n\nThe boards are gone from the page. I expected to mind.",
      likes: 11,
      comments: [
        "17 19:10 Helen: I asked for it, and it came. Ten out of ten lines.",
        "17 19:40 Callum: You have made me afraid of my own call-outs.",
      ],
    },
  },
  {
    at: "18 08:15",
    by: "Callum",
    title: "Ring six of the twenty-six names",
    text: "Six calls from the van, to people I have already worked for. I tell them that I'm going on my own, and I don't sell anything.",
    due: -14,
    likes: 7,
    witnesses: { Tom: "18 08:30", Leila: "18 09:10" },
    outcome: {
      at: "15 07:50",
      by: "Callum",
      type: "progress_report",
      title: "Four of six, and one of them made me lunch",
      text: "Four calls made. The other two numbers belong to other people now. All four asked when I start, and one has a kitchen for me.\n\nPartly kept, then: six calls were promised and four could be made.",
      likes: 9,
      comments: ["15 08:40 Leila: Four conversations and a kitchen. I'd call that a week."],
    },
  },
  {
    at: "16 20:45",
    by: "Seun",
    title: "Five barbers who are not related to me",
    text: "Five shops, one visit each, and I write down what they do now before I show them anything.",
    due: -12,
    likes: 6,
    witnesses: { Leila: "16 21:00", Mei: "16 21:10" },
    outcome: {
      at: "12 21:10",
      by: "Seun",
      type: "failure",
      title: "Four barbers of five",
      text: "The fifth shop had closed for the football, I didn't go back, and then the week was over. I could have gone on the next day, and I told myself that four was nearly five.\n\nWhat I'll change: the hardest visit comes first, and not last.",
      likes: 10,
      comments: [
        "11 08:00 Mei: An honest four. The hardest one first is a good rule.",
        "11 08:20 Leila: And now you know one thing about barbers and football.",
      ],
    },
  },
  {
    at: "15 09:35",
    by: "Hannah",
    title: "Everyone pays before I light the oven",
    text: "The next bake is paid for in advance, all of it. Those who haven't paid by the evening are not on the list, including my sister-in-law.",
    due: -13,
    likes: 9,
    witnesses: { Nadia: "15 10:15", Tom: "15 12:10" },
    outcome: {
      at: "14 20:10",
      by: "Hannah",
      type: "success",
      title: "Thirty-seven loaves, all paid",
      text: "Three households have left, and none of the three was my sister-in-law. I counted nothing in the dark, and I slept until three.",
      likes: 12,
      comments: ["14 20:30 Nadia: Three left and thirty-seven stayed. That's your answer."],
    },
  },
  {
    at: "12 08:45",
    by: "Rafael",
    title: "One cancellation rule, sent to thirty families",
    text: "Written in a week, sent in a fortnight at the latest. Without an apology in it.",
    due: -3,
    likes: 7,
    witnesses: { Beatrice: "12 09:00", Gareth: "12 12:20" },
    outcome: {
      at: "5 13:30",
      by: "Rafael",
      type: "success",
      title: "Thirty letters and two grumbles",
      text: "The rule went to everyone this morning. Two families grumbled and stayed. In the first evening not one lesson was cancelled, and I played the hour that was left over by nobody.",
      likes: 13,
      comments: [
        "5 14:10 Beatrice: I never doubted it for more than a day at a time.",
        "5 15:30 Seun: Ghosts into guitars. Well done.",
      ],
    },
  },
  {
    at: "4 12:40",
    by: "Priya",
    title: "Sell four paid places for Saturday's clinic",
    text: "Four names on the sheet, £15 each, paid before the clinic begins.",
    due: 1,
    likes: 9,
    witnesses: { Tom: "4 13:10", Nadia: "4 15:30" },
    outcome: {
      at: "0 -100",
      by: "Priya",
      type: "success",
      title: "Four places sold, with a day to spare",
      text: "I asked the six people from the assessments first. Two said yes at once, the third asked what she would know afterwards, and that sentence is now on the page. The fourth came from the uphill club, who ring back in the evenings.",
      likes: 8,
      comments: [
        "0 -92 Nadia: I witnessed this one with great pleasure.",
        "0 -84 Tom: Kept, and early. The canal club won't know what has hit it.",
      ],
    },
  },
  {
    at: "2 19:15",
    by: "Kofi",
    title: "Six customers' words about their pictures",
    text: "One question to each of the six: what did the picture do for you? Their answers word for word, and with their permission on the page.",
    due: 2,
    likes: 6,
    witnesses: { Leila: "2 20:00", Callum: "1 07:30" },
  },
  {
    at: "1 18:50",
    by: "Zoe",
    title: "One page that a small firm can say yes to",
    text: "One page: what they ring me about, what I do within a day, what it costs. Read by two of the people who told me their story.",
    due: 5,
    likes: 7,
    witnesses: { Helen: "1 19:30", Gareth: null },
  },
  {
    at: "0 -88",
    by: "Priya",
    title: "Ask all four on Saturday what they would have paid",
    text: "Four answers written down before I look at my own price again. I ask at the end, with the door still shut.",
    due: 5,
    likes: 4,
    witnesses: { Helen: "0 -62", Arjun: null },
  },
  {
    at: "0 -72",
    by: "Tom",
    title: "Ask ten owners of a stool what they would buy next",
    text: "Ten answers written down, word for word, before I draw anything new.",
    due: 4,
    likes: 5,
    witnesses: { Helen: "0 -60", Priya: null },
  },
];
