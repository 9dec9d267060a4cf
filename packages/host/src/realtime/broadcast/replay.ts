// Reads the stored broadcasts that a joining client asks for with `replay`.

import type { Queryable } from "../../postgres/database.ts";
import { broadcastFrame, type Broadcast, type TopicMember } from "../channels/topic-registry.ts";
import type { Frame } from "../socket/frames.ts";

interface ReplayedMessage {
  id: string;
  event: string;
  /** JSON; null for a binary payload. */
  payload: string | null;
  binary: Buffer | null;
}

/** The newest broadcasts of a private topic since a time (milliseconds), oldest first. */
export async function readReplay(
  db: Queryable,
  topic: string,
  wanted: { since: number; limit: number },
): Promise<Broadcast[]> {
  const { rows } = await db.query<ReplayedMessage>(
    `select id, coalesce(event, '') as event, payload::text as payload, binary_payload as binary
       from realtime.messages
      where topic = $1 and private and extension = 'broadcast'
        and (payload is not null or binary_payload is not null)
        and inserted_at >= to_timestamp($2::float8 / 1000) at time zone 'utc'
      order by inserted_at desc limit $3`,
    [topic, wanted.since, wanted.limit],
  );
  return rows.toReversed().map(({ id, event, payload, binary }) => ({
    event,
    payload: binary ?? payload ?? "{}",
    meta: JSON.stringify({ replayed: true, id }),
  }));
}

/** The frames of a replay. A client of protocol 1.0.0 cannot receive bytes, so it gets no binary broadcast. */
export function replayFrames(
  broadcasts: readonly Broadcast[],
  { version, fullTopic }: Pick<TopicMember, "version" | "fullTopic">,
): Frame[] {
  return broadcasts.flatMap((broadcast) => broadcastFrame(version, fullTopic, broadcast) ?? []);
}
