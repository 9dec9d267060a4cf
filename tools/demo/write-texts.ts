import type pg from "pg";
import { mentorTexts } from "./mentor-texts.ts";
import type { Calendar } from "./moments.ts";

const wordsPerMinute = 200;

/** The texts as their mentors keep them in the studio: written, approved by the administrator $1 and published. */
const drafts = `
with texts as (
  select gen_random_uuid() as draft, a.author_id as owner, 'article' as kind, a.title, a.created_at as at, a.id as article_id,
    null::uuid as course_id, a.subcategory_id, a.slug, a.excerpt, a.tags, a.content, '[]'::jsonb as modules
  from public.articles a where not a.from_files
  union all
  select gen_random_uuid(), c.mentor_id, 'course', c.title, c.created_at, null, c.id, c.subcategory_id, c.slug, c.description,
    '{}', '', (
      select jsonb_agg(jsonb_build_object('slug', m.slug, 'title', m.title, 'content', m.content,
        'minutes', m.estimated_duration, 'video_url', m.video_url) order by m.module_order)
      from public.course_modules m where m.course_id = c.id
    )
  from public.courses c where not c.from_files
), drafted as (
  insert into public.drafts (id, owner_id, kind, status, title, submitted_at, approved_by, published_version, published_at,
    article_id, course_id, created_at, updated_at)
  select t.draft, t.owner, t.kind, 'published', t.title, t.at - interval '3 hours', $1, 1, t.at, t.article_id, t.course_id,
    t.at - interval '20 hours', t.at from texts t
)
insert into public.draft_versions (draft_id, version, saved_by, saved_at, title, subcategory_id, slug, excerpt, tags, content, modules)
select t.draft, 1, t.owner, t.at - interval '4 hours', t.title, t.subcategory_id, t.slug, t.excerpt, t.tags, t.content, t.modules
from texts t`;

const minutesOf = (text: string) =>
  Math.max(2, Math.ceil(text.split(/\s+/).length / wordsPerMinute));

/**
 * Writes the mentors' own texts into the library. The house's texts become a month older, so that nothing was read before
 * it was there.
 * @param idOf the account of a first name.
 */
export async function writeTexts(
  db: pg.PoolClient,
  calendar: Calendar,
  idOf: (firstName: string) => string,
): Promise<void> {
  await db.query("update public.articles set created_at = created_at - interval '30 days'");
  await db.query("update public.courses set created_at = created_at - interval '30 days'");
  const place = "from public.subcategories s where s.main_category || '/' || s.slug = $2";
  for (const [
    index,
    { by, address, at, title, excerpt, tags, content, lessons },
  ] of mentorTexts.entries()) {
    const cut = address.lastIndexOf("/");
    const created = new Date(calendar.at(at)).toISOString();
    const common = [
      idOf(by),
      address.slice(0, cut),
      address.slice(cut + 1),
      title,
      content,
      101 + index,
      created,
    ];
    if (!lessons) {
      await db.query(
        `insert into public.articles (author_id, subcategory_id, slug, title, content, display_order, created_at, excerpt, tags,
           estimated_read_time, is_published) select $1, s.id, $3, $4, $5, $6, $7, $8, $9, $10, true ${place}`,
        [...common, excerpt, tags, minutesOf(content)],
      );
      continue;
    }
    const minutes = lessons.map(([, , text]) => minutesOf(text) + 8);
    const { rows } = await db.query<{ id: string }>(
      `insert into public.courses (mentor_id, subcategory_id, slug, title, description, display_order, created_at,
         estimated_duration, is_published) select $1, s.id, $3, $4, $5, $6, $7, $8, true ${place} returning id`,
      [...common, minutes.reduce((sum, more) => sum + more, 0)],
    );
    await db.query(
      `insert into public.course_modules (course_id, slug, title, content, module_order, estimated_duration)
        select $1, x.slug, x.title, x.content, x.place, x.minutes
        from jsonb_to_recordset($2) as x (slug text, title text, content text, place integer, minutes integer)`,
      [
        rows[0]?.id,
        JSON.stringify(
          lessons.map(([slug, lesson, text], number) => ({
            slug,
            title: lesson,
            content: text,
            place: number + 1,
            minutes: minutes[number],
          })),
        ),
      ],
    );
  }
  await db.query(drafts, [idOf("Marcus")]);
}
