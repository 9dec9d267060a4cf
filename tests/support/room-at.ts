/** One room for each level. */
export const roomAt = {
  1: "general",
  2: "reading-circle",
  3: "first-clients",
  4: "legacy",
} as const;
