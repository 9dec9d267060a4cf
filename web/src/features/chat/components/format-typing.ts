import { roomStrings } from "../strings.ts";

/**
 * `Ada is typing`, `Ada and Ben are typing`, `Ada, Ben and 2 others are typing`; empty without
 * names.
 */
export function formatTyping(names: readonly string[]): string {
  const [first, second, ...rest] = names;
  if (first === undefined) return "";
  if (second === undefined) return roomStrings.oneTyping(first);
  if (rest.length === 0) return roomStrings.twoTyping(first, second);
  return roomStrings.manyTyping(first, second, rest.length);
}
