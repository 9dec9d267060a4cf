import type { HostContext } from "../context.ts";

export async function startSchedules(
  _context: HostContext,
  _env: Readonly<Record<string, string>>,
): Promise<{ stop: () => Promise<void> }> {
  return await Promise.resolve({ stop: async () => await Promise.resolve() });
}
