import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import { callRpc } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "publish-due-drafts", failureMessage: "The scheduled run failed." };
/** No draft is begun after this time; the host ends a run after 150 s, and one draft has 8 s. */
const maxRoundMs = 120_000;
const outcome = z.nullable(z.enum(["published", "returned"]));

/**
 * Publishes the drafts whose time has come, one a transaction, and returns to their mentors those that can't be. Called
 * by the scheduler with a server key.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const service = serviceClient(deps);
    const round = { published: 0, returned: 0 };
    const end = Date.now() + maxRoundMs;
    while (Date.now() < end) {
      const result = outcome.parse(await callRpc(service, "publish_due_draft", {}));
      if (result === null) break;
      round[result] += 1;
    }
    return jsonResponse(200, round);
  });
}
