import type { BackendClient } from "../backend-client.ts";

/** A client whose procedures find nothing, and the arguments each was called with. */
export function recordCalls(): {
  readonly client: BackendClient;
  readonly calls: Readonly<Record<string, unknown>>[];
} {
  const calls: Readonly<Record<string, unknown>>[] = [];
  const rpc = async (_name: string, values: Readonly<Record<string, unknown>> = {}) => {
    calls.push(values);
    return await Promise.resolve({ data: [], error: null });
  };
  return { client: { rpc } as unknown as BackendClient, calls };
}

/** A page copied from a PDF: NUL between the lines, and longer than anything there is to find. */
export const pastedPage = "Özlem\u0000 Şahin \u0000".repeat(500);
