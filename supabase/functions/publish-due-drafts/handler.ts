import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/responses.ts";
import { requireScheduler } from "../_shared/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { serviceClient } from "../_shared/service-client.ts";

const options = { name: "publish-due-drafts", failureMessage: "The scheduled run failed." };

/** Publishes the drafts whose time has come. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const { data, error } = await serviceClient(deps).rpc("publish_due_drafts");
    if (error) throw new Error("publish_due_drafts", { cause: error });
    return jsonResponse(200, { published: z.number().parse(data) });
  });
}
