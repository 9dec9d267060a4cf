-- Part 25 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- selling/offers.sql
alter table private.course_addresses enable row level security;

create trigger course_offers__keep_address after insert or update of slug, is_on_sale on private.course_offers
  for each row when (new.is_on_sale) execute function private.tg_course_offers__keep_address();

-- A sale pauses while the course is withdrawn or free, its subcategory or its free lesson is hidden, or its mentor is suspended or no
-- mentor with a live membership.
create view private.open_course_offers with (security_invoker = true) as
select o.course_id, o.slug, o.outcomes, o.free_module_id, c.mentor_id, c.title, (c.price * 100)::integer as price_pence
from private.course_offers o
join public.courses c on c.id = o.course_id
join public.profiles p on p.id = c.mentor_id
where o.is_on_sale and c.is_published and c.price between 1 and 5000
  and p.role in ('mentor', 'admin') and private.effective_level(p.id) >= 1
  and exists (select from public.subcategories s where s.id = c.subcategory_id and s.is_active)
  and exists (select from public.course_modules m where m.id = o.free_module_id and m.course_id = o.course_id and m.is_published)
  and not exists (select from auth.users u where u.id = p.id and (u.banned_until > now() or u.deleted_at is not null));
comment on view private.open_course_offers is 'Offers that can be bought now.';

-- selling/purchases.sql

create table private.course_purchases (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid references public.courses (id) on delete set null,
  course_title text not null,
  amount_pence integer not null constraint course_purchases_amount_check check (amount_pence > 0),
  seller_id uuid not null,
  share_basis_points integer not null,
  referral_basis_points integer not null,
  state text not null default 'working' constraint course_purchases_state_check
    check (state in ('working', 'unknown', 'needs_action', 'paid', 'failed', 'abandoned')),
  payment_intent_id text unique,
  lease_until timestamptz not null default clock_timestamp() + interval '60 seconds',
  created_at timestamptz not null default clock_timestamp(),
  checked_at timestamptz not null default clock_timestamp(),
  -- Buyers read the version that they bought and move on by choice, as members do. What they complete counts wherever it was completed.
  course_version integer not null default 1
);
comment on table private.course_purchases is 'Attempts at buying a course; the id is also the idempotency key at the card provider.';
comment on column private.course_purchases.course_title is 'As it was when it was bought, for the receipt.';
comment on column private.course_purchases.seller_id is 'The mentor in the ledger; references affiliates while the account exists.';
comment on column private.course_purchases.share_basis_points is 'The mentor''s share, as the terms were.';
comment on column private.course_purchases.referral_basis_points is 'The share of the member whose link brought the buyer, likewise.';
comment on column private.course_purchases.state is 'As in billing_attempts. Whether the course may be read is in live_course_purchases.';
comment on column private.course_purchases.payment_intent_id is 'Recorded before any money moves; only a recorded payment is ever confirmed.';
comment on column private.course_purchases.lease_until is 'Until then a working attempt counts as running.';
comment on column private.course_purchases.checked_at is 'When it last changed or was compared with the provider.';
comment on column private.course_purchases.course_version is 'The version the buyer takes; older than the course''s own when a newer one has come out.';
create unique index course_purchases_one_open on private.course_purchases (user_id) where state in ('working', 'unknown', 'needs_action');
create index course_purchases_user_id_idx on private.course_purchases (user_id, created_at desc);
create index course_purchases_course_id_idx on private.course_purchases (course_id);
create index course_purchases_checked_at_idx on private.course_purchases (checked_at) where state <> 'failed';
alter table private.course_purchases enable row level security;

create view private.live_course_purchases with (security_invoker = true) as
select p.id, p.user_id, p.course_id
from private.course_purchases p join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
where not c.is_refunded and coalesce(c.dispute, 'won') = 'won';
comment on view private.live_course_purchases is 'Purchases that are paid, not refunded in full and not disputed: whose course the buyer reads.';

-- studio/analytics-of-articles.sql

-- An article's share of readers who read it to the end, beside the mentor's other articles and the category, as courses have it.
-- A median of fewer than five articles would tell too much about each of them.
create function private.article_comparison(own public.articles) returns jsonb
  language sql stable set search_path = '' as $$
  with others as materialized (
    select a.id, a.author_id = own.author_id is true as is_own, s.main_category = o.main_category as is_near, n.readers
    from public.articles a
    join public.subcategories s on s.id = a.subcategory_id
    join public.subcategories o on o.id = own.subcategory_id
    cross join lateral (select count(*) as readers from public.article_opens p where p.article_id = a.id) n
    where a.id <> own.id and a.is_published and n.readers > 0
      and (s.main_category = o.main_category or a.author_id = own.author_id)
  ), finished as (
    select f.content_id, sum(f.amount) as members
    from private.content_figures((select array_agg(id) from others)) f where f.event = 'read' group by f.content_id
  ), rates as (
    select o.is_own, o.is_near, 100.0 * coalesce(d.members, 0) / o.readers as rate
    from others o left join finished d on d.content_id = o.id
  )
  select jsonb_build_object(
    'own_articles', count(*) filter (where r.is_own),
    'own_rate', round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_own))::numeric),
    'category_rate', case when count(*) filter (where r.is_near) >= 5
      then round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_near))::numeric) end
  )
  from rates r
