import type { BackendClient } from "@/lib/backend-client.ts";
import { isSecondFactorRequired } from "../model/authenticator-assurance.ts";

/** True while the present session still has to show its second factor. */
export async function isCodeRequired(client: BackendClient): Promise<boolean> {
  const { data } = await client.auth.getSession();
  return data.session !== null && isSecondFactorRequired(data.session);
}
