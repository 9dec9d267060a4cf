import { z } from "zod";
import type { Deps } from "../_shared/deps.ts";
import { drawShareCard } from "../_shared/achievements/draw-share-card.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { readPublicCode, visitorName } from "../_shared/http/visitor.ts";

const options = { name: "shared-card", failureMessage: "The card could not be drawn." };
const requestBody = z.object({ code: z.string().min(1).max(60) });
const card = z.nullable(
  z.object({ name: z.string(), title: z.string(), line: z.string(), day: z.string() }),
);

/**
 * The words of a shared card and its picture, or null for both. Called by visitors. The picture is text within JSON: SVG is
 * never served as a document on the site's origin, where it could run scripts.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const { code } = await parseBody(request, requestBody);
    const visitor = await visitorName(request, deps);
    const found = card.parse(
      await readPublicCode(serviceClient(deps), "shared_card", code, visitor),
    );
    return jsonResponse(200, { card: found, svg: found === null ? null : drawShareCard(found) });
  });
}
