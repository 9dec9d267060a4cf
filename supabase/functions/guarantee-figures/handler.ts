import { z } from "zod";
import type { Deps } from "../_shared/deps.ts";
import { handlePost, jsonResponse } from "../_shared/responses.ts";
import { serviceClient } from "../_shared/service-client.ts";

const options = { name: "guarantee-figures", failureMessage: "The figures could not be read." };
const rows = z.array(z.object({ decided: z.number(), granted: z.number() })).max(1);

/**
 * How claims under the guarantee ended, as two counts; null while there are too few. Called by visitors; the database says
 * when there are enough.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const { data, error } = await serviceClient(deps).rpc("guarantee_figures");
    if (error) throw new Error("guarantee_figures", { cause: error });
    return jsonResponse(200, { figures: rows.parse(data)[0] ?? null });
  });
}
