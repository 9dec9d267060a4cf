import type { DemoAccount } from "./accounts.ts";
import type { Moment } from "./moments.ts";

/** A member of the demo besides the accounts of the README; nobody can sign in as one. */
export interface DemoPerson extends Pick<
  DemoAccount,
  "firstName" | "lastName" | "occupation" | "bio" | "topics"
> {
  role: "student" | "mentor";
  /** What they wrote at onboarding. */
  goal: string;
}

/** When each member joined, by first name, and from which moment on which level was theirs. */
export interface Climb {
  joined: Moment;
  /** Moments at which the levels 2, 3 and 4 were reached, in this order. */
  reached: readonly Moment[];
  /** Messages written and liked until now, for the progress towards the next level. */
  engagements: number;
  /** Rooms opened by members who are still at level 1. */
  rooms?: number;
}

/** Everybody's climb, the accounts of the README included. */
export const climbs: Readonly<Record<string, Climb>> = {
  Marcus: { joined: "22 08:10", reached: [], engagements: 46, rooms: 7 },
  Helen: { joined: "22 09:30", reached: [], engagements: 104, rooms: 5 },
  Tom: { joined: "21 18:20", reached: ["16 07:10", "9 06:50", "2 07:00"], engagements: 378 },
  Ingrid: { joined: "21 19:05", reached: ["15 07:05", "8 06:30", "1 06:50"], engagements: 362 },
  Nadia: { joined: "21 20:10", reached: ["15 06:40", "7 06:45"], engagements: 188 },
  Gareth: { joined: "20 09:50", reached: ["13 06:55"], engagements: 96 },
  Leila: { joined: "20 12:30", reached: ["14 06:50", "6 07:15"], engagements: 176 },
  Callum: { joined: "20 17:40", reached: ["14 07:00", "6 06:55"], engagements: 193 },
  Mei: { joined: "19 11:15", reached: ["13 07:15", "5 07:05"], engagements: 168 },
  Seun: { joined: "17 20:30", reached: ["9 07:00"], engagements: 91 },
  Hannah: { joined: "16 15:10", reached: ["7 06:35"], engagements: 84 },
  Beatrice: { joined: "14 10:20", reached: ["6 07:05"], engagements: 73 },
  Rafael: { joined: "13 16:45", reached: ["3 06:50"], engagements: 66 },
  Arjun: { joined: "12 06:50", reached: [], engagements: 44, rooms: 5 },
  Priya: { joined: "11 19:30", reached: [], engagements: 41, rooms: 4 },
  Kofi: { joined: "8 13:05", reached: [], engagements: 33, rooms: 5 },
  Zoe: { joined: "4 18:40", reached: [], engagements: 22, rooms: 5 },
  Piotr: { joined: "1 16:20", reached: [], engagements: 11, rooms: 5 },
};

/** The address of a member whom nobody can sign in as. */
export function emailOfPerson({
  firstName,
  lastName,
}: Pick<DemoPerson, "firstName" | "lastName">): string {
  return `${firstName}.${lastName}@demo.fourfold.test`.toLowerCase();
}

