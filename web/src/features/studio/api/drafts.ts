import * as z from "zod/mini";
import { categories, type Category } from "@/domain/categories.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";
import {
  toDraftContent,
  toDraftFields,
  toDraftSummaries,
  toDraftSummary,
  type DraftComment,
  type DraftContent,
  type DraftKind,
  type DraftStatus,
  type DraftSummary,
  type VersionEntry,
} from "../model/draft.ts";

const summaryColumns =
  "id, owner_id, kind, status, title, version, published_version, submitted_at, publish_at, updated_at, owner:profiles!drafts_owner_id_fkey(first_name, last_name)";
const contentColumns =
  "title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price, modules, cover";

/** Reads the caller's drafts, all drafts for administrators, the last changed first. Throws the database's error. */
export async function fetchDrafts(client: BackendClient): Promise<readonly DraftSummary[]> {
  const { data, error } = await client
    .from("drafts")
    .select(summaryColumns)
    .order("updated_at", { ascending: false });
  if (error) throw error;
  return toDraftSummaries(data);
}

/** Reads what waits for a review, the oldest first. Throws the database's error. */
export async function fetchSubmittedDrafts(
  client: BackendClient,
): Promise<readonly DraftSummary[]> {
  const { data, error } = await client
    .from("drafts")
    .select(summaryColumns)
    .eq("status", "submitted" satisfies DraftStatus)
    .order("submitted_at");
  if (error) throw error;
  return toDraftSummaries(data);
}

/** A draft with its newest version and what reviewers wrote. */
export interface DraftDetail extends DraftSummary {
  /** True when the reader wrote it and publishes it without a review. */
  readonly publishesDirectly: boolean;
  readonly content: DraftContent;
  /** The last one first. */
  readonly comments: readonly DraftComment[];
}

/** Reads one version. Throws the database's error. */
export async function fetchVersion(
  client: BackendClient,
  draftId: string,
  version: number,
): Promise<DraftContent> {
  const { data, error } = await client
    .from("draft_versions")
    .select(contentColumns)
    .eq("draft_id", draftId)
    .eq("version", version)
    .single();
  if (error) throw error;
  return toDraftContent(data);
}

/** Reads one draft; null when there is none the caller may read. Throws the database's error. */
export async function fetchDraft(
  client: BackendClient,
  draftId: string,
): Promise<DraftDetail | null> {
  const { data, error } = await client
    .from("drafts")
    .select(summaryColumns)
    .eq("id", draftId)
    .maybeSingle();
  if (error) throw error;
  if (data === null) return null;
  const summary = toDraftSummary(data);
  const [content, comments, direct] = await Promise.all([
    fetchVersion(client, draftId, summary.version),
    fetchComments(client, draftId),
    client.rpc("may_publish_draft", { draft_id: draftId }),
  ]);
  if (direct.error) throw direct.error;
  return { ...summary, content, comments, publishesDirectly: direct.data };
}

async function fetchComments(client: BackendClient, draftId: string): Promise<DraftComment[]> {
  const { data, error } = await client
    .from("draft_comments")
    .select("id, version, quote, comment, created_at")
    .eq("draft_id", draftId)
    .order("created_at", { ascending: false });
  if (error) throw error;
  return data.map(({ created_at, ...comment }) => ({
    ...comment,
    createdAt: Date.parse(created_at),
  }));
}

/** Versions on a page. */
export const versionPageSize = 100;

/** Reads a page of versions, the newest first: those before a version, null for the newest. Throws the database's error. */
export async function fetchVersions(
  client: BackendClient,
  draftId: string,
  before: number | null,
): Promise<readonly VersionEntry[]> {
  const newestFirst = client
    .from("draft_versions")
    .select("version, saved_at, title")
    .eq("draft_id", draftId)
    .order("version", { ascending: false })
    .limit(versionPageSize);
  const { data, error } = await (before === null ? newestFirst : newestFirst.lt("version", before));
  if (error) throw error;
  return data.map(({ version, saved_at, title }) => ({
    version,
    savedAt: Date.parse(saved_at),
    title,
  }));
}

/** A subcategory something can be published in. */
export interface StudioSubcategory {
  readonly id: string;
  readonly category: Category;
  readonly slug: string;
  readonly name: string;
}

const subcategoryRows = knownItems(
  z.object({
    id: z.string(),
    main_category: z.enum(categories),
    slug: z.string(),
    name: z.string(),
  }),
);

/** Reads the subcategories of every category. Throws the database's error. */
export async function fetchStudioSubcategories(
  client: BackendClient,
): Promise<readonly StudioSubcategory[]> {
  const { data, error } = await client.rpc("studio_subcategories");
  if (error) throw error;
  return subcategoryRows
    .parse(data)
    .map(({ main_category: category, ...row }) => ({ ...row, category }));
}

/** Begins an article or a course; its id. Throws the database's error. */
export async function beginDraft(client: BackendClient, kind: DraftKind): Promise<string> {
  const { data, error } = await client.rpc("create_draft", { kind });
  if (error) throw error;
  return data;
}

/** Saves a new version; its number. Throws the database's error. */
export async function saveNewVersion(
  client: BackendClient,
  draftId: string,
  content: DraftContent,
  expectedVersion: number,
): Promise<number> {
  const { data, error } = await client.rpc("save_draft", {
    draft_id: draftId,
    expected_version: expectedVersion,
    fields: toDraftFields(content),
  });
  if (error) throw error;
  return data;
}

/** The draft of an imported file. */
export interface Imported {
  readonly draftId: string;
  /** False when there was a draft with its address or title already, which stays as it is. */
  readonly isNew: boolean;
}

const importedShape = z.object({ draft_id: z.string(), is_new: z.boolean() });

/** Makes a draft of a file, with all modules of a course at once. Throws the database's error. */
export async function sendImport(
  client: BackendClient,
  kind: DraftKind,
  content: DraftContent,
  again: boolean,
): Promise<Imported> {
  const fields = toDraftFields(content);
  const { data, error } = await client.rpc("import_draft", { kind, fields, again });
  if (error) throw error;
  const { draft_id: draftId, is_new: isNew } = importedShape.parse(data);
  return { draftId, isNew };
}
