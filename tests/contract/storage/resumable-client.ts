import type pg from "pg";
import { inject } from "vitest";
import type { TestAccount } from "./accounts.ts";

export const endpoint = `${inject("host").url}/storage/v1/upload/resumable`;

const base64 = (text: string) => Buffer.from(text).toString("base64");
export const metadataOf = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(",");

export const tusHeaders = (account: TestAccount, more: Record<string, string> = {}) => ({
  "tus-resumable": "1.0.0",
  authorization: `Bearer ${account.token}`,
  apikey: inject("host").anonKey,
  ...more,
});

/** Begins an upload; 201 with `Location` when it is allowed. */
export async function begin(
  account: TestAccount,
  fields: Record<string, string>,
  size: number,
  more: Record<string, string> = {},
): Promise<Response> {
  return await fetch(endpoint, {
    method: "POST",
    headers: tusHeaders(account, {
      "upload-length": String(size),
      "upload-metadata": metadataOf(fields),
      ...more,
    }),
  });
}

export async function askUpload(
  account: TestAccount,
  method: "HEAD" | "DELETE",
  url: string,
  more = {},
) {
  return await fetch(url, { method, headers: tusHeaders(account, more) });
}

export async function patch(
  account: TestAccount,
  url: string,
  offset: number,
  body: Buffer,
  more = {},
) {
  return await fetch(url, {
    method: "PATCH",
    headers: tusHeaders(account, {
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(offset),
      ...more,
    }),
    body: new Uint8Array(body),
  });
}

export const locationOf = (response: Response) => response.headers.get("location") ?? "";

/** Rows and stored parts of an account's uploads. */
export async function uploadsOf(owner: pg.Pool, { id }: TestAccount) {
  const { rows } = await owner.query<{ id: string; parts: string[] }>(
    "select id::text, parts::text[] from host.resumable_uploads where owner = $1 and finished_at is null",
    [`authenticated ${id}`],
  );
  return rows;
}
