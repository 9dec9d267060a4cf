import type pg from "pg";

/** A connection or pool that runs statements as the owner of the database. */
export type Db = pg.Pool | pg.PoolClient;

/** A row of the library in the database. */
export interface LibraryRow {
  /** Natural key within its table. A row keeps its id while its key stays the same. */
  key: string;
  isShown: boolean;
  /**
   * Not from files but written by a member, so no file may replace it, whoever it is named after. A subcategory that holds
   * such a row is not hidden.
   */
  isForeign: boolean;
  /** Columns set in the console, which an import keeps. */
  kept: string[];
  columns: Record<string, unknown>;
}

export const libraryTables = ["subcategories", "articles", "courses", "course_modules"] as const;
export type LibraryTable = (typeof libraryTables)[number];
export type LibraryRows = Record<LibraryTable, LibraryRow[]>;

const keptColumns = (id: string) =>
  `array(select k.column_name from private.console_edits k where k.row_id = ${id} order by 1) as kept`;

const subcategoryKey = "s.main_category || '/' || s.slug";

const storedRowQueries: Record<LibraryTable, string> = {
  subcategories: `select ${subcategoryKey} as key, s.is_active as "isShown",
      exists (select from public.articles a where a.subcategory_id = s.id and not a.from_files and a.is_published)
        or exists (select from public.courses c where c.subcategory_id = s.id and not c.from_files and c.is_published)
        as "isForeign", ${keptColumns("s.id")},
      jsonb_build_object('name', s.name, 'description', s.description, 'color', s.color, 'icon', s.icon,
        'open_to_mentors', s.open_to_mentors, 'display_order', s.display_order) as columns
    from public.subcategories s`,
  articles: `select ${subcategoryKey} || '/' || a.slug as key, a.is_published as "isShown", not a.from_files as "isForeign",
      ${keptColumns("a.id")},
      jsonb_build_object('title', a.title, 'excerpt', a.excerpt, 'content', a.content, 'tags', a.tags,
        'is_featured', a.is_featured, 'display_order', a.display_order, 'featured_image_url', a.featured_image_url,
        'estimated_read_time', a.estimated_read_time) as columns
    from public.articles a join public.subcategories s on s.id = a.subcategory_id`,
  courses: `select ${subcategoryKey} || '/' || c.slug as key, c.is_published as "isShown", not c.from_files as "isForeign",
      ${keptColumns("c.id")},
      jsonb_build_object('title', c.title, 'description', c.description, 'difficulty_level', c.difficulty_level,
        'price', c.price::double precision, 'thumbnail_url', c.thumbnail_url, 'is_featured', c.is_featured, 'display_order', c.display_order,
        'estimated_duration', c.estimated_duration) as columns
    from public.courses c join public.subcategories s on s.id = c.subcategory_id`,
  course_modules: `select ${subcategoryKey} || '/' || c.slug || '/' || m.slug as key, m.is_published as "isShown",
      not c.from_files as "isForeign", array[]::text[] as kept,
      jsonb_build_object('title', m.title, 'content', m.content, 'module_order', m.module_order,
        'estimated_duration', m.estimated_duration, 'video_url', m.video_url) as columns
    from public.course_modules m join public.courses c on c.id = m.course_id
      join public.subcategories s on s.id = c.subcategory_id`,
};

/** Reads the library from the database, including hidden rows. */
export async function readStoredLibrary(db: Db): Promise<LibraryRows> {
  const rows: LibraryRows = { subcategories: [], articles: [], courses: [], course_modules: [] };
  for (const table of libraryTables)
    rows[table] = (await db.query<LibraryRow>(storedRowQueries[table])).rows;
  return rows;
}
