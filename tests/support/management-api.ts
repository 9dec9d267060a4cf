import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSupabaseCli } from "../../tools/supabase-cli.ts";

const projectRef = "abcdefghijklmnopqrst";

/** A function as the CLI uploaded it. */
export interface UploadedFunction {
  name: string;
  metadata: { verify_jwt?: boolean; entrypoint_path?: string; import_map_path?: string };
  /** Every uploaded file, by its path in the repository. */
  files: ReadonlyMap<string, string>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readUpload(name: string, request: IncomingMessage): Promise<UploadedFunction> {
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = await new Response(new Uint8Array(await bodyOf(request)), { headers }).formData();
  const files = new Map<string, string>();
  for (const part of form.getAll("file")) {
    if (part instanceof File) files.set(part.name, await part.text());
  }
  const metadata = form.get("metadata");
  const text = metadata instanceof File ? await metadata.text() : (metadata ?? "{}");
  return { name, metadata: JSON.parse(text) as UploadedFunction["metadata"], files };
}

/**
 * Runs `supabase functions deploy` of the official CLI against a fake of Supabase's management API on
 * 127.0.0.1, and returns what it uploaded.
 */
export async function uploadFunctions(): Promise<UploadedFunction[]> {
  const uploaded: UploadedFunction[] = [];
  const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname.endsWith("/functions/deploy")) {
      const name = searchParams.get("slug") ?? "";
      uploaded.push(await readUpload(name, request));
      const facts = { id: projectRef, slug: name, name, status: "ACTIVE", version: 1 };
      return [201, { ...facts, created_at: 1, updated_at: 1 }];
    }
    await bodyOf(request);
    if (pathname !== `/v1/projects/${projectRef}`) return [200, []];
    const names = { id: projectRef, ref: projectRef, name: "test", region: "eu-west-1" };
    const owner = { organization_id: "test", organization_slug: "test" };
    const database = { host: "localhost", version: "17", postgres_engine: "17" };
    const state = { status: "ACTIVE_HEALTHY", created_at: "2026-01-01T00:00:00Z" };
    return [
      200,
      { ...names, ...owner, ...state, database: { ...database, release_channel: "ga" } },
    ];
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const folder = await mkdtemp(join(tmpdir(), "management-api-"));
  const profile = join(folder, "profile.yaml");
  const url = `http://127.0.0.1:${port}`;
  const lines = ["name: test", `api_url: ${url}`, `dashboard_url: ${url}`, `docs_url: ${url}`];
  await writeFile(profile, [...lines, "project_host: localhost", ""].join("\n"));
  try {
    await runSupabaseCli(
      ["functions", "deploy", "--use-api", "--yes", `--remote=${projectRef}`, "--profile", profile],
      { SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}` },
    );
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
  return uploaded;
}
