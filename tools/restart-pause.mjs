const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const healthyMs = 60_000;

/**
 * How long to wait before a process that died is started again: twice as long each time, from a second to half a
 * minute, and from the start again once it was ready for a minute.
 * @param {number} previousMs the pause before this run; 0 for the first
 * @param {number} readyMs how long it was ready
 * @returns {number}
 */
export function nextPauseMs(previousMs, readyMs) {
  if (previousMs === 0 || readyMs >= healthyMs) return firstPauseMs;
  return Math.min(previousMs * 2, longestPauseMs);
}
