import { randomUUID } from "node:crypto";
import pg from "pg";
import { hostOfFile } from "./own-host.ts";

let pool: pg.Pool | undefined;

/** Connections as the owner, for this file; see `closeOwner`. */
export function ownerConnections(): pg.Pool {
  return (pool ??= new pg.Pool({ connectionString: hostOfFile().databaseUrl, max: 4 }));
}

export async function closeOwnerConnections(): Promise<void> {
  await pool?.end();
  pool = undefined;
}

/** Sets the rank that decides which rooms an account may read. */
export async function setRank(id: string, level: number): Promise<void> {
  await ownerConnections().query(
    `insert into ranks (user_id, level) values ($1, $2)
     on conflict (user_id) do update set level = excluded.level`,
    [id, level],
  );
}

/** @returns the id of the note */
export async function addNote(
  room: number,
  body: string,
  author: string = randomUUID(),
): Promise<string> {
  const { rows } = await ownerConnections().query<{ id: string }>(
    "insert into notes (room_id, author, body, secret) values ($1, $2, $3, 'hidden') returning id",
    [room, author, body],
  );
  return rows[0]?.id ?? "";
}
