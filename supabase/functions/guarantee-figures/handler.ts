import { callRpc } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "guarantee-figures", failureMessage: "The figures could not be read." };

/**
 * How claims under the guarantee ended, as two counts; null while there are too few. Called by visitors; the database says
 * when there are enough.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const [row] = await callRpc(serviceClient(deps), "guarantee_figures", {});
    const figures = row === undefined ? null : { decided: row.decided, granted: row.granted };
    return jsonResponse(200, { figures });
  });
}
