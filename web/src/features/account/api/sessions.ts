import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** A device one is signed in on. */
export interface DeviceSession {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly userAgent: string;
  /** The network address it was last seen at; empty when unknown. */
  readonly address: string;
  readonly isCurrent: boolean;
}

const rows = z.array(
  z.object({
    id: z.string(),
    created_at: z.string(),
    last_seen_at: z.string(),
    user_agent: z.nullable(z.string()),
    address: z.nullable(z.string()),
    is_current: z.boolean(),
  }),
);

/** Where one is signed in, this device first. Throws the database's error. */
export async function fetchSessions(client: BackendClient): Promise<readonly DeviceSession[]> {
  const { data, error } = await client.rpc("my_sessions");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.id,
    createdAt: Date.parse(row.created_at),
    lastSeenAt: Date.parse(row.last_seen_at),
    userAgent: row.user_agent ?? "",
    address: row.address ?? "",
    isCurrent: row.is_current,
  }));
}

/** Signs out of one device. Throws the database's error. */
export async function endSession(client: BackendClient, id: string): Promise<void> {
  const { error } = await client.rpc("end_session", { session_id: id });
  if (error) throw error;
}

/** Signs out of every device but this one. Throws the auth server's error. */
export async function endOtherSessions(client: BackendClient): Promise<void> {
  const { error } = await client.auth.signOut({ scope: "others" });
  if (error) throw error;
}
