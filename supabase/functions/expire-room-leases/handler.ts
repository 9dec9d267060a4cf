import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import { callRpc } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "expire-room-leases", failureMessage: "The scheduled run failed." };

/** Ends expired leases of room participants. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const expired = await callRpc(serviceClient(deps), "expire_room_leases", {});
    return jsonResponse(200, { expired });
  });
}
