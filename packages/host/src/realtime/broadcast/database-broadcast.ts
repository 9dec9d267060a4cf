import type { WalRowChange } from "../postgres-changes/pgoutput.ts";
import type { TopicRegistry } from "../channels/topic-registry.ts";

/** Broadcasts a row of realtime.messages read from the log. Every host reads it there on its own. */
export function broadcastFromDatabase(topics: TopicRegistry, change: WalRowChange): void {
  if (change.type !== "INSERT") return;
  const values = new Map(
    change.relation.columns.map((column, at) => [column.name, change.record?.[at] ?? null]),
  );
  const topic = values.get("topic");
  const binary = values.get("binary_payload");
  const payload = binary?.startsWith("\\x")
    ? Buffer.from(binary.slice(2), "hex")
    : (values.get("payload") ?? "{}");
  if (typeof topic !== "string" || values.get("extension") !== "broadcast") return;
  topics.broadcast(
    { topic, isPrivate: values.get("private") === "t" },
    { event: values.get("event") ?? "", payload },
  );
}
