import type pg from "pg";
import { BootError } from "basehost";
import { inTransaction } from "basehost/database";
import type { Library } from "../../web/src/domain/library-files/library.ts";
import { libraryPictures } from "./library-pictures.ts";
import { planImport, type ImportChange, type ImportPlan } from "./plan.ts";
import { readStoredLibrary, libraryTables, type Db, type LibraryTable } from "./stored-library.ts";

/** Whether an import brings the shipped library or one of the operator. */
export type ImportSource = "shipped" | "operator";

/** Key of the advisory lock that makes imports wait for each other. */
const importLockKey = 4_710_331;

/** Lists show the newest first and a library is imported at once, so creation times follow the order: 1 is the newest. */
const staggeredCreatedAt =
  "date_trunc('day', now(), 'UTC') - make_interval(secs => x.display_order)";
const restaggered = (table: string) =>
  `date_trunc('day', ${table}.created_at, 'UTC') + interval '1 day' - make_interval(secs => excluded.display_order)`;
/** A row is shown again unless an administrator decided about that. */
const shownUnlessKept = (column: string) =>
  `t.${column} or not exists (select from private.console_edits k where k.row_id = t.id and k.column_name = '${column}')`;
const joinSubcategory =
  "join public.subcategories s on s.main_category || '/' || s.slug = x.parent";

const upsertStatements: Record<LibraryTable, string> = {
  subcategories: `insert into public.subcategories as t
      (main_category, slug, name, description, color, icon, open_to_mentors, display_order, is_active)
    select x.parent, x.slug, x.name, x.description, x.color, x.icon, x.open_to_mentors, x.display_order, true
    from jsonb_to_recordset($1) as x (parent text, slug text, name text, description text, color text, icon text,
      open_to_mentors boolean, display_order integer)
    on conflict (main_category, slug) do update set name = excluded.name, description = excluded.description,
      color = excluded.color, icon = excluded.icon, open_to_mentors = excluded.open_to_mentors, display_order = excluded.display_order,
      is_active = ${shownUnlessKept("is_active")}`,
  articles: `insert into public.articles as t (subcategory_id, slug, title, excerpt, content, tags, is_featured,
      display_order, estimated_read_time, featured_image_url, is_published, from_files, created_at)
    select s.id, x.slug, x.title, x.excerpt, x.content, x.tags, x.is_featured, x.display_order, x.estimated_read_time,
      x.featured_image_url, true, true, ${staggeredCreatedAt}
    from jsonb_to_recordset($1) as x (parent text, slug text, title text, excerpt text, content text, tags text[],
      is_featured boolean, display_order integer, estimated_read_time integer, featured_image_url text) ${joinSubcategory}
    on conflict (subcategory_id, slug) do update set title = excluded.title, excerpt = excluded.excerpt,
      content = excluded.content, tags = excluded.tags, is_featured = excluded.is_featured,
      display_order = excluded.display_order, estimated_read_time = excluded.estimated_read_time,
      featured_image_url = excluded.featured_image_url,
      is_published = ${shownUnlessKept("is_published")}, from_files = true,
      created_at = ${restaggered("t")}`,
  courses: `insert into public.courses as t (subcategory_id, slug, title, description, difficulty_level, price,
      is_featured, display_order, estimated_duration, thumbnail_url, is_published, from_files, created_at)
    select s.id, x.slug, x.title, x.description, x.difficulty_level, x.price, x.is_featured, x.display_order,
      x.estimated_duration, x.thumbnail_url, true, true, ${staggeredCreatedAt}
    from jsonb_to_recordset($1) as x (parent text, slug text, title text, description text, difficulty_level text, price numeric,
      is_featured boolean, display_order integer, estimated_duration integer, thumbnail_url text) ${joinSubcategory}
    on conflict (subcategory_id, slug) do update set title = excluded.title, description = excluded.description,
      difficulty_level = excluded.difficulty_level, price = excluded.price, is_featured = excluded.is_featured,
      display_order = excluded.display_order, estimated_duration = excluded.estimated_duration,
      thumbnail_url = excluded.thumbnail_url,
      is_published = ${shownUnlessKept("is_published")}, from_files = true, created_at = ${restaggered("t")}`,
  course_modules: `insert into public.course_modules as t (course_id, slug, title, content, module_order,
      estimated_duration, video_url, is_published)
    select c.id, x.slug, x.title, x.content, x.module_order, x.estimated_duration, x.video_url, true
    from jsonb_to_recordset($1) as x (parent text, slug text, title text, content text, module_order integer,
      estimated_duration integer, video_url text)
    join public.courses c on true join public.subcategories s on s.id = c.subcategory_id
    where s.main_category || '/' || s.slug || '/' || c.slug = x.parent
    on conflict (course_id, slug) do update set title = excluded.title, content = excluded.content,
      module_order = excluded.module_order, estimated_duration = excluded.estimated_duration,
      video_url = excluded.video_url, is_published = true`,
};

