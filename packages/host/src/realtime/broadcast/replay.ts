import type { Queryable } from "../../postgres/database.ts";

interface ReplayedMessage {
  id: string;
  event: string;
  /** JSON. */
  payload: string;
}

/** The newest broadcasts of a private topic since a time (milliseconds), oldest first, as JSON payloads. */
export async function readReplay(
  db: Queryable,
  topic: string,
  wanted: { since: number; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<ReplayedMessage>(
    `select id, coalesce(event, '') as event, payload::text as payload from realtime.messages
      where topic = $1 and private and extension = 'broadcast' and payload is not null
        and inserted_at >= to_timestamp($2::float8 / 1000) at time zone 'utc'
      order by inserted_at desc limit $3`,
    [topic, wanted.since, wanted.limit],
  );
  return rows.toReversed().map(({ id, event, payload }) => {
    const meta = JSON.stringify({ replayed: true, id });
    return `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payload},"meta":${meta}}`;
  });
}
