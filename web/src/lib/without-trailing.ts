/**
 * The text without these signs at its end. A regular expression for it (`/ +$/`) begins again at each of them when something
 * else follows: the square of their number.
 */
export function withoutTrailing(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
