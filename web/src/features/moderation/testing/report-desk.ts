import { screen, within } from "@testing-library/react";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const authorId = "22222222-2222-4222-8222-222222222222";
export const reportedId = "33333333-3333-4333-8333-333333333333";
export const reportedSubmissionId = "44444444-4444-4444-8444-444444444444";

const rpc = (name: string) => `POST /rest/v1/rpc/${name}`;

interface QueuedRow {
  readonly report_id: number;
  readonly kind: string;
  readonly [column: string]: unknown;
}

/** What the database answers for a report of this kind. */
export const reportRow = (kind: string, differs: object = {}): QueuedRow => ({
  report_id: 7,
  kind,
  subject_id: reportedId,
  snapshot: { content: "Buy coins" },
  place: {},
  author: { id: authorId, name: "Grace Hopper", role: "mentor", avatar_url: null },
  is_changed: false,
  reports: 2,
  reasons: ["Spam", "And rude"],
  first_reported_at: "2026-11-20T11:00:00+00:00",
  ...differs,
});

/** Opens the console at an address, as an administrator for whom these wait; a decision about one closes it. */
export function openReportDesk(
  address: string,
  rows: readonly QueuedRow[],
  { refused = false } = {},
) {
  let waiting = rows;
  const { seen } = renderApp(address, {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      const { kind, report_id: decided } = (body ?? {}) as Partial<QueuedRow>;
      if (call === rpc("report_queue")) {
        return { body: waiting.filter((each) => kind === undefined || each.kind === kind) };
      }
      if (call === rpc("resolve_report")) {
        if (refused) return { status: 400, body: { code: "FF320", message: "No longer" } };
        waiting = waiting.filter((each) => each.report_id !== decided);
        return { status: 204 };
      }
      if (call === rpc("admin_queues")) {
        const kinds: Record<string, number> = {};
        for (const each of waiting) kinds[each.kind] = (kinds[each.kind] ?? 0) + 1;
        const oldest_at = "2026-11-20T11:00:00+00:00";
        const identity = { queue: "identity", waiting: 1, oldest_at };
        return {
          body: [identity, { queue: "reports", waiting: waiting.length, oldest_at, kinds }],
        };
      }
      return undefined;
    },
  });
  return {
    decisions: () => seen.filter(({ call }) => call === rpc("resolve_report")),
    /** Another one is reported meanwhile. */
    report: (row: QueuedRow) => {
      waiting = [...waiting, row];
    },
  };
}

/** The page once its queue has this name: the rows, and beside them the report that is open. */
export const findReportQueue = async (name: RegExp | string) => {
  await screen.findByRole("region", { name });
  return within(screen.getByRole("main"));
};
