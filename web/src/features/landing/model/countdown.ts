/** The one thing the landing page keeps in the browser: when the countdown ends, as an ISO date. */
export const countdownKey = "landing-countdown-target";
export const countdownMs = 24 * 60 * 60 * 1000;

type TargetStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A saved target in the future is used again; otherwise one 24 hours ahead is set and saved. */
export function chooseTarget(store: TargetStore, now: number): number {
  const saved = Date.parse(store.getItem(countdownKey) ?? "");
  if (saved > now) return saved;
  const target = now + countdownMs;
  store.setItem(countdownKey, new Date(target).toISOString());
  return target;
}

/** What to show now. At the end the saved target is removed, so the next visit starts afresh. */
export function readCountdown(store: TargetStore, target: number, now: number): string {
  const remaining = target - now;
  if (remaining <= 0) store.removeItem(countdownKey);
  return formatRemaining(remaining);
}

/** `3_723_000` → `01:02:03`. Begun seconds count whole; nothing goes below zero. */
export function formatRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