$$;
comment on function private.article_comparison(public.articles) is
  'Median share of readers who read to the end, in per cent: of the mentor''s other articles, and of at least five others of the category.';

-- studio/analytics.sql

create function private.require_own_course(course uuid) returns public.courses
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
  own public.courses;
begin
  select c.* into own from public.courses c where c.id = course and (c.mentor_id = caller or private.caller_is_admin());
  if not found then
    perform private.fail('FF740', 'There is no such course.');
  end if;
  return own;
end
$$;
comment on function private.require_own_course(uuid) is 'A course of the caller, any for administrators; raises FF650 or FF740.';

-- A median of fewer than five courses would tell too much about each of them.
create function private.course_comparison(own public.courses) returns jsonb
  language sql stable set search_path = '' as $$
  with others as materialized (
    select c.id, c.enrollment_count, c.mentor_id = own.mentor_id is true as is_own, s.main_category = o.main_category as is_near
    from public.courses c
    join public.subcategories s on s.id = c.subcategory_id
    join public.subcategories o on o.id = own.subcategory_id
    where c.id <> own.id and c.is_published and c.enrollment_count > 0
      and (s.main_category = o.main_category or c.mentor_id = own.mentor_id)
  ), completed as (
    select f.content_id, sum(f.amount) as members
    from private.content_figures((select array_agg(id) from others)) f where f.event = 'completion' group by f.content_id
  ), rates as (
    select o.is_own, o.is_near, 100.0 * coalesce(d.members, 0) / o.enrollment_count as rate
    from others o left join completed d on d.content_id = o.id
  )
  select jsonb_build_object(
    'own_courses', count(*) filter (where r.is_own),
    'own_rate', round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_own))::numeric),
    'category_rate', case when count(*) filter (where r.is_near) >= 5
      then round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_near))::numeric) end
  )
  from rates r
$$;
comment on function private.course_comparison(public.courses) is
  'Median share of members who completed, in per cent: of the mentor''s other courses, and of at least five others of the category.';

-- studio/content-days.sql

create trigger article_reads__uncount after delete on public.article_reads
  referencing old table as gone for each statement execute function private.tg_article_reads__uncount();

create trigger course_enrollments__uncount after delete on public.course_enrollments
  referencing old table as gone for each statement execute function private.tg_course_enrollments__uncount();

create trigger module_completions__uncount after delete on public.module_completions
  referencing old table as gone for each statement execute function private.tg_module_completions__uncount();

-- studio/course-versions.sql

-- The lessons themselves are kept as rows, hidden when they are gone. Here is how each looked, so nothing is shown that was not published.
create table private.course_versions (
  course_id uuid not null references public.courses (id) on delete cascade,
  version integer not null,
  modules jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (course_id, version)
);
comment on table private.course_versions is 'Versions of courses that were replaced by a newer one. Added, never changed.';
comment on column private.course_versions.modules is 'The lessons in their order, with their ids.';
alter table private.course_versions enable row level security;

create trigger course_enrollments__begin_version before insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__begin_version();

-- studio/drafts.sql

