import type { Row, World } from "./world.ts";

export const reportSql = "select public.report($1, $2, $3)";
export const explanation = "It insults another member.";
export const resolveReportSql = `select public.resolve_report($1, $2::text, case when $2::text <> 'keep' then '${explanation}' end)`;
/** As an administrator deletes in its room what another member wrote. */
export const removeMessageSql = `select public.delete_message($1, '${explanation}')`;
export const reportQueueSql = "select public.report_queue($1) as report";

/** What waits of one kind, or of all, as an administrator reads it. */
export async function reportQueue(
  world: World,
  admin: string,
  kind: string | null = null,
): Promise<Row[]> {
  return (await world.run(admin, reportQueueSql, [kind])).map(({ report }) => report as Row);
}

/** The row of something in the queue; undefined when it is not in it. */
export async function waitingReport(
  world: World,
  admin: string,
  id: unknown,
): Promise<Row | undefined> {
  return (await reportQueue(world, admin)).find((row) => row["subject_id"] === id);
}

/** What the export of a member says of reports. */
export async function exportedReports(world: World, member: string): Promise<Row[]> {
  const sql = "select public.export_my_data() -> 'reports' as reports";
  return (await world.one(member, sql))["reports"] as Row[];
}
