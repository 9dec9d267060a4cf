create or replace function private.lacks_slug (
  title text,
  slug  text
)
  returns boolean
  language sql
  immutable
  set search_path to ''
  AS $function$
  select case when coalesce(slug, '') = '' then btrim(coalesce(title, '')) <> '' else not private.is_slug(slug) end
$function$;

create or replace function private.course_issues (
  v public.draft_versions
)
  returns table (
    field   text,
    message text
  )
  language sql
  stable
  set search_path to ''
  AS $function$
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
  where (select count(m.slug) <> count(distinct m.slug) from modules m where m.slug <> '')
  union all
  select 'modules.' || m.place, i.message
  from modules m cross join lateral (
    select 'Write a title of at most 90 characters on one line.' as message
    where char_length(btrim(m.title)) not between 1 and 90 or m.title ~ '[[:cntrl:]]'
    union all
    select 'Use lower-case letters, digits and hyphens for the address.' where private.lacks_slug(m.title, m.slug)
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
$function$;

create or replace function private.place_issues (
  d public.drafts,
  v public.draft_versions
)
  returns table (
    field   text,
    message text
  )
  language sql
  stable
  set search_path to ''
  AS $function$
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
  select 'slug', 'Use lower-case letters, digits and hyphens for the address.' where private.lacks_slug(v.title, v.slug)
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
$function$;

comment on function "private"."lacks_slug"(text, text) is 'True when a text needs another address, apart from its title.';

revoke all on function "private"."lacks_slug"(text, text) from public;

grant execute on function "private"."lacks_slug"(text, text) to "postgres";
