import { z } from "zod";
import { toFunctionError } from "../_shared/http/admin-caller.ts";
import { bearerToken, requireMember } from "../_shared/http/caller.ts";
import { callerClient } from "../_shared/database/caller-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { bytesResponse, FunctionError, handlePost } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = {
  name: "open-guarantee-document",
  failureMessage: "The document could not be opened.",
};
const requestBody = z.object({ claim_id: z.uuid() });

/**
 * Hands the document of a claim that waits to an administrator. The opening is recorded first, with the administrator's own
 * token; the file is then read with the server's key, because the storage shows administrators no document.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    await requireMember(request, service, "No active session");
    const { claim_id } = await parseBody(request, requestBody);
    const client = callerClient(deps, bearerToken(request) ?? "");
    const opened = await client.rpc("open_guarantee_document", { claim_id });
    if (opened.error) throw toFunctionError(opened.error);
    const name = z.string().parse(opened.data);
    const { data, error } = await service.storage.from("guarantee-documents").download(name);
    if (error === null) return bytesResponse(data);
    const { status } = error as { status?: number };
    if (status !== 400 && status !== 404) {
      throw new Error("the document cannot be read", { cause: error });
    }
    throw new FunctionError(404, "document_missing", "The file is no longer stored.");
  });
}
