/** Pausing the membership for one to three months, and coming back. */
export const pauseStrings = {
  title: "Need a break?",
  intro:
    "Pause your membership for one to three months. You keep your price, your level and your rooms, and nothing is charged meanwhile.",
  open: "Pause my membership",
  ask: "Pause your membership?",
  /** What stays open until then. */
  consequence: (day: string) =>
    `Everything stays open until ${day}, because it is paid for. Then your access is off and nothing is charged until the pause ends.`,
  guarantee: "A month in which you pause does not count for the guarantee.",
  length: "How long?",
  choice: (months: number, day: string) =>
    `${months === 1 ? "1 month" : `${months} months`}, until ${day}`,
  confirm: "Pause it",
  stay: "Keep it running",
  plannedTitle: "A pause is planned",
  planned: (from: string, until: string | null) =>
    until === null
      ? `Your membership pauses on ${from}.`
      : `Your membership pauses on ${from} and goes on by itself on ${until}.`,
  undoPlan: "Don't pause",
  calledOff: "Your membership keeps running.",
  pausedTitle: "Your pause",
  paused: (until: string | null) =>
    until === null
      ? "Come back whenever you like."
      : `It goes on by itself on ${until}, with the next payment. Come back earlier whenever you like.`,
  resumeAsk: "Resume your membership now?",
  resumeConsequence: (price: string, card: string) =>
    `A new period begins today. We charge ${price}, less what a code of yours takes off, to ${card}.`,
  resumeConfirm: "Resume and pay",
  resumeStay: "Stay paused",
  resumed: "Welcome back. Everything is open to you again.",
  done: "Your pause is planned.",
  pauseFailed: "We couldn't pause your membership. Nothing has changed; please try again.",
  resumeFailed: "We couldn't resume your membership. Please try again; you are charged once.",
  // In the place of what is not known.
  unknownPrice: "your plan's price",
  unknownCard: "your card",
} as const;
