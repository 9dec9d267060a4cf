import { z } from "zod";
import { callRpc } from "../_shared/database/database-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { FunctionError, handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "course-offer", failureMessage: "The course could not be read." };
const requestBody = z.object({ slug: z.string().min(1).max(80) });

/** What the public page of a course shows. Called by visitors; the database says what that is. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const { slug } = await parseBody(request, requestBody);
    const offer = await callRpc(serviceClient(deps), "course_offer", { slug });
    if (offer === null) {
      throw new FunctionError(404, "course_not_on_sale", "This course is not on sale.");
    }
    return jsonResponse(200, { offer });
  });
}
