export const courseStrings = {
  newerTitle: "A newer version of this course is out",
  newer: "You can finish the version you know. If you move, what you completed stays.",
  moveOn: "Move to it",
  moveTitle: "Move to the newer version?",
  moveText:
    "Lessons that you completed stay completed. New ones are added to what is left, and you can't go back to the version you know.",
  moveFailed: "We couldn't move you to the newer version.",
} as const;
