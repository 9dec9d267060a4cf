import { z } from "zod";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { callForVisitor, visitorName } from "../_shared/http/visitor.ts";

const options = {
  name: "affiliate-visit",
  failureMessage: "The visit could not be remembered.",
};
const requestBody = z.object({
  code: z.string().min(1).max(40),
  /** The visit this browser knows of, which stays the one that counts. */
  visit: z.uuid().nullish(),
});

/**
 * Remembers a visit by an affiliate link. Called by visitors who agreed to it; the answer is a random id, or null for a link
 * that does not exist or whose owner is no member now.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const { code, visit } = await parseBody(request, requestBody);
    const args = { code, known: visit ?? null, visitor: await visitorName(request, deps) };
    const message = "There were too many visits from your address. Please try again later.";
    const service = serviceClient(deps);
    const recorded = await callForVisitor(service, "record_affiliate_visit", args, message);
    return jsonResponse(200, { visit: recorded });
  });
}
