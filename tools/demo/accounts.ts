/** Signs every demo account in; demo accounts exist on local installs only. */
export const demoPassword = "Fourfold-Demo-1!";

/** One person of the demo. */
export interface DemoAccount {
  email: string;
  role: "student" | "mentor" | "admin";
  level: 1 | 4;
  firstName: string;
  lastName: string;
  occupation: string;
  bio: string;
  /** What others may ask about. */
  topics: readonly string[];
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
    description: "admin (sign in at /adminlogin)",
  },
];