-- The studio: what mentors write before it is in the library. Every save is a version. Written by functions only.
create table public.drafts (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null constraint drafts_kind_check check (kind in ('article', 'course')),
  status text not null default 'draft' constraint drafts_status_check
    check (status in ('draft', 'submitted', 'returned', 'scheduled', 'published', 'withdrawn', 'archived')),
  title text not null,
  version integer not null default 1 constraint drafts_version_check check (version > 0),
  submitted_at timestamptz,
  publish_at timestamptz,
  approved_by uuid references public.profiles (id) on delete set null,
  published_version integer,
  published_at timestamptz,
  article_id uuid unique references public.articles (id) on delete set null,
  course_id uuid unique references public.courses (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint drafts_schedule_check check (status <> 'scheduled' or publish_at is not null),
  constraint drafts_kind_of_work_check check (case kind when 'article' then course_id is null else article_id is null end)
);
grant select, insert, update, delete on public.drafts to service_role;
grant select (id, owner_id, kind, status, title, version, submitted_at, publish_at, published_version, published_at, article_id,
    course_id, created_at, updated_at)
  on public.drafts to authenticated;
comment on table public.drafts is 'Articles and courses that members write, each with its place in the review.';
comment on column public.drafts.status is 'scheduled: approved, and published at publish_at. Later edits of published work begin a new round.';
comment on column public.drafts.title is 'Title of the newest version.';
comment on column public.drafts.version is 'Number of the newest version.';
comment on column public.drafts.publish_at is 'When a scheduled version is published.';
comment on column public.drafts.approved_by is 'Administrator who approved the version; null when a trusted mentor published it.';
comment on column public.drafts.published_version is 'The version members read, also while it is withdrawn.';
comment on column public.drafts.article_id is 'The article of the library this was published as.';
comment on column public.drafts.course_id is 'The course of the library this was published as.';
create index drafts_owner_id_idx on public.drafts (owner_id, updated_at desc);
create index drafts_approved_by_idx on public.drafts (approved_by);
create index drafts_queue_idx on public.drafts (status, submitted_at);
alter table public.drafts enable row level security;

create table public.draft_versions (
  draft_id uuid not null references public.drafts (id) on delete cascade,
  version integer not null constraint draft_versions_version_check check (version > 0),
  saved_by uuid references public.profiles (id) on delete set null,
  saved_at timestamptz not null default clock_timestamp(),
  title text not null constraint draft_versions_title_check check (char_length(title) <= 200),
  subcategory_id uuid references public.subcategories (id),
  slug text not null default '' constraint draft_versions_slug_check check (char_length(slug) <= 120),
  excerpt text not null default '' constraint draft_versions_excerpt_check check (char_length(excerpt) <= 2000),
  tags text[] not null default '{}' constraint draft_versions_tags_check
    check (cardinality(tags) <= 10 and octet_length(array_to_string(tags, '')) <= 2000),
  content text not null default '' constraint draft_versions_content_check check (octet_length(content) <= 204800),
  difficulty_level text not null default 'beginner' constraint draft_versions_difficulty_level_check
    check (difficulty_level in ('beginner', 'intermediate', 'advanced')),
  price numeric(10, 2) not null default 0 constraint draft_versions_price_check check (price >= 0 and price < 1000000),
  modules jsonb not null default '[]' constraint draft_versions_modules_check
    check (jsonb_typeof(modules) = 'array' and jsonb_array_length(modules) <= 60 and octet_length(modules::text) <= 1000000),
  cover text,
  primary key (draft_id, version),
  constraint draft_versions_cover_check check (
    cover ~ '^/storage/v1/object/public/content-pictures/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|png)$'
  )
);
grant select, insert, update, delete on public.draft_versions to service_role;
grant select (draft_id, version, saved_by, saved_at, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price,
    modules, cover)
  on public.draft_versions to authenticated;
comment on table public.draft_versions is 'Every saved version of a draft. Versions are added, never changed.';
comment on column public.draft_versions.excerpt is 'Excerpt of an article, description of a course.';
comment on column public.draft_versions.content is 'Markdown of an article; empty for a course.';
comment on column public.draft_versions.price is 'Pounds, for courses.';
comment on column public.draft_versions.modules is
  'Modules of a course in order, each with slug, title, content (Markdown), minutes and video_url.';
comment on column public.draft_versions.cover is
  'Path of an object of the owner in the bucket content-pictures, without an origin; null for the drawn cover.';
create index draft_versions_saved_by_idx on public.draft_versions (saved_by);
create index draft_versions_subcategory_id_idx on public.draft_versions (subcategory_id);
alter table public.draft_versions enable row level security;

create table public.draft_comments (
  id uuid primary key default gen_random_uuid(),
  draft_id uuid not null,
  version integer not null,
  author_id uuid references public.profiles (id) on delete set null,
  quote text not null default '' constraint draft_comments_quote_check check (char_length(quote) <= 500),
  comment text not null constraint draft_comments_comment_check check (char_length(btrim(comment)) between 1 and 2000),
  created_at timestamptz not null default clock_timestamp(),
  foreign key (draft_id, version) references public.draft_versions (draft_id, version) on delete cascade
);
grant select, insert, update, delete on public.draft_comments to service_role;
grant select (id, draft_id, version, quote, comment, created_at) on public.draft_comments to authenticated;
comment on table public.draft_comments is 'What reviewers wrote about a version of a draft.';
comment on column public.draft_comments.author_id is
  'The administrator, whom the audit log names and members are not told; null when the server wrote it.';
comment on column public.draft_comments.quote is 'The words of the version that the comment is about; empty for the whole.';
create index draft_comments_draft_id_idx on public.draft_comments (draft_id, version);
create index draft_comments_author_id_idx on public.draft_comments (author_id);
alter table public.draft_comments enable row level security;

create policy select_own_or_admin on public.drafts for select to authenticated
  using (owner_id = (select auth.uid()) or (select private.caller_is_admin()));

create policy select_own_or_admin on public.draft_versions for select to authenticated
  using (draft_id in (select private.caller_drafts()) or (select private.caller_is_admin()));

create policy select_own_or_admin on public.draft_comments for select to authenticated
  using (draft_id in (select private.caller_drafts()) or (select private.caller_is_admin()));

-- studio/files.sql

create function private.find_duplicate_draft(mentor uuid, kind text, written public.draft_versions) returns uuid
  language sql stable set search_path = '' as $$
  select d.id
  from public.drafts d
  join public.draft_versions v on v.draft_id = d.id and v.version = d.version
  left join public.subcategories s on s.id = v.subcategory_id
  left join public.subcategories w on w.id = (written).subcategory_id
  where d.owner_id = mentor and d.kind = find_duplicate_draft.kind
    -- Texts of two categories may share an address.
    and (s.main_category = w.main_category or s.id is null or w.id is null)
    and (v.slug = (written).slug and v.slug <> '' or lower(v.title) = lower((written).title) and v.title <> '')
  order by v.slug = (written).slug desc, d.updated_at desc, d.id
  limit 1
$$;
comment on function private.find_duplicate_draft(uuid, text, public.draft_versions) is
  'A draft of the mentor with the same address or title in the same category; null when there is none.';

-- studio/notifications.sql

create trigger drafts__notify after update of status on public.drafts
  for each row execute function private.tg_drafts__notify();

create trigger articles__notify_withdrawal after update of is_published on public.articles
  for each row when (old.is_published and not new.is_published) execute function private.tg_articles__notify_withdrawal();

create trigger courses__notify_withdrawal after update of is_published on public.courses
  for each row when (old.is_published and not new.is_published) execute function private.tg_courses__notify_withdrawal();

-- studio/pictures.sql

-- A review is about exactly this picture.
create trigger storage_objects__keep_content_pictures before update on storage.objects
  for each row when (old.bucket_id = 'content-pictures' or new.bucket_id = 'content-pictures')
  execute function private.tg_storage_objects__keep_content();

create function private.cover_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  select 'cover', 'This picture is no longer stored. Upload it again.'
  where v.cover is not null and not exists (
    select from storage.objects o
    where o.bucket_id = 'content-pictures' and o.name = private.content_picture_name(v.cover)
      and starts_with(o.name, d.owner_id || '-')
  )
$$;
comment on function private.cover_issues(public.drafts, public.draft_versions) is
  'What is wrong with the cover of a version: its picture has to be stored by the owner of the draft.';

-- Markdown is not parsed here, so whatever could begin a picture has to be one, also in code.
create function private.picture_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  with texts as (
    select 'content' as field, v.content as markdown where d.kind = 'article'
    union all
    select 'modules.' || m.place, m.module ->> 'content'
    from jsonb_array_elements(v.modules) with ordinality m (module, place) where d.kind = 'course'
  ),
  pictures as (
    select t.field, p.match[1] as description, p.match[2] as name
    from texts t cross join lateral regexp_matches(t.markdown, private.text_picture_pattern(), 'g') p (match)
  )
  select t.field, 'Pictures come from the editor’s “Picture”, not from other places. Write \![ where none is meant.'
  from texts t
  where regexp_replace(t.markdown, private.text_picture_pattern(), ' ', 'g') ~ '(^|[^\\])(\\\\)*!\['
  union all
  select distinct p.field, 'Describe each picture in 1 to 300 characters.'
  from pictures p where p.description !~ '[^[:space:]]' or char_length(p.description) > 300
  union all
  select distinct p.field, 'A picture is not one that is stored for you here. Insert it again.'
  from pictures p
  where not starts_with(p.name, d.owner_id || '-')
    or not exists (select from storage.objects o where o.bucket_id = 'content-pictures' and o.name = p.name)
$$;
comment on function private.picture_issues(public.drafts, public.draft_versions) is
  'What is wrong with the pictures in the texts of a version: each has a description, and is stored by the owner of the draft.';

-- studio/publishing.sql

-- The limits of the importer (tools/content/pages.ts).
create function private.article_issues(v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  select 'excerpt', 'Write an excerpt of at most 200 characters.' where char_length(v.excerpt) not between 1 and 200
  union all
  select 'tags', 'Choose 2 to 5 different tags.'
  where cardinality(v.tags) not between 2 and 5 or cardinality(v.tags) <> (select count(distinct t) from unnest(v.tags) t)
  union all
  select 'tags', 'Write tags in lower case, with at most 30 characters.'
  where exists (
    select from unnest(v.tags) t
    where t is null or t collate pg_catalog."und-x-icu" !~ '^[[:lower:][:digit:]][[:lower:][:digit:] &’''-]{0,29}$'
  )
  union all
  select 'content', 'Write the article.' where private.trim_markdown(v.content) = ''
$$;
comment on function private.article_issues(public.draft_versions) is 'What an article still needs.';

-- The library takes addresses of at most 500 characters, and everything else the importer takes.
create function private.course_issues(v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  with modules as (
    select m.place, m.module ->> 'slug' as slug, m.module ->> 'title' as title, m.module ->> 'content' as content,
      (m.module ->> 'minutes')::integer as minutes, m.module ->> 'video_url' as video_url
    from jsonb_array_elements(v.modules) with ordinality m (module, place)
  )
  select 'excerpt', 'Write a description of at most 300 characters.' where char_length(v.excerpt) not between 1 and 300
  union all
  select 'modules', 'Add a module.' where not exists (select from modules)
  union all
  select 'modules', 'Give every module an address of its own.'
  where (select count(*) from modules) <> (select count(distinct m.slug) from modules m)
  union all
  select 'modules.' || m.place, i.message
  from modules m cross join lateral (
    select 'Write a title of at most 90 characters on one line.' as message
    where char_length(btrim(m.title)) not between 1 and 90 or m.title ~ '[[:cntrl:]]'
    union all
    select 'Use lower-case letters, digits and hyphens for the address.' where not private.is_slug(m.slug)
    union all
    select 'Write the lesson.' where private.trim_markdown(m.content) = ''
    union all
    select 'The lesson has at most 200 KB of text.' where octet_length(m.content) > 204800
    union all
    select 'The lesson needs a heading “Exercise”.' where m.content !~ '(^|\n)## +Exercise *(\n|$)'
    union all
    select 'A module takes 1 to 600 minutes.' where m.minutes not between 1 and 600
    union all
    select 'Use a YouTube (no-cookie) or Vimeo player address, or a file of this site.'
    where m.video_url
      !~ '^(https://(www\.youtube-nocookie\.com/embed|player\.vimeo\.com/video)/[\w-]+|/(?!/)[\w./-]+\.(mp4|webm))$'
    union all
    select 'The address of a film has at most 500 characters.' where char_length(m.video_url) > 500
  ) i
$$;
comment on function private.course_issues(public.draft_versions) is 'What a course still needs.';

create function private.place_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  with live as (
    select a.subcategory_id, a.slug from public.articles a where a.id = d.article_id
    union all
    select c.subcategory_id, c.slug from public.courses c where c.id = d.course_id
  ),
  -- The importer knows a text by its category and address, so that it can move between subcategories.
  category as (
    select s.id from public.subcategories s
    where s.main_category = (select t.main_category from public.subcategories t where t.id = v.subcategory_id)
  )
  select 'title', 'Write a title of at most 90 characters on one line.'
  where char_length(v.title) not between 1 and 90 or v.title ~ '[[:cntrl:]]'
  union all
  select 'slug', 'Use lower-case letters, digits and hyphens for the address.' where not private.is_slug(v.slug)
  union all
  select 'subcategory_id', 'Choose a subcategory.'
  where not exists (select from public.subcategories s where s.id = v.subcategory_id and s.is_active)
  union all
  select 'slug', 'The address and the subcategory of published work stay as they are.'
  from live l where (l.subcategory_id, l.slug) is distinct from (v.subcategory_id, v.slug)
  union all
  select 'slug', 'Another text has this address. Choose another one.'
  where not exists (select from live) and (
    d.kind = 'article' and exists (select from public.articles a join category s on s.id = a.subcategory_id where a.slug = v.slug)
    or d.kind = 'course' and exists (select from public.courses c join category s on s.id = c.subcategory_id where c.slug = v.slug)
  )
$$;
comment on function private.place_issues(public.drafts, public.draft_versions) is 'What is wrong with the title and the place of a draft in the library.';

create function private.draft_issues(d public.drafts, v public.draft_versions) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field', i.field, 'message', i.message)), '[]')
  from (
    select p.field, p.message from private.place_issues(d, v) p
    union all
    select o.field, o.message from private.cover_issues(d, v) o
    union all
    select a.field, a.message from private.article_issues(v) a where d.kind = 'article'
    union all
    select c.field, c.message from private.course_issues(v) c where d.kind = 'course'
    union all
    select f.field, f.message from private.film_issues(d, v) f where d.kind = 'course'
    union all
    select t.field, t.message from private.picture_issues(d, v) t
  ) i
$$;
comment on function private.draft_issues(public.drafts, public.draft_versions) is 'What a version still needs before it can be published, as a list of field and message.';

create function private.publish_article(d public.drafts, v public.draft_versions) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  place integer;
  created uuid;
begin
  if d.article_id is not null then
    update public.articles a
    set title = v.title, excerpt = v.excerpt, content = private.trim_markdown(v.content), tags = v.tags,
      featured_image_url = v.cover, estimated_read_time = private.reading_minutes(v.content), is_published = true
    where a.id = d.article_id;
    return d.article_id;
  end if;
  select coalesce(max(a.display_order), 0) + 1 into place from public.articles a where a.subcategory_id = v.subcategory_id;
  insert into public.articles (subcategory_id, slug, title, excerpt, content, tags, featured_image_url, display_order,
    estimated_read_time, is_published, author_id, created_at)
  values (v.subcategory_id, v.slug, v.title, v.excerpt, private.trim_markdown(v.content), v.tags, v.cover, place,
    private.reading_minutes(v.content), true, d.owner_id, date_trunc('day', now(), 'UTC') - make_interval(secs => place))
  returning id into created;
  return created;
end
$$;
comment on function private.publish_article(public.drafts, public.draft_versions) is 'Writes the article of a draft; its id. Reads stay.';

create function private.publish_course(d public.drafts, v public.draft_versions) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  place integer;
  target uuid := d.course_id;
begin
  if target is null then
    select coalesce(max(c.display_order), 0) + 1 into place from public.courses c where c.subcategory_id = v.subcategory_id;
    insert into public.courses (subcategory_id, slug, title, description, thumbnail_url, difficulty_level, price,
      display_order, is_published, mentor_id, created_at)
    values (v.subcategory_id, v.slug, v.title, v.excerpt, v.cover, v.difficulty_level, v.price, place, true, d.owner_id,
      date_trunc('day', now(), 'UTC') - make_interval(secs => place))
    returning id into target;
  else
    perform private.keep_course_version(target, v.modules);
    update public.courses c
    set title = v.title, description = v.excerpt, thumbnail_url = v.cover, difficulty_level = v.difficulty_level,
      price = v.price, is_published = true
    where c.id = target;
  end if;
  perform private.publish_modules(target, v.modules);
  return target;
end
$$;
comment on function private.publish_course(public.drafts, public.draft_versions) is 'Writes the course of a draft with its modules; its id. Enrolments and completions stay.';

-- studio/review.sql

-- The way of a draft: submitted, returned with comments or published, scheduled, withdrawn, archived.
create function private.is_in_library(d public.drafts) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.articles a where a.id = d.article_id and a.is_published)
    or exists (select from public.courses c where c.id = d.course_id and c.is_published)
$$;
comment on function private.is_in_library(public.drafts) is 'True while members of its level find a published version of the draft.';

create function private.caller_is_trusted(d public.drafts) returns boolean
  language sql stable security definer set search_path = '' as $$
  select private.caller_is_admin()
    or exists (select from private.trusted_mentors t where t.user_id = d.owner_id)
      -- What an administrator withdrew, in the console or in the studio, is reviewed before it comes back.
      and (private.is_in_library(d) or not exists (
        select from private.console_edits k
        where k.row_id in (d.article_id, d.course_id) and k.column_name = 'is_published'
      ))
$$;
comment on function private.caller_is_trusted(public.drafts) is 'True when the caller publishes this draft without a review.';

create function private.require_ready(d public.drafts) returns void
  language plpgsql stable set search_path = '' as $$
declare
  issues jsonb := (
    select private.draft_issues(d, v) from public.draft_versions v where v.draft_id = d.id and v.version = d.version
  );
begin
  if issues <> '[]' then
    perform private.fail('FF654', 'This cannot be published yet.', issues::text);
  end if;
end
$$;
comment on function private.require_ready(public.drafts) is 'Raises FF654 with what the newest version still needs in details.';

create function private.require_draft_owner_or_admin(d public.drafts) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  if d.owner_id = auth.uid() then
    return d.owner_id;
  end if;
  return private.require_verified_admin();
end
$$;
comment on function private.require_draft_owner_or_admin(public.drafts) is
  'The caller, who is the owner or an administrator with a second factor; FF002 or FF005 for others.';

-- What owners do with their own drafts before they are published concerns nobody else, so only an administrator's acts are audited.
create function private.audit_draft_of_other(former public.drafts, action text) returns void
  language sql volatile set search_path = '' as $$
  select private.audit(auth.uid(), action, former.owner_id, jsonb_build_object(
    'draft', former.id, 'version', former.version,
    'before', jsonb_build_object('status', former.status), 'after', jsonb_build_object('status', d.status)
  ))
  from public.drafts d where d.id = former.id and d.owner_id <> auth.uid()
$$;
comment on function private.audit_draft_of_other(public.drafts, text) is
  'Audits how the status of a draft was changed, unless its owner did it.';

-- studio/saving.sql

-- A draft of another account does not exist for the caller.
create function private.lock_draft(draft uuid, expected_version integer, allowed text[]) returns public.drafts
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_draft public.drafts;
begin
  select d.* into found_draft from public.drafts d
  where d.id = draft and (d.owner_id = auth.uid() or private.caller_is_admin()) for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if expected_version is distinct from found_draft.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', found_draft.version::text);
  end if;
  if found_draft.status <> all (allowed) then
    perform private.fail('FF653', 'The draft is in another state.', found_draft.status);
  end if;
  return found_draft;
end
$$;
comment on function private.lock_draft(uuid, integer, text[]) is
  'Locks a draft of the caller, or any for administrators; FF651, FF652 for another version, FF653 for another status.';

create function private.draft_from(kind text, fields jsonb) returns public.draft_versions
  language plpgsql stable set search_path = '' as $$
declare
  read public.draft_versions;
begin
  read.title := btrim(coalesce(fields ->> 'title', ''));
  read.subcategory_id := (fields ->> 'subcategory_id')::uuid;
  read.slug := btrim(coalesce(fields ->> 'slug', ''));
  read.excerpt := btrim(coalesce(fields ->> 'excerpt', ''));
  read.tags := array(
    select t.tag from jsonb_array_elements_text(
      case jsonb_typeof(fields -> 'tags') when 'array' then fields -> 'tags' else '[]' end
    ) with ordinality t (tag, place)
    where kind = 'article' order by t.place
  );
  read.content := case kind when 'article' then coalesce(fields ->> 'content', '') else '' end;
  read.difficulty_level := coalesce(fields ->> 'difficulty_level', 'beginner');
  read.price := case kind when 'course' then coalesce((fields ->> 'price')::numeric, 0) else 0 end;
  read.modules := case kind when 'course' then private.draft_modules(fields -> 'modules') else '[]' end;
  read.cover := nullif(fields ->> 'cover', '');
  -- Only its owner writes a draft.
  if read.cover is not null and starts_with(private.content_picture_name(read.cover), auth.uid() || '-') is not true then
    perform private.fail('FF658', 'The cover is not a picture you have uploaded here.');
  end if;
  return read;
end
$$;
comment on function private.draft_from(text, jsonb) is
  'The text and metadata of a draft, from the object its owner sends; FF658 for a cover that is not a picture of the owner.';

create function private.add_draft_version(draft uuid, version integer, written public.draft_versions) returns void
  language sql volatile set search_path = '' as $$
  insert into public.draft_versions (
    draft_id, version, saved_by, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price, modules, cover
  ) values (
    draft, add_draft_version.version, auth.uid(), (written).title, (written).subcategory_id, (written).slug,
    (written).excerpt, (written).tags, (written).content, (written).difficulty_level, (written).price, (written).modules,
    (written).cover
  );
  update public.drafts d set version = add_draft_version.version, title = (written).title, updated_at = clock_timestamp()
  where d.id = draft
$$;
comment on function private.add_draft_version(uuid, integer, public.draft_versions) is 'Adds a version of a draft, saved by the caller.';

create function private.is_same_version(one public.draft_versions, other public.draft_versions) returns boolean
  language sql immutable set search_path = '' as $$
  select ((one).title, (one).subcategory_id, (one).slug, (one).excerpt, (one).tags, (one).content, (one).difficulty_level,
      (one).price, (one).modules, (one).cover)
    is not distinct from ((other).title, (other).subcategory_id, (other).slug, (other).excerpt, (other).tags,
      (other).content, (other).difficulty_level, (other).price, (other).modules, (other).cover)
$$;
comment on function private.is_same_version(public.draft_versions, public.draft_versions) is 'True when text and metadata are the same.';

-- studio/student-nudges.sql

-- A mentor reminds a student who paused a course. Nobody has a privilege on the table.
create table private.student_nudges (
  course_id uuid not null references public.courses (id) on delete cascade,
  student_id uuid not null references public.profiles (id) on delete cascade,
  nudged_at timestamptz not null default clock_timestamp(),
  primary key (course_id, student_id)
);
comment on table private.student_nudges is 'When a student of a course was reminded of it last.';
create index student_nudges_student_id_idx on private.student_nudges (student_id);
alter table private.student_nudges enable row level security;

-- submissions/rules.sql

create trigger learning_submissions__guard_insert before insert on public.learning_submissions
  for each row execute function private.tg_learning_submissions__guard_insert();

create trigger learning_submissions__limit_rate before insert on public.learning_submissions
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submissions__limit_rate();

create trigger learning_submission_likes__limit_rate before insert on public.learning_submission_likes
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submission_likes__limit_rate();

create trigger learning_submission_comments__guard_insert before insert on public.learning_submission_comments
  for each row execute function private.tg_learning_submission_comments__guard_insert();

create trigger learning_submission_comments__limit_rate before insert on public.learning_submission_comments
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submission_comments__limit_rate();

-- achievements/achievements.sql

create trigger module_completions__note_week after insert on public.module_completions
  for each row execute function private.tg_module_completions__note_week();

create trigger pacts__award after update of outcome on private.pacts
  for each row when (old.outcome is null and new.outcome = 'success') execute function private.tg_pacts__award();

-- achievements/certificates.sql

create table private.certificates (
  id uuid primary key default gen_random_uuid(),
  code text not null unique default private.new_public_code(),
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid references public.courses (id) on delete set null,
  mentor_id uuid references public.profiles (id) on delete set null,
  member_name text not null,
  course_title text not null,
  mentor_name text,
  completed_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by uuid references auth.users (id) on delete set null,
  revoked_reason text,
  constraint certificates_course_key unique (user_id, course_id),
  constraint certificates_mentor_check check (mentor_id is not null or mentor_name is null),
  constraint certificates_revoked_check check ((revoked_at is null) = (revoked_reason is null))
);
comment on table private.certificates is 'Certificates of finished courses, with the names and the title of that day. Written by a trigger.';
comment on column private.certificates.code is 'Opens the public page that verifies it.';
comment on column private.certificates.mentor_name is 'Null for the product''s own courses, and when the mentor''s account was deleted.';
create index certificates_course_id_idx on private.certificates (course_id);
create index certificates_mentor_id_idx on private.certificates (mentor_id);
create index certificates_revoked_by_idx on private.certificates (revoked_by);
alter table private.certificates enable row level security;

create trigger certificates__forget_mentor before update of mentor_id on private.certificates
  for each row when (new.mentor_id is null) execute function private.tg_certificates__forget_mentor();

create trigger course_enrollments__certify after update of completed_at on public.course_enrollments
  for each row when (old.completed_at is null and new.completed_at is not null)
  execute function private.tg_course_enrollments__certify();

-- achievements/notifications.sql

create trigger certificates__notify after insert on private.certificates
  for each row execute function private.tg_certificates__notify();

-- achievements/shared-cards.sql

-- A card that a member shares by their own click: a public address that says one line about them, until they take it back.
create table private.shared_cards (
  code text primary key default private.new_public_code(),
  user_id uuid not null references auth.users (id) on delete cascade,
  achievement text references private.achievement_kinds (key),
  certificate_id uuid unique references private.certificates (id) on delete cascade,
  member_name text not null,
  shared_at timestamptz not null default now(),
  constraint shared_cards_subject_check check (num_nonnulls(achievement, certificate_id) = 1),
  constraint shared_cards_achievement_key unique (user_id, achievement)
);
comment on table private.shared_cards is 'Cards that members share in public. Written by share_card, deleted by stop_sharing.';
comment on column private.shared_cards.code is 'Opens the public page of the card.';
comment on column private.shared_cards.member_name is 'The name when it was shared; that of the certificate for a certificate.';
create index shared_cards_achievement_idx on private.shared_cards (achievement);
alter table private.shared_cards enable row level security;

-- billing/failed-events.sql

-- Failed events are looked up by their id, however many there are, and can be cleared with a reason. Acts at the card provider on
-- coupons are audited before it is asked, and their end afterwards. docs/subsystems/console.md.
create function private.admin_failed_event(event text) returns setof private.failed_billing_events
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f where f.event_id = event;
end
$$;
comment on function private.admin_failed_event(text) is 'One event that could not be applied; no row when it was applied since.';
grant execute on function private.admin_failed_event to authenticated;

-- billing/failed-payments.sql

-- Renewals that could not be paid, for staff: who owes how much, and what can be done about it.

create view private.failed_payments with (security_invoker = true) as
select i.invoice_id, i.number, i.amount_due_pence as amount_pence, i.currency, i.attempt_count as attempts, i.next_attempt_at,
  r.code as failure_code, i.issued_at, i.subscription_id, s.price_id, s.status as membership, s.payment_method_last4 as card_last4,
  k.user_id, u.email::text as email, p.first_name, p.last_name
from public.invoices i
join public.stripe_customers k on k.customer_id = i.customer_id and k.deleted_at is null
join public.stripe_subscriptions s on s.subscription_id = i.subscription_id and s.deleted_at is null
join auth.users u on u.id = k.user_id
left join public.profiles p on p.id = k.user_id
left join private.invoice_failures r on r.invoice_id = i.invoice_id
-- A first payment or a switch that was refused is no debt: nothing came of it.
where i.status = 'open' and i.attempt_count > 0 and s.status in ('past_due', 'unpaid')
  and coalesce(i.reason not in ('subscription_create', 'subscription_update'), true);
comment on view private.failed_payments is 'Open invoices of renewals whose payment failed at least once.';

create function private.require_failed_payment(invoice text) returns private.failed_payments
  language plpgsql volatile set search_path = ''
as $$
declare
  owed record;
begin
  -- Two acts on one invoice come one after the other.
  perform from public.invoices i where i.invoice_id = invoice for no key update;
  select f.* into owed from private.failed_payments f where f.invoice_id = invoice;
  if not found then
    perform private.fail('FF277', 'This payment isn''t owed any more.');
  end if;
  return owed;
end
$$;
comment on function private.require_failed_payment(text) is 'What is owed for an invoice, locked; raises FF277 when nothing is.';

create trigger invoices__email after insert or update of attempt_count, next_attempt_at, status on public.invoices
  for each row when (
    new.status = 'open' and (new.attempt_count = 3 or new.attempt_count > 1 and new.next_attempt_at is null)
    and coalesce(new.reason not in ('subscription_create', 'subscription_update'), true)
  )
  execute function private.tg_invoices__email();

-- billing/withdrawals.sql

-- The right to withdraw (Consumer Contracts Regulations 2013): within 14 days after the day on which a membership was paid
-- for first, or a course was, the contract is taken back. What was paid is refunded and what it opened ends at once.
create table private.withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  subscription_id text unique,
  purchase_id uuid unique references private.course_purchases (id) on delete cascade,
  requested_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint withdrawals_subject_check check (num_nonnulls(subscription_id, purchase_id) = 1)
);
create index withdrawals_user_id_idx on private.withdrawals (user_id);
alter table private.withdrawals enable row level security;
comment on table private.withdrawals is 'Memberships and bought courses that were withdrawn from within 14 days. The refunds are in refund_requests.';
comment on column private.withdrawals.settled_at is 'When everything was refunded and the subscription had ended; null while something is left to do.';

-- chat/announcements.sql

-- @everyone in a message of an administrator with a second factor tells every member who may read the room. The message pays one row. The bell
-- joins that row when it is read, and a member gets a notification of their own by reading it, so nothing is ever written
-- for 10,000 members at a time. docs/decisions/028-announcements-without-fan-out.md gives the reasons.
create table private.room_announcements (
  id bigint generated always as identity primary key,
  message_id uuid not null constraint room_announcements_message_id_key unique references public.chat_messages (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.room_announcements is 'Messages of administrators with @everyone, which every member who may read the room is told of.';
create index room_announcements_created_at_idx on private.room_announcements (created_at);
alter table private.room_announcements enable row level security;

create trigger chat_messages__announce after insert or update of content on public.chat_messages
  for each row when (new.content like '%@everyone%') execute function private.tg_chat_messages__announce();

reset check_function_bodies;
