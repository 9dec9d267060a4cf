import type { Moment } from "./moments.ts";

/** A question under a text of a mentor. */
export interface StoryQuestion {
  at: Moment;
  by: string;
  text: string;
  /** Where the article or the lesson stands: category, subcategory and slugs. */
  address: string;
  mentor: string;
  answer?: { at: Moment; text: string };
}

/** Questions of members to the mentors, oldest first; the last ones wait. */
export const storyQuestions: readonly StoryQuestion[] = [
  {
    at: "13 12:30",
    by: "Ingrid",
    address: "general/communication/cut-a-third",
    text: "Does this hold for an offer as well? I'm afraid that the short one looks as if I hadn't tried.",
    mentor: "Gareth",
    answer: {
      at: "13 18:20",
      text: "It does, Ingrid. A short offer looks like somebody who has done this before. Keep the price, the day and the one sentence about their text; everything else can wait until they ask.",
    },
  },
  {
    at: "8 21:40",
    by: "Seun",
    address: "general/communication/cut-a-third",
    text: "My page has four sentences already. Which third of four sentences would you cut?",
    mentor: "Gareth",
    answer: {
      at: "7 09:20",
      text: "The adjective in each of them, Seun. Then read it to one of your barbers, and cut whatever he doesn't repeat.",
    },
  },
  {
    at: "8 12:45",
    by: "Tom",
    address: "business/books-and-cash/the-month-that-has-not-happened",
    text: "My income comes in three or four lumps a year. Is a half month for me a half quarter?",
    mentor: "Helen",
    answer: {
      at: "8 19:30",
      text: "Yes, Tom. Take the longest gap you've had between two lumps and plan for one and a half of it. With your deposits the gap has become shorter since the last time we counted, so count again.",
    },
  },
  {
    at: "5 20:35",
    by: "Callum",
    address: "business/books-and-cash/the-month-that-has-not-happened",
    text: "I've only been on my own for five days. Where do I get a usual month from?",
    mentor: "Helen",
    answer: {
      at: "4 08:10",
      text: "From the nine jobs you wrote about, Callum. Call six of them a usual month and three a half month. When you have three real months, we replace the guesses.",
    },
  },
  {
    at: "4 11:40",
    by: "Beatrice",
    address: "general/communication/the-email-you-are-avoiding/five-lines",
    text: "I have a sixth line, in which I ask after their mother. Must it go?",
    mentor: "Gareth",
    answer: {
      at: "4 17:10",
      text: "It may stay, Beatrice, if you know the mother. Put it last. It's the only line they'll answer first.",
    },
  },
  {
    at: "4 07:50",
    by: "Callum",
    address: "business/being-found/the-last-three-customers",
    text: "Two of my last three are the same family. Do they count once or twice?",
    mentor: "Leila",
    answer: {
      at: "3 10:30",
      text: "Twice, Callum, because they had to decide twice. Ask the second one what the first one told them. That sentence is your advert.",
    },
  },
  {
    at: "1 09:40",
    by: "Nadia",
    address: "business/books-and-cash/the-month-that-has-not-happened",
    text: "Parents pay by the term. Should my half month be the one before the term begins, or one in the middle when two pupils leave?",
    mentor: "Helen",
  },
  {
    at: "1 14:20",
    by: "Tom",
    address: "wealth/where-you-stand/paid-in-lumps",
    text: "My floor would come to £3,100, and it is in the account that also pays for wood. Does the wood get an account of its own?",
    mentor: "Helen",
    answer: {
      at: "1 18:05",
      text: "Yes, Tom, before anything else. Wood that is bought ahead looks like savings until the invoice comes. Move this month's first and count the floor again.",
    },
  },
  {
    at: "0 -150",
    by: "Callum",
    address: "business/books-and-cash/getting-paid",
    text: "Does the call on day three also fit private customers, or do I sound as if I didn't trust them?",
    mentor: "Helen",
  },
  {
    at: "0 -130",
    by: "Hannah",
    address: "general/communication/the-email-you-are-avoiding/before-supper",
    text: "I avoided mine for nine days and the answer took twenty minutes. Is it all right if the answer was no?",
    mentor: "Gareth",
  },
];
