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

create table private.trusted_mentors (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.trusted_mentors is 'Mentors who publish without a review. Set by administrators.';
alter table private.trusted_mentors enable row level security;

-- Who wrote a draft always reads it, at every level and without a membership.
create function private.caller_drafts() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select d.id from public.drafts d where d.owner_id = auth.uid();
end
$$;
comment on function private.caller_drafts() is 'Drafts the caller wrote.';
grant execute on function private.caller_drafts to authenticated;

create policy select_own_or_admin on public.drafts for select to authenticated
  using (owner_id = (select auth.uid()) or (select private.caller_is_admin()));

create policy select_own_or_admin on public.draft_versions for select to authenticated
  using (draft_id in (select private.caller_drafts()) or (select private.caller_is_admin()));

create policy select_own_or_admin on public.draft_comments for select to authenticated
  using (draft_id in (select private.caller_drafts()) or (select private.caller_is_admin()));

-- The export has how much the versions take; the versions themselves come from private.export_versions.
create function private.export_part_studio(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'drafts', coalesce((
      select jsonb_agg(to_jsonb(d) - 'approved_by' order by d.created_at, d.id)
      from public.drafts d where d.owner_id = member
    ), '[]'),
    'draft_comments', coalesce((
      select jsonb_agg(to_jsonb(c) - 'author_id' order by c.created_at, c.id)
      from public.draft_comments c join public.drafts d on d.id = c.draft_id
      where d.owner_id = member or c.author_id = member
    ), '[]'),
    'draft_usage', (select to_jsonb(u) from private.draft_usage u where u.user_id = member),
    'trusted_mentor', (select to_jsonb(t) from private.trusted_mentors t where t.user_id = member)
  )
$$;
comment on function private.export_part_studio(uuid) is
  'Drafts of one account and the comments on them, without the reviewers. Their versions: private.export_versions.';

-- Mentors choose among all subcategories, also of levels they have not reached themselves.
-- @rpc authenticated
-- Mentors: the subcategories something can be published in.
create function private.studio_subcategories() returns table (id uuid, main_category text, slug text, name text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_mentor();
  return query
    select s.id, s.main_category, s.slug, s.name from public.subcategories s where s.is_active
    order by s.main_category, s.display_order, s.name;
end
$$;
comment on function private.studio_subcategories() is 'The subcategories something can be published in; FF650 for other callers than mentors.';
