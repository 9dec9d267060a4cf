// Notes which accounts have just written, so that a read replica which is behind does not hide it from them.

import type { MiddlewareHandler } from "hono";
import type { HostContext } from "../context.ts";
import type { Caller } from "../keys.ts";
import { writtenHeader, type Replica } from "../postgres/replica.ts";

/** Notes a write here, and in the answer for the other hosts: the client then says so with its next reads. */
export function markWritten(replica: Replica, caller: Caller | undefined, headers: Headers): void {
  replica.recordWrite(caller?.userId);
  headers.set(writtenHeader, "true");
}

/** For services whose requests other than GET and HEAD may all write; REST knows better itself. */
export function noteWrites({ db, keys }: Pick<HostContext, "db" | "keys">): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (db.replica === undefined || ["GET", "HEAD", "OPTIONS"].includes(c.req.method)) return;
    const caller = await keys.resolveCaller(c.req.raw).catch(() => undefined);
    // The answer may be one of fetch, whose headers cannot be changed.
    const answer = new Response(c.res.body, c.res);
    markWritten(db.replica, caller, answer.headers);
    c.res = answer;
  };
}