const hideStatements: Record<LibraryTable, string> = {
  subcategories: `update public.subcategories s set is_active = false
    where s.main_category || '/' || s.slug = any ($1)`,
  articles: `update public.articles a set is_published = false from public.subcategories s
    where s.id = a.subcategory_id and s.main_category || '/' || s.slug || '/' || a.slug = any ($1)`,
  courses: `update public.courses c set is_published = false from public.subcategories s
    where s.id = c.subcategory_id and s.main_category || '/' || s.slug || '/' || c.slug = any ($1)`,
  course_modules: `update public.course_modules m set is_published = false
    from public.courses c join public.subcategories s on s.id = c.subcategory_id
    where c.id = m.course_id and s.main_category || '/' || s.slug || '/' || c.slug || '/' || m.slug = any ($1)`,
};

async function write(db: Db, changes: readonly ImportChange[]): Promise<void> {
  // New modules are added before old ones are hidden; otherwise members might complete a course in between.
  for (const table of libraryTables) {
    const rows = changes
      .filter((change) => change.table === table && change.kind !== "hide")
      .map(({ key, columns }) => {
        const cut = key.lastIndexOf("/");
        return { ...columns, parent: key.slice(0, cut), slug: key.slice(cut + 1) };
      });
    if (rows.length > 0) await db.query(upsertStatements[table], [JSON.stringify(rows)]);
  }
  for (const table of libraryTables.toReversed()) {
    const gone = changes.filter((change) => change.table === table && change.kind === "hide");
    if (gone.length > 0) await db.query(hideStatements[table], [gone.map(({ key }) => key)]);
  }
}

/** Files cannot be put into the storage from here. @throws {BootError} when pictures of the library are not stored. */
async function requirePictures(db: Db, library: Library): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select n as name from unnest($1::text[]) n
     where not exists (select from storage.objects o where o.bucket_id = 'content-pictures' and o.name = n) order by 1`,
    [[...libraryPictures(library)]],
  );
  if (rows.length === 0) return;
  throw new BootError(
    `These pictures are not stored here, so the texts that show them are imported in the studio: ${rows.map(({ name }) => name).join(", ")}`,
  );
}

/**
 * What an import would change, without changing it.
 * @throws {BootError} when it would overwrite a member's own work, or show pictures that are not stored.
 */
export async function previewImport(db: Db, library: Library): Promise<ImportPlan> {
  await requirePictures(db, library);
  const plan = planImport(library, await readStoredLibrary(db));
  if (plan.foreign.length === 0) return plan;
  throw new BootError(
    `These were written by members and cannot be replaced by files: ${plan.foreign.join(", ")}`,
  );
}

/** Makes the database match the files, in one transaction. @returns the changes made. */
export async function importLibrary(
  pool: pg.Pool,
  library: Library,
  { source, digest }: { source: ImportSource; digest: string },
): Promise<ImportChange[]> {
  return await inTransaction(pool, async (db) => {
    await db.query("select pg_advisory_xact_lock($1)", [importLockKey]);
    const { changes } = await previewImport(db, library);
    await write(db, changes);
    await db.query(
      "insert into private.content_imports (source, digest, changes) values ($1, $2, $3)",
      [source, digest, changes.length],
    );
    return changes;
  });
}
