/**
 * What a price means for a member who joins now, as the landing page and the paywall say it.
 * @param amount with its currency, such as `£50`.
 */
export function joiningPrice(amount: string, interval: "month" | "year" = "month"): string {
  return `Join now and you pay ${amount} a ${interval}, the same for as long as your membership runs.`;
}
