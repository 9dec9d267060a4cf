// Reads the bell of many members in its own process, as their open pages do after an announcement: each at a random moment
// within the given time. Its parent sends one order and gets one report.

/** A message of the parent. */
export interface BellsOrder {
  readonly url: string;
  readonly anonKey: string;
  readonly tokens: readonly string[];
  readonly spreadMs: number;
}

/** The answer to it. */
export interface BellsReport {
  /** How many bells showed the announcement exactly once, unread. */
  readonly once: number;
  /** How many requests failed. */
  readonly failed: number;
}

interface Bell {
  readonly unread: number;
  readonly items: readonly { readonly kind: string; readonly unread: boolean }[];
}

async function isToldOnce({ url, anonKey }: BellsOrder, token: string): Promise<boolean> {
  const response = await fetch(`${url}/rest/v1/rpc/my_notifications`, {
    method: "POST",
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    },
    body: "{}",
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { items } = (await response.json()) as Bell;
  const told = items.filter(({ kind }) => kind === "announcement");
  return told.length === 1 && told[0]?.unread === true;
}

process.on("message", (order: BellsOrder) => {
  const reads = order.tokens.map(
    async (token) =>
      await new Promise<"once" | "other" | "failed">((resolve) => {
        setTimeout(() => {
          isToldOnce(order, token).then(
            (once) => resolve(once ? "once" : "other"),
            () => resolve("failed"),
          );
        }, Math.random() * order.spreadMs);
      }),
  );
  void Promise.all(reads).then((outcomes) => {
    const count = (kind: string) => outcomes.filter((outcome) => outcome === kind).length;
    const report: BellsReport = { once: count("once"), failed: count("failed") };
    if (process.connected) process.send?.(report);
  });
});
