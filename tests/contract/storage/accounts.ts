import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import sharp from "sharp";
import { inject } from "vitest";

/** An account with a session. Only the token exists; storage reads nothing else of an account. */
export interface TestAccount {
  id: string;
  token: string;
  client: SupabaseClient;
}

export async function tokenFor(
  id: string,
  claims: Record<string, unknown> = {},
  secret: string = inject("host").jwtSecret,
): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return await new SignJWT({ role: "authenticated", aud: "authenticated", sub: id, exp, ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt()
    .sign(new TextEncoder().encode(secret));
}

export async function createStorageAccount(): Promise<TestAccount> {
  const { url, anonKey } = inject("host");
  const id = randomUUID();
  const token = await tokenFor(id);
  const client = createClient(url, anonKey, {
    accessToken: async () => await Promise.resolve(token),
  });
  return { id, token, client };
}

/** A small picture; the same arguments give the same bytes. */
export async function picture(
  format: "png" | "jpeg" | "webp" | "gif" = "png",
  side = 24,
): Promise<Buffer> {
  const background = { r: 20, g: 120, b: 200 };
  const image = sharp({ create: { width: side, height: side, channels: 3, background } });
  return await image.toFormat(format).toBuffer();
}

/** A small but whole PDF with one page; `comment` stands in its head. */
export function pdf(comment = ""): Buffer {
  return Buffer.from(
    [
      "%PDF-1.7",
      `% ${comment}`,
      "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
      "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj",
      "trailer<</Root 1 0 R>>",
      "%%EOF",
      "",
    ].join("\n"),
    "latin1",
  );
}
