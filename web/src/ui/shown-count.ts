/** A count as it is shown; the database counts to 99. */
export function shownCount(count: number): string {
  return count >= 99 ? "99+" : String(count);
}
