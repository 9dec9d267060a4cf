import type { Moment } from "./moments.ts";

/** A text that a mentor of the demo wrote, besides the library of the house. */
export interface MentorText {
  by: string;
  /** Main category, subcategory and slug. */
  address: string;
  at: Moment;
  title: string;
  excerpt: string;
  tags: readonly string[];
  /** Markdown; of a course its description. */
  content: string;
  /** Lessons of a course, each with slug, title and Markdown; an article has none. */
  lessons?: readonly (readonly [slug: string, title: string, content: string])[];
  /** Who read it to the end, or took the whole course, and when. */
  readers: Readonly<Record<string, Moment>>;
  /** Stars of some who read it, and the sentence they wrote to the author. */
  ratings: Readonly<Record<string, readonly [stars: number, sentence?: string]>>;
}

/** The mentors' own texts, oldest first. */
export const mentorTexts: readonly MentorText[] = [
  {
    by: "Gareth",
    address: "general/communication/cut-a-third",
    at: "17 09:00",
    title: "Cut a Third",
    excerpt: "Almost every page improves when a third of it goes. Here is which third.",
    tags: ["writing", "editing"],
    content: `Take the last thing you wrote for work. Count the words. You are going to send two thirds of them.

## Start at the beginning

The first paragraph is usually the writer walking up to the subject. Delete it and read on. If nothing is missing, it was for you and not for the reader.

## Then the doubles

We write in pairs when we are nervous: *clear and simple*, *plan and prepare*, *each and every*. Keep the better half.

## Then what everyone could say

Read each sentence and ask whether your competitor could sign it. “We care about quality” can be signed by anybody. Put a fact in its place, or nothing.

## Read it aloud

Where you run out of breath there are two sentences. Where you skip a word, the reader will as well.

> A cut hurts for as long as it takes to read the new version once.

**Try it now.** Choose one email from today. Note how long it is, cut a third, and wait ten minutes. If you still miss something, put that back, and only that.`,
    readers: {
      Ingrid: "13 12:10",
      Tom: "12 08:40",
      Mei: "11 09:15",
      Seun: "8 21:20",
      Hannah: "6 15:05",
      Rafael: "2 10:50",
    },
    ratings: {
      Ingrid: [5, "I cut a third of the offer to Bergen, and nobody missed it."],
      Mei: [5],
      Seun: [4, "I'd have liked one more example from a page instead of an email."],
    },
  },
  {
    by: "Helen",
    address: "business/books-and-cash/the-month-that-has-not-happened",
    at: "15 11:30",
    title: "The Month That Hasn't Happened Yet",
    excerpt: "A bad month is easier to survive when it already has a line in the plan.",
    tags: ["cash", "planning"],
    content: `Every plan I am shown has twelve good months in it. I ask for one more line: the month that goes wrong.

## What goes into it

Write down what happens to the money if one month brings half of what you expect. Not less, and not nothing: half. Most bad months are half months.

| | A usual month | The half month |
| --- | ---: | ---: |
| Comes in | £3,000 | £1,500 |
| Goes out anyway | £1,100 | £1,100 |
| Left to live on | £1,900 | £400 |

The second line hardly moves. That is the point of the exercise: you see what has to be paid whether anybody buys or not.

## What to do with it

1. Put the difference aside, slowly, until one half month is paid for.
2. Decide now what you would stop first, while you are calm.
3. Write down whom you would ring. It is usually the customers who owe you.

## Why it helps

A plan with a bad month in it isn't gloomy. When the bad month comes, you open the sheet, find the line and do what it says. The figures above are an example; yours will be different, and the exercise is the same.`,
    readers: {
      Tom: "8 12:20",
      Ingrid: "7 09:10",
      Nadia: "6 17:20",
      Callum: "5 20:15",
      Mei: "4 09:40",
      Leila: "5 11:05",
    },
    ratings: {
      Tom: [5, "I have a line for the bad month now, and I sleep better."],
      Nadia: [4],
      Callum: [5, "The van has its own half month."],
    },
  },
  {
    by: "Leila",
    address: "business/being-found/the-last-three-customers",
    at: "12 10:00",
    title: "The Last Three Customers",
    excerpt: "Not how you believe people find you: how the last three did.",
    tags: ["marketing", "customers"],
    content: `Ask a small firm how customers find it and you will hear about the website. Ask about the last three customers and you will hear about a sister, a café and a man on a train.

## Three calls

Ring the last three people who bought something. Ask them three questions and write the answers down as they were said.

- What was going on when you began to look?
- Where did you look first, and what did you find there?
- What nearly stopped you?

## Read them side by side

Two of the three will use the same words. Those words belong on your front page, in that order. The third answer will contain a fear, and the fear belongs next to the price.

## Do it again in a month

Nobody's memory of why they bought lasts longer than a season. Three calls a month is an hour, and at the end of a year you will know more about your customers than any advert will tell you.`,
    readers: {
      Tom: "7 19:05",
      Ingrid: "6 12:40",
      Callum: "4 07:30",
      Nadia: "5 16:10",
      Mei: "4 10:10",
    },
    ratings: {
      Tom: [5],
      Callum: [5, "Three calls, and two of them said “he rang back”."],
      Nadia: [4],
    },
  },
  {
    by: "Gareth",
    address: "general/communication/the-email-you-are-avoiding",
    at: "11 09:30",
    title: "The Email You Are Avoiding",
    excerpt: "",
    tags: [],
    content:
      "Three short lessons for the email that has been a draft for a week: find what it asks, say it in five lines, and send it before supper.",
    lessons: [
      [
        "what-it-asks",
        "What It Asks",
        `An email that we avoid mostly asks for something we haven't admitted yet. Money, usually, or time, or forgiveness.

Open a blank page, not the draft. Write one sentence that begins with “I would like you to”. If you cannot finish it, there is no email to write yet, and you may go for a walk.

**Exercise.** Finish the sentence for the email you have in mind. Ten words at most.`,
      ],
      [
        "five-lines",
        "Five Lines",
        `1. Why I am writing, in one sentence.
2. What I would like you to do.
3. By when, and what happens if that is too soon.
4. The one fact you need to decide.
5. Thank you, and my name.

Leave out how sorry you are to trouble them. They can see that you are writing.

**Exercise.** Write the five lines. Read them aloud once, standing up.`,
      ],
      [
        "before-supper",
        "Before Supper",
        `A draft that survives a night grows a paragraph. Send it on the day you write it, before supper, when there is still time for the answer to be dull.

Then note two things: how long you avoided it, and how long the answer took. After five emails you will have stopped avoiding them, because the second number is so small.

**Exercise.** Send it. Write both numbers down.`,
      ],
    ],
    readers: { Mei: "9 17:30", Seun: "6 22:10", Beatrice: "4 11:20", Hannah: "3 15:30" },
    ratings: {
      Mei: [5, "Sent before supper. The answer was one word."],
      Beatrice: [5],
      Hannah: [4],
    },
  },
];
