export const mentionStrings = {
  options: "Members to mention",
  everyone: "notifies everyone who can read this room",
} as const;