/** The members around the accounts of the README, in the order in which they joined. */
export const people: readonly DemoPerson[] = [
  {
    firstName: "Ingrid",
    lastName: "Solheim",
    role: "student",
    occupation: "Translator, Norwegian and English",
    bio: "Nineteen years through agencies, now with clients who know my name. I read everything twice and write most things once.",
    topics: ["Direct clients", "Working alone", "Pricing by the year"],
    goal: "Half of my income from people I write to myself.",
  },
  {
    firstName: "Nadia",
    lastName: "Rahman",
    role: "student",
    occupation: "Chemistry teacher and tutor",
    bio: "I teach in Leicester by day and three small groups in the evening. Home for supper is my measure of success.",
    topics: ["Tutoring in groups", "Talking to parents", "Calm evenings"],
    goal: "The same income in half the evenings.",
  },
  {
    firstName: "Gareth",
    lastName: "Pryce",
    role: "mentor",
    occupation: "Writing and speaking coach",
    bio: "I help people say the thing they have been walking around. Cardiff, two terriers, one red pencil.",
    topics: ["Difficult emails", "Speeches", "Cutting words"],
    goal: "Finish the handbook I have been promising my friends for three years.",
  },
  {
    firstName: "Leila",
    lastName: "Haddad",
    role: "mentor",
    occupation: "Marketing adviser to small firms",
    bio: "I ask customers why they chose you, and then I put that on your front page. It is not more complicated than that.",
    topics: ["Front pages", "Customer interviews", "Being recommended"],
    goal: "Teach the method instead of only doing it.",
  },
  {
    firstName: "Callum",
    lastName: "Reid",
    role: "student",
    occupation: "Electrician",
    bio: "Eleven years with one firm, now on my own in Glasgow with one van and one laughing photograph.",
    topics: ["Going on your own", "Quotes", "Vans"],
    goal: "A full diary by winter without working weekends.",
  },
  {
    firstName: "Mei",
    lastName: "Tan",
    role: "student",
    occupation: "Freelance product designer",
    bio: "I take the questions out of sign-up forms until people finish them. Manchester, mostly in cafés.",
    topics: ["Fixed prices", "Case studies", "Saying no to one more screen"],
    goal: "Fewer projects, each with an edge around it.",
  },
  {
    firstName: "Seun",
    lastName: "Adeyemi",
    role: "student",
    occupation: "Software tester",
    bio: "Building a booking tool for barbers after bedtime. Ask me about the second notebook.",
    topics: ["Barbers", "Testing an idea", "Evenings with small children"],
    goal: "Fifty barbers who pay and are not related to me.",
  },
  {
    firstName: "Hannah",
    lastName: "Whitlock",
    role: "student",
    occupation: "Baker",
    bio: "Sourdough for thirty-seven households in Norwich, from an oven that was meant for one.",
    topics: ["Being paid in advance", "Selling at the door", "Early mornings"],
    goal: "To know by the end of the year whether this is a bakery.",
  },
  {
    firstName: "Beatrice",
    lastName: "Lowe",
    role: "student",
    occupation: "Family-history researcher",
    bio: "Retired librarian. I find the people your family stopped talking about, and I now charge for it.",
    topics: ["Archives", "Reading properly", "Starting late"],
    goal: "Ten searches a year at a price I can say without blushing.",
  },
  {
    firstName: "Rafael",
    lastName: "Duarte",
    role: "student",
    occupation: "Guitar teacher",
    bio: "Thirty pupils a week in Bristol, one rule about cancellations, three tuned guitars.",
    topics: ["Teaching beginners", "Cancellation rules", "Practice"],
    goal: "To play in public again without losing the teaching.",
  },
  {
    firstName: "Arjun",
    lastName: "Nair",
    role: "student",
    occupation: "Gardener",
    bio: "Gardens in Ealing, kept by the month. Up before the birds, back before the rain.",
    topics: ["Regular customers", "Hedges", "Getting up early"],
    goal: "Eight gardens on a monthly round.",
  },
  {
    firstName: "Kofi",
    lastName: "Mensah",
    role: "student",
    occupation: "Photographer",
    bio: "I photograph people at their work. Birmingham, and wherever there is a good van.",
    topics: ["Pictures for a website", "First prices", "Weddings, reluctantly"],
    goal: "Half of my year with people at work instead of at weddings.",
  },
  {
    firstName: "Zoe",
    lastName: "Hartley",
    role: "student",
    occupation: "HR adviser",
    bio: "Four days a week for a large employer in Newcastle, one day for firms too small to have an HR person.",
    topics: ["Hiring the first person", "Hard conversations", "Working four days"],
    goal: "Three small firms that ring me before it goes wrong.",
  },
  {
    firstName: "Piotr",
    lastName: "Wieczorek",
    role: "student",
    occupation: "Bicycle mechanic",
    bio: "Repairs in a shop in Hull by day and on doorsteps by evening.",
    topics: ["Bicycles", "Working on doorsteps"],
    goal: "A round of streets that know my bell.",
  },
];
