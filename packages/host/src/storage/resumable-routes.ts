// Serves resumable uploads (TUS 1.0.0) at the addresses of hosted Supabase, by the protocol of `@tus/server`.

import { randomUUID } from "node:crypto";
import type { Context, Hono } from "hono";
import { DatabaseBusyError } from "../postgres/database-busy.ts";
import { openBody, type RequestBody } from "./request-body.ts";
import { requireCaller } from "./request-input.ts";
import type { ResumableAccess } from "./resumable-store.ts";
import { decryptCaller, requireActiveSession, verifySignedUpload } from "./signed-urls.ts";
import { StorageError, storageErrors, toStorageError } from "./storage-errors.ts";
import type { StorageServices } from "./storage-services.ts";

const path = "/upload/resumable";
const mountPath = `/storage/v1${path}`;
/** Answer headers that a page of another origin may read. */
export const resumableHeaders = [
  "location",
  "tus-resumable",
  "tus-version",
  "tus-extension",
  "tus-max-size",
  "upload-offset",
  "upload-length",
  "upload-metadata",
  "upload-expires",
];

const visitor: ResumableAccess = {
  caller: { role: "anon", claims: {} },
  upsert: false,
  operation: "object.upload",
  path: undefined,
};

/**
 * The request with a body that ends where the connection does, instead of failing: what has arrived is kept, and the client goes on
 * behind it. A body that is too short is no error of this protocol.
 */
function withKeptBody({ url, method, headers, signal }: Request, kept: RequestBody): Request {
  const chunks = kept.chunks();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await chunks.next().catch(() => undefined);
      if (next === undefined || next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/** Adds the routes of uploads by a session or key, and by the token of an upload link. */
export function addResumableRoutes(app: Hono, services: StorageServices): void {
  const { context } = services;

  const failure = (error: unknown): { status_code: number; body: string } | undefined => {
    if (error instanceof DatabaseBusyError) return { status_code: 503, body: "The server is busy" };
    const known = error instanceof StorageError ? error : toStorageError(error);
    // 544 is no status that clients of this protocol know.
    if (known !== undefined)
      return { status_code: known.status === 544 ? 503 : known.status, body: known.message };
    if (typeof (error as { status_code?: unknown }).status_code === "number") return undefined;
    context.log.error({ err: error }, "a resumable upload failed");
    return { status_code: 500, body: "Internal Server Error" };
  };

  const respond = async (c: Context, access: ResumableAccess, base: string) => {
    const { resumableServer } = await import("./resumable-server.ts");
    const server = resumableServer(services, access, {
      path: mountPath,
      namingFunction: () => randomUUID(),
      generateUrl: (_request, { id }) => `${context.publicUrl}${base}/${id}`,
      onResponseError: (_request, error) => failure(error),
    });
    const request = c.req.raw;
    if (request.body === null) return await server.handleWeb(request);
    const body = openBody(request);
    try {
      return await server.handleWeb(withKeptBody(request, body));
    } finally {
      await body.drain();
    }
  };

  /** Errors of this protocol are a status and a sentence. */
  const orFailure = async (work: () => Promise<Response>): Promise<Response> => {
    try {
      return await work();
    } catch (error) {
      const known = failure(error);
      if (known === undefined) throw error;
      return new Response(known.body, { status: known.status_code });
    }
  };

  const plain = async (c: Context) =>
    await orFailure(async () => {
      const caller = await requireCaller(context, c.req.raw);
      const upsert = c.req.header("x-upsert") === "true";
      const access = { caller, upsert, operation: "object.upload", path: undefined };
      return await respond(c, access, mountPath);
    });

  const signed = async (c: Context) =>
    await orFailure(async () => {
      const link = await verifySignedUpload(context, c.req.header("x-signature"));
      const caller = await decryptCaller(context, link);
      await requireActiveSession(context, caller);
      const upsert = link.upsert ?? false;
      const access = { caller, upsert, operation: "object.upload_signed", path: link.url };
      return await respond(c, access, `${mountPath}/sign`);
    });

  const unknownMethod = () => {
    throw storageErrors.noSuchRoute();
  };
  for (const [base, handle] of [
    [`${path}/sign`, signed],
    [path, plain],
  ] as const) {
    app.on("POST", base, handle);
    app.on(["HEAD", "PATCH", "DELETE"], `${base}/:id`, handle);
    app.get(`${base}/:id`, async (c) =>
      c.req.raw.method === "HEAD" ? await handle(c) : unknownMethod(),
    );
  }
}

/** Says what the server can do, and what a page of another origin may send. Before the CORS of the other routes, which answers every OPTIONS. */
export function addResumableOptions(app: Hono, services: StorageServices): void {
  const options = async (c: Context) => {
    const { resumableServer } = await import("./resumable-server.ts");
    const server = resumableServer(services, visitor, { path: mountPath });
    return await server.handleWeb(c.req.raw);
  };
  for (const route of [path, `${path}/*`]) app.options(route, options);
}
