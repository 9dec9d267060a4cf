import { z } from "zod";
import { callRpc } from "../_shared/database/database-client.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { readUnsubscribeToken } from "../_shared/emails/unsubscribe-link.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { FunctionError, handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = {
  name: "unsubscribe",
  failureMessage: "We couldn't switch these emails off. Please try again.",
};
const requestBody = z.object({ token: z.string().max(200) });

/**
 * Switches off the kind of e-mail that a signed link names, without a session (RFC 8058). Mail programs send the POST of
 * one click to the address in `List-Unsubscribe`; our page sends the token as JSON. Looking at the address shows that
 * page, because mail scanners look at links.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  const named = new URL(request.url).searchParams.get("token");
  if (request.method === "GET" || request.method === "HEAD") {
    const page = `${requireEnv(deps, "SITE_URL")}/unsubscribe?token=${encodeURIComponent(named ?? "")}`;
    return new Response(null, { status: 303, headers: { location: page } });
  }
  return await handlePost(request, options, async () => {
    const token = named ?? (await parseBody(request, requestBody)).token;
    const link = await readUnsubscribeToken(deps, token);
    if (link === null) {
      throw new FunctionError(404, "unknown_link", "This link is incomplete. Open it again.");
    }
    const args = { member: link.userId, kind: link.kind };
    await callRpc(serviceClient(deps), "switch_off_emails", args);
    return jsonResponse(200, { kind: link.kind });
  });
}
