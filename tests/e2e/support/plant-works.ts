import type pg from "pg";
import { hostileMarkdown } from "./hostile-markdown.ts";
import { scriptPayloads } from "./script-payloads.ts";

/** Who looks at the planted works, and whose they are. */
interface WorkAccounts {
  readonly readerId: string;
  readonly mentorId: string;
  readonly adminId: string;
}

/** Where to look at what was planted. */
export interface PlantedWorks {
  /** Slug of a course on sale to visitors, with a lesson for each row of payloads. */
  readonly sale: string;
  /** Path of the list of articles, and the article that has ratings and questions. */
  readonly shelf: string;
  readonly article: string;
  /** Path of the course that the reader has enrolled in. */
  readonly course: string;
  /** A draft that was sent back with comments; one of each kind that waits for its review. */
  readonly drafts: { readonly returned: string; readonly article: string; readonly course: string };
}

/** A text with all payloads, which Markdown may not let become more than text, and pictures from anywhere. */
const hostileText = [...scriptPayloads, ...hostileMarkdown]
  .join("\n\nBetween.\n\n")
  .replaceAll("\u0000", "\ufffd");

/** Pictures that a text may not show: from elsewhere, from other buckets, and even from its own. */
const pictures = [
  "https://canary.invalid/a.png",
  "//canary.invalid/b.png",
  "/storage/v1/object/public/profile-pictures/c.png",
  "/storage/v1/object/public/content-pictures/../learning-images/d.png",
  "/rest/v1/rpc/my_today",
  "data:image/svg+xml,<svg onload=alert(1)>",
]
  .flatMap((address) => [`![picture](${address})`, `![picture][p]\n\n[p]: ${address}`])
  .join("\n\n");

/** What mentors write and what is asked, earned, claimed and recorded. See `plantPayloads`. */
export async function plantWorks(
  owner: pg.Client,
  { readerId, mentorId, adminId }: WorkAccounts,
): Promise<PlantedWorks> {
  await owner.query(
    `update public.profiles p set first_name = name, last_name = name, bio = text from planted where common and p.id = $1`,
    [mentorId],
  );
  await owner.query("select private.index_member_for_search($1)", [mentorId]);
  const article = await plantArticles(owner, readerId, mentorId);
  const course = await plantCourse(owner, readerId, mentorId);
  const drafts = await plantDrafts(owner, mentorId, adminId);
  await plantClaims(owner, readerId);
  await plantEarnings(owner, readerId, course.id);
  await plantCertificates(owner, readerId);
  await plantRecords(owner, adminId);
  return {
    sale: "planted-payloads",
    shelf: "/knowledge/foundations/planted",
    article,
    course: course.path,
    drafts,
  };
}

/** Runs a statement that answers with one row. */
async function one(
  owner: pg.Client,
  sql: string,
  values: unknown[],
): Promise<Record<string, string>> {
  const { rows } = await owner.query<Record<string, string>>(sql, values);
  const [row] = rows;
  if (!row) throw new Error(`nothing was planted by ${sql}`);
  return row;
}

/** A shelf of articles; under the first one all members ask and rate, and the reader left it open. */
async function plantArticles(
  owner: pg.Client,
  readerId: string,
  mentorId: string,
): Promise<string> {
  await owner.query(
    `with shelf as (
       insert into public.subcategories (main_category, slug, name, description)
       select 'general', 'planted', left(name, 80), left(text, 300) from planted where common returning id
     )
     insert into public.articles
       (subcategory_id, slug, title, excerpt, content, author_id, featured_image_url, tags, is_published, display_order)
     select s.id, 'planted-' || place, name, left(text, 500), text || chr(10) || chr(10) || 'Not alert(1).', $1, 'https://canary.invalid/cover.png', array[name, 'tag'], true,
       case when common then 0 else place end
     from shelf s, planted`,
    [mentorId],
  );
  const { id = "" } = await one(
    owner,
    `select a.id from public.articles a join planted p on a.slug = 'planted-' || p.place and p.common`,
    [],
  );
  await owner.query(
    `insert into private.content_ratings (user_id, article_id, stars, sentence)
     select member, $1, 1, left(text, 280) from planted`,
    [id],
  );
  await owner.query(
    "insert into public.article_opens (user_id, article_id, last_opened_on) values ($1, $2, current_date)",
    [readerId, id],
  );
  await plantQuestions(owner, "article_id", id);
  await owner.query(
    `insert into public.notifications (user_id, kind, actor_id, subject_id)
     select a.author_id, 'question', q.user_id, q.id
     from private.content_questions q join public.articles a on a.id = q.article_id where q.article_id = $1`,
    [id],
  );
  return id;
}

