import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { bearerToken } from "../_shared/http/caller.ts";
import { callerClient } from "../_shared/database/caller-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";

const options = {
  name: "decrement-participant-count",
  failureMessage: "The room could not be left.",
};
const requestBody = z.object({ room_id: z.string().min(1).max(60) });

/**
 * Ends the caller's own lease in a room when the page closes. The page does not read the response, so callers who are
 * not signed in get 200 too.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const token = bearerToken(request);
    if (token === undefined) return jsonResponse(200, {});
    const body = await parseBody(request, requestBody);
    const { error, status } = await callerClient(deps, token).rpc(
      "decrement_participant_count",
      body,
    );
    const isUnauthorized = status === 401 || status === 403;
    if (error !== null && !isUnauthorized) throw new Error(options.name, { cause: error });
    return jsonResponse(200, {});
  });
}
