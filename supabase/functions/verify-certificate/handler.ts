import { z } from "zod";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { readPublicCode, visitorName } from "../_shared/http/visitor.ts";

const options = {
  name: "verify-certificate",
  failureMessage: "The certificate could not be looked up.",
};
const requestBody = z.object({ code: z.string().min(1).max(60) });

/** What is public about a certificate, whatever else the database may come to answer. */
const certificate = z.nullable(
  z.object({
    name: z.string(),
    course: z.string(),
    mentor: z.string().nullable(),
    completed_on: z.string(),
    is_revoked: z.boolean(),
  }),
);

/** Says what the certificate with a code says, or null. Called by visitors. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const { code } = await parseBody(request, requestBody);
    const visitor = await visitorName(request, deps);
    const found = await readPublicCode(serviceClient(deps), "verify_certificate", code, visitor);
    return jsonResponse(200, { certificate: certificate.parse(found) });
  });
}
