import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import { callRpc } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "count-content-days", failureMessage: "The scheduled run failed." };

/** Counts the finished days of articles and courses for the studio's analytics. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const rows = await callRpc(serviceClient(deps), "count_content_days", {});
    return jsonResponse(200, { rows });
  });
}
