import { z } from "zod";
import { bytesResponse, handlePost, FunctionError } from "../_shared/http/responses.ts";
import { bearerToken, requireMember } from "../_shared/http/caller.ts";
import { callerClient } from "../_shared/database/caller-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = {
  name: "open-verification-document",
  failureMessage: "The document could not be opened.",
};
const requestBody = z.object({ verification_id: z.uuid() });

/**
 * Hands the bytes of an identity document to an administrator. The opening is recorded first, with the administrator's
 * own token; the file is then read with the server's key, because the storage shows administrators no document.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    await requireMember(request, service, "No active session");
    const { verification_id: id } = await parseBody(request, requestBody);
    const name = await recordOpening(deps, bearerToken(request) ?? "", id);
    const { data, error } = await service.storage.from("verification-documents").download(name);
    if (error === null) return bytesResponse(data);
    const { status } = error as { status?: number };
    if (status !== 400 && status !== 404) {
      throw new Error("the document cannot be read", { cause: error });
    }
    throw new FunctionError(404, "document_missing", "The file is no longer stored.");
  });
}

/**
 * @returns the name of the file.
 * @throws {FunctionError} 403 forbidden or admin_second_factor_due, or 404 no_document.
 */
async function recordOpening(deps: Deps, token: string, id: string): Promise<string> {
  const client = callerClient(deps, token);
  const { data, error } = await client.rpc("open_verification_document", { verification_id: id });
  if (error?.code === "FF002") throw new FunctionError(403, "forbidden", error.message);
  if (error?.code === "FF005") {
    throw new FunctionError(403, "admin_second_factor_due", error.message);
  }
  if (error?.code === "FF127") throw new FunctionError(404, "no_document", error.message);
  if (error) throw new Error("the opening cannot be recorded", { cause: error });
  return z.string().parse(data);
}
