import type { BackendClient } from "@/lib/backend-client.ts";
import { queueCountsFrom, type QueueCount } from "../model/queue-counts.ts";

/** Reads how many items wait in each queue. Administrators only. Throws the database's error. */
export async function fetchQueueCounts(client: BackendClient): Promise<readonly QueueCount[]> {
  const { data, error } = await client.rpc("admin_queues");
  if (error) throw error;
  return queueCountsFrom(data);
}
