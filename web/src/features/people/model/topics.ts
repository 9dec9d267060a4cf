/** The most topics a profile may name, and the most characters of each; the database has the same limits. */
export const maxTopics = 8;
export const maxTopicCharacters = 40;

/** `Tax, pricing` → its topics, without empty ones. */
export function splitTopics(typed: string): string[] {
  return typed
    .split(/[,\n]/)
    .map((topic) => topic.trim().replaceAll(/\s+/g, " "))
    .filter((topic) => topic !== "");
}
