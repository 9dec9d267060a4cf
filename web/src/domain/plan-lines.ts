/** What each membership gives, as the landing page and the paywall list it. */
export const planLines = {
  student: [
    "Daily chats community",
    "Progress level system",
    "Peer-to-peer learning",
    "Achievements sharing",
    "Targeted courses",
    "Knowledge library",
    "Collaborations and directory",
    "Affiliate money system",
    "Achievement system",
  ],
  /** Beside everything students have. */
  mentor: [
    "Course and article creation",
    "Student analytics",
    "Advanced analytics",
    "Cross-audience selling",
    "Monetization training",
    "Student affiliate system",
  ],
} as const;
