import type { SupabaseClient } from "@supabase/supabase-js";

interface VersionsPage {
  readonly items: readonly Record<string, unknown>[];
  readonly next: { readonly id: string; readonly version: number } | null;
}

/** All pages of what an account saved in the studio (`draft`), or of the replaced versions of its courses (`course`). Throws the database's error. */
export async function savedVersionsOf(client: SupabaseClient, kind: "draft" | "course") {
  const items: Record<string, unknown>[] = [];
  let after: { after_id?: string; after_version?: number } | null = {};
  while (after !== null) {
    const { data, error } = await client.rpc("export_my_versions", { kind, ...after });
    if (error) throw error;
    const page = data as VersionsPage;
    items.push(...page.items);
    after = page.next && { after_id: page.next.id, after_version: page.next.version };
  }
  return items;
}