/** All members ask under a text; every second question has an answer, by the next member. */
async function plantQuestions(
  owner: pg.Client,
  column: "article_id" | "module_id",
  text: string,
): Promise<void> {
  await owner.query(
    `insert into private.content_questions (user_id, ${column}, question, answer, answered_by, answered_at)
     select member, $1, text, case when is_answered then text end, case when is_answered then following end,
       case when is_answered then now() end
     from (select *, place % 2 = 0 as is_answered, lead(member) over (order by place) as following from planted) p`,
    [text],
  );
}

/** A course on sale, in which the reader has enrolled, with a lesson for each row of payloads. */
async function plantCourse(
  owner: pg.Client,
  readerId: string,
  mentorId: string,
): Promise<{ id: string; path: string }> {
  const made = await one(
    owner,
    `with course as (
       insert into public.courses
         (subcategory_id, slug, title, description, mentor_id, price, thumbnail_url, is_published)
       select s.id, 'planted-payloads', name, text, $1, 40, 'https://canary.invalid/course.png', true
       from planted, (select id from public.subcategories where main_category = 'business' order by slug limit 1) s
       where common returning id, subcategory_id
     ), lessons as (
       insert into public.course_modules (course_id, slug, title, content, module_order, is_published)
       select c.id, 'lesson-' || place, name, case when place = 1 then $2 else text end, place, true
       from course c, planted returning id, course_id, module_order
     ), offer as (
       insert into private.course_offers (course_id, slug, outcomes, free_module_id, is_on_sale)
       select l.course_id, 'planted-payloads', array(select text from planted where place between 3 and 10), l.id, true
       from lessons l where l.module_order = 1
     ), enrolled as (
       insert into public.course_enrollments (user_id, course_id) select $3, id from course
     )
     select c.id, s.slug, l.id as lesson
     from course c join public.subcategories s on s.id = c.subcategory_id join lessons l on l.module_order = 1`,
    [mentorId, `${pictures}\n\n${scriptPayloads.join("\n\n")}`, readerId],
  );
  await plantQuestions(owner, "module_id", made["lesson"] ?? "");
  const id = made["id"] ?? "";
  return { id, path: `/business/courses/${made["slug"] ?? ""}/${id}` };
}

/** A draft for each title; one that came back, in two versions that differ, with comments; and one of each kind in review. */
async function plantDrafts(
  owner: pg.Client,
  mentorId: string,
  adminId: string,
): Promise<PlantedWorks["drafts"]> {
  await owner.query(
    `with drafts as (
       insert into public.drafts (owner_id, kind, title) select $1, 'article', name from planted returning id, title
     )
     insert into public.draft_versions (draft_id, version, title) select id, 1, title from drafts`,
    [mentorId],
  );
  const made = await one(
    owner,
    `with drafts as (
       insert into public.drafts (owner_id, kind, title, status, version, submitted_at)
       select $1, d.kind, name, d.status, d.version, now()
       from planted, (values ('article', 'returned', 2), ('article', 'submitted', 1), ('course', 'submitted', 1)) d (kind, status, version)
       where common returning id, kind, status
     ), first as (
       insert into public.draft_versions (draft_id, version, title, excerpt, tags, content, modules)
       select d.id, 1, p.name, p.text, array[p.name, 'tag'], case when d.kind = 'article' then $2 else '' end,
         case when d.kind = 'course' then (
           select jsonb_agg(jsonb_build_object('slug', 'module-' || m.place, 'title', m.name, 'content', m.text || chr(10) || chr(10) || 'Not alert(1).', 'minutes', 20,
             'video_url', 'https://canary.invalid/film.mp4') order by m.place)
           from planted m where m.place <= 60
         ) else '[]' end
       from drafts d, planted p where p.common
     ), second as (
       insert into public.draft_versions (draft_id, version, title, excerpt, tags, content)
       select d.id, 2, p.name, p.text, array[p.name, 'other'], $3
       from drafts d, planted p where d.status = 'returned' and p.place = 1
     ), comments as (
       insert into public.draft_comments (draft_id, version, author_id, quote, comment)
       select d.id, 1, $4, left(p.text, 500), p.text from drafts d, planted p where d.status = 'returned'
     )
     select
       (select id from drafts where status = 'returned') as returned,
       (select id from drafts where status = 'submitted' and kind = 'article') as article,
       (select id from drafts where kind = 'course') as course`,
    [
      mentorId,
      `${pictures}\n\n${hostileText}`,
      `${scriptPayloads.join("\n\n")}\n\n${pictures}`,
      adminId,
    ],
  );
  const { returned = "", article = "", course = "" } = made;
  return { returned, article, course };
}

