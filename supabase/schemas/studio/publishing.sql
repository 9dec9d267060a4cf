-- Publishing a draft writes the rows the library reads, exactly as an import of files does (tools/content/apply.ts).
create function private.reading_minutes(markdown text) returns integer
  language sql immutable set search_path = '' as $$
  select greatest(1, ceil(count(*) / 200.0))::integer
  from regexp_split_to_table(markdown collate pg_catalog."und-x-icu", '\s+') w (word)
  where w.word ~ '[[:alnum:]]'
$$;
comment on function private.reading_minutes(text) is 'Minutes to read a text at 200 words a minute, rounded up; as tools/content/markdown.ts computes them.';

-- The text without the white space around it, as JavaScript trims.
create function private.trim_markdown(markdown text) returns text
  language sql immutable set search_path = '' as $$
  select regexp_replace(markdown, '^\s+|\s+$', '', 'g')
$$;
comment on function private.trim_markdown(text) is 'A text without white space before and after it.';

create function private.is_slug(slug text) returns boolean
  language sql immutable set search_path = '' as $$
  select slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80
$$;
comment on function private.is_slug(text) is 'True for what may be part of an address of the library.';

-- The editor makes the address of the title, so that a text without both lacks one thing and not two.
create function private.lacks_slug(title text, slug text) returns boolean
  language sql immutable set search_path = '' as $$
  select case when coalesce(slug, '') = '' then btrim(coalesce(title, '')) <> '' else not private.is_slug(slug) end
$$;
comment on function private.lacks_slug(text, text) is 'True when a text needs another address, apart from its title.';

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

-- New modules are added before old ones are hidden; otherwise members might complete a course in between.
create function private.publish_modules(course uuid, modules jsonb) returns void
  language sql volatile set search_path = '' as $$
  insert into public.course_modules as t (course_id, slug, title, content, module_order, estimated_duration, video_url,
    is_published)
  select course, m.module ->> 'slug', btrim(m.module ->> 'title'), private.trim_markdown(m.module ->> 'content'), m.place,
    coalesce((m.module ->> 'minutes')::integer, private.reading_minutes(m.module ->> 'content')), m.module ->> 'video_url',
    true
  from jsonb_array_elements(modules) with ordinality m (module, place)
  on conflict (course_id, slug) do update set title = excluded.title, content = excluded.content,
    module_order = excluded.module_order, estimated_duration = excluded.estimated_duration,
    video_url = excluded.video_url, is_published = true;
  update public.course_modules t set is_published = false
  where t.course_id = course and t.is_published
    and not exists (select from jsonb_array_elements(modules) m where m ->> 'slug' = t.slug);
  update public.courses c set estimated_duration = (
    select coalesce(sum(m.estimated_duration), 0) from public.course_modules m where m.course_id = course and m.is_published
  ) where c.id = course
$$;
comment on function private.publish_modules(uuid, jsonb) is 'Writes the modules of a course. Modules that are gone are hidden; completions stay.';

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

create function private.publish_draft_version(draft uuid, publisher uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  d public.drafts;
  v public.draft_versions;
  issues jsonb;
begin
  select t.* into strict d from public.drafts t where t.id = draft for update;
  select t.* into strict v from public.draft_versions t where t.draft_id = draft and t.version = d.version;
  -- One publication after another in a subcategory, so that order and address are unique.
  perform from public.subcategories s where s.id = v.subcategory_id for no key update;
  issues := private.draft_issues(d, v);
  if issues <> '[]' then
    perform private.fail('FF654', 'This cannot be published yet.', issues::text);
  end if;
  if d.kind = 'article' then
    d.article_id := private.publish_article(d, v);
  else
    d.course_id := private.publish_course(d, v);
  end if;
  update public.drafts t
  set status = 'published', published_version = v.version, published_at = clock_timestamp(), publish_at = null,
    article_id = d.article_id, course_id = d.course_id, updated_at = clock_timestamp()
  where t.id = draft;
  perform private.audit(publisher, 'draft.published', d.owner_id, jsonb_build_object(
    'draft', draft, 'version', v.version,
    'before', jsonb_build_object('status', d.status, 'published_version', d.published_version),
    'after', jsonb_build_object('status', 'published', 'published_version', v.version)
  ));
end
$$;
comment on function private.publish_draft_version(uuid, uuid) is 'Publishes the newest version of a draft; FF654 with the issues in details. Audited.';
