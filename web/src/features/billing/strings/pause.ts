/** Pausing the membership for one to three months, and coming back. */
export const pauseStrings = {
  title: "Need a break?",
  intro:
    "Pause your membership for one to three months. You keep your price, your level and your rooms, and nothing is charged during the pause.",
  open: "Pause my membership",
  ask: "Pause your membership?",
  /** What stays open until then. */
  consequence: (day: string) =>
    `You keep your access until ${day}, because you've paid for it. After that, you have no access and nothing is charged until the pause ends.`,
  guarantee: "A month with a pause in it doesn't count towards the guarantee.",
  length: "How long?",
  choice: (months: number, day: string) =>
    `${months === 1 ? "1 month" : `${months} months`}, until ${day}`,
  confirm: "Pause it",
  stay: "Keep it running",
  plannedTitle: "A pause is planned",
  planned: (from: string, until: string | null) =>
    until === null
      ? `Your membership pauses on ${from}.`
      : `Your membership pauses on ${from} and resumes automatically on ${until}.`,
  undoPlan: "Don't pause",
  calledOff: "Your membership keeps running.",
  pausedTitle: "Your pause",
  paused: (until: string | null) =>
    until === null
      ? "Come back whenever you like."
      : `It resumes automatically on ${until}, with your next payment. Come back earlier whenever you like.`,
  resumeAsk: "Resume your membership now?",
  resumeConsequence: (price: string, card: string) =>
    `A new period begins today. We charge ${price}, less any discount from your code, to ${card}.`,
  resumeConfirm: "Resume and pay",
  resumeStay: "Stay paused",
  resumed: "Welcome back. Everything is open to you again.",
  done: "Your pause is planned.",
  pauseFailed: "We couldn't pause your membership. Nothing has changed; please try again.",
  resumeFailed:
    "We couldn't resume your membership. Please try again; you'll only be charged once.",
  // In the place of what is not known.
  unknownPrice: "your plan's price",
  unknownCard: "your card",
} as const;