/** Claims of all members wait; that of the reader was decided. */
async function plantClaims(owner: pg.Client, readerId: string): Promise<void> {
  await owner.query(
    `insert into private.guarantee_baselines (user_id, started_at, monthly_pence, source, terms)
     select member, now() - interval '7 months', 150000, left(source, 200), to_jsonb(t) - 'id'
     from (
       select member, text as source from planted union all select $1::uuid, text from planted where common
     ) b, private.guarantee_terms t`,
    [readerId],
  );
  await owner.query(
    `insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state, reason, appeal, appealed_at)
     select member, 150000, text, '[]'::jsonb, 'appealed', left(text, 500), text, now() from planted
     union all
     select $1::uuid, 150000, text, '[]'::jsonb, 'refused', left(text, 500), text, now() from planted where common`,
    [readerId],
  );
}

/** Transfers to the reader with every reference, a sale that earned, and every member as one who is owed something. */
async function plantEarnings(owner: pg.Client, readerId: string, course: string): Promise<void> {
  await owner.query("select private.ensure_affiliate($1)", [readerId]);
  await owner.query("select private.ensure_affiliate(member) from planted");
  await owner.query(
    `insert into private.affiliate_payouts (affiliate_id, amount_pence, reference)
     select a.affiliate_id, 100, name from private.affiliates a, planted where a.user_id = $1`,
    [readerId],
  );
  await owner.query(
    `insert into private.commissions (charge_id, affiliate_id, rate_basis_points, paid_at, payable_at, kind, course_id)
     select 'ch_planted', affiliate_id, 1000, now(), now(), 'course_referral', $2 from private.affiliates where user_id = $1`,
    [readerId, course],
  );
  await owner.query(`with owed as (
      insert into private.ledger_transactions (kind, affiliate_id)
      select 'release', a.affiliate_id from private.affiliates a join planted on member = a.user_id returning id
    )
    insert into private.ledger_entries (transaction_id, account, amount_pence) select id, 'payable', 100 from owed`);
}

/** The reader's certificates carry all names and titles; some are shared. */
async function plantCertificates(owner: pg.Client, readerId: string): Promise<void> {
  await owner.query(
    `insert into private.certificates (id, user_id, member_name, course_title, mentor_id, mentor_name, completed_at)
     select member, $1, name, name, member, name, now() - make_interval(secs => place) from planted`,
    [readerId],
  );
  await owner.query(`insert into private.shared_cards (user_id, certificate_id, member_name)
    select c.user_id, c.id, c.member_name from private.certificates c join planted p on p.member = c.id where p.place % 20 = 1`);
}

/** What the console keeps about members: the audit log, and notes about one of them. */
async function plantRecords(owner: pg.Client, adminId: string): Promise<void> {
  await owner.query(
    `insert into private.audit_log (actor, action, subject, detail)
     select $1, 'account.suspended', member, jsonb_build_object(
       'reason', text, 'before', jsonb_build_object('name', name), 'after', jsonb_build_object('name', text), 'note', name)
     from planted`,
    [adminId],
  );
  await owner.query(
    `insert into private.member_notes (user_id, author, note)
     select c.member, $1, p.text from planted p, planted c where c.common`,
    [adminId],
  );
  await owner.query(`insert into public.learning_submissions (user_id, submission_type, title, content)
    select c.member, 'success', p.name, p.text from planted p, planted c where c.common`);
}
