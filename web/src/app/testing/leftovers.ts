/** What takes away what the test that runs has opened: connections, routers, caches. */
const leftovers: (() => unknown)[] = [];

/** Has something taken away after the test that runs: the next one finds the same page and modules. */
export function afterThisTest(takeAway: () => unknown): void {
  leftovers.push(takeAway);
}

/** Takes away what was opened last first. */
export async function takeLeftoversAway(): Promise<void> {
  for (const takeAway of leftovers.splice(0).toReversed()) await takeAway();
}
