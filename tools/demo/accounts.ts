/** Signs every demo account in; demo accounts exist on local installs only. */
export const demoPassword = "Fourfold-Demo-1!";

/**
 * The key of the authenticator app of the demo's administrator, as public as the password: administrators have a second
 * factor. `npm run demo-code` prints its code of the moment.
 */
export const demoAuthenticatorKey = "FOURFOLDDEMOADMINKEYFORTRYINGITU";

/** One person of the demo. */
export interface DemoAccount {
  email: string;
  role: "student" | "mentor" | "admin";
  /** Where the demo's three weeks bring them. */
  level: 1 | 4;
  firstName: string;
  lastName: string;
  occupation: string;
  bio: string;
  /** What others may ask about. */
  topics: readonly string[];
  /** What they aim for in six months and in a year. */
  goals: readonly [sixMonths: string, year: string];
  description: string;
}

export const demoAccounts: readonly DemoAccount[] = [
  {
    email: "student1@demo.fourfold.test",
    role: "student",
    level: 1,
    firstName: "Priya",
    lastName: "Raman",
    occupation: "Physiotherapist",
    bio: "Building a second income from running-injury clinics at weekends.",
    topics: ["Running injuries", "Weekend clinics"],
    goals: [
      "Four paid places in every Saturday clinic.",
      "A fixed room and half of my income from it.",
    ],
    description: "student at level 1",
  },
  {
    email: "student4@demo.fourfold.test",
    role: "student",
    level: 4,
    firstName: "Tom",
    lastName: "Ashworth",
    occupation: "Furniture maker",
    bio: "Left a salaried job after three years of evenings in a rented workshop.",
    topics: ["Pricing handmade work", "Leaving a job", "Workshops"],
    goals: [
      "A waiting list that pays the rent of the workshop.",
      "One person at the second bench, paid properly.",
    ],
    description: "student at level 4",
  },
  {
    email: "mentor@demo.fourfold.test",
    role: "mentor",
    level: 1,
    firstName: "Helen",
    lastName: "Okafor",
    occupation: "Accountant and small-business mentor",
    bio: "Twenty years of other people's books; happiest with a first-year founder.",
    topics: ["Tax returns", "VAT", "First-year books"],
    goals: [
      "Answer every question about first-year books within a day.",
      "A short course on the first tax return.",
    ],
    description: "mentor",
  },
  {
    email: "admin@demo.fourfold.test",
    role: "admin",
    level: 1,
    firstName: "Marcus",
    lastName: "Bell",
    occupation: "Community manager",
    bio: "Keeps the house in order.",
    topics: [],
    goals: ["Everyone who joins is welcomed by name.", "A house that runs without me on Sundays."],
    description: "admin (sign in at /adminlogin; its code: npm run demo-code)",
  },
];
