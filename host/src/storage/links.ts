import { z } from "zod";
import { InvalidToken } from "../keys.ts";
import type { HostContext } from "../context.ts";
import { fault } from "./errors.ts";

/** What a link is good for. */
export type LinkScope = "download" | "upload";

const claims = z.object({
  url: z.string(),
  scope: z.enum(["download", "upload"]),
  exp: z.number(),
  owner: z.string().optional(),
  upsert: z.boolean().optional(),
});

/** The verified content of a link. */
export type Link = z.output<typeof claims>;

/** Signs a link to exactly one object for exactly one use, good for `seconds` from now. */
export async function signLink(
  context: HostContext,
  link: Omit<Link, "exp">,
  seconds: number,
): Promise<string> {
  const now = Math.floor(context.now() / 1000);
  return await context.keys.sign({ ...link, iat: now, exp: now + seconds });
}

/**
 * Checks a link's signature, age, use and object.
 * @throws {StorageFault}
 */
export async function verifyLink(
  context: HostContext,
  token: string | undefined,
  scope: LinkScope,
  path: string,
): Promise<Link> {
  if (!token) throw fault.invalidRequest("querystring must have required property 'token'");
  let parsed;
  try {
    parsed = claims.safeParse(await context.keys.verifyLink(token));
  } catch (error) {
    if (error instanceof InvalidToken) throw fault.invalidJwt(error.message);
    throw error;
  }
  if (!parsed.success || parsed.data.scope !== scope) {
    throw fault.invalidSignature(`Token is not scoped for ${scope}`);
  }
  if (parsed.data.url !== path) throw fault.invalidSignature();
  return parsed.data;
}
