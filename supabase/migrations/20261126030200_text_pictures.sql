-- Pictures inside articles and lessons: images of the mentor in the bucket content-pictures, checked when a draft is submitted or
-- published, and kept as long as any text names them.

create function private.text_picture_pattern() returns text
  language sql immutable set search_path = '' as $$
  select '!\[([^][\\`<>\n]*)\]\(/storage/v1/object/public/content-pictures/'
    || '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))'
    || '(?:#[1-9][0-9]{0,3}x[1-9][0-9]{0,3})?\)'
$$;
revoke all on function private.text_picture_pattern from public, anon, authenticated, service_role;
comment on function private.text_picture_pattern() is
  'A picture in Markdown as the editor writes it: description, name in the bucket content-pictures, and its size in pixels after #.';

create function private.text_picture_names(markdown text) returns setof text
  language sql immutable set search_path = '' as $$
  -- However a text names a picture, it keeps it.
  select distinct m.match[1]
  from regexp_matches(
    markdown, '/content-pictures/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))', 'g'
  ) m (match)
  where strpos(markdown, '/content-pictures/') > 0
$$;
revoke all on function private.text_picture_names from public, anon, authenticated, service_role;
comment on function private.text_picture_names(text) is 'Names of the objects in the bucket content-pictures that a text mentions.';

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
revoke all on function private.picture_issues from public, anon, authenticated, service_role;
comment on function private.picture_issues(public.drafts, public.draft_versions) is
  'What is wrong with the pictures in the texts of a version: each has a description, and is stored by the owner of the draft.';

create or replace function private.draft_issues(d public.drafts, v public.draft_versions) returns jsonb
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

create or replace function private.content_pictures_to_purge(after text, batch integer) returns setof text
  language sql stable security definer set search_path = '' as $$
  with used as (
    select private.image_name(a.featured_image_url) as name from public.articles a where a.featured_image_url is not null
    union
    select private.image_name(c.thumbnail_url) from public.courses c where c.thumbnail_url is not null
    union
    select private.content_picture_name(v.cover) from public.draft_versions v where v.cover is not null
    union
    select private.text_picture_names(a.content) from public.articles a
    union
    select private.text_picture_names(m.content) from public.course_modules m
    union
    select private.text_picture_names(v.modules::text) from private.course_versions v
    union
    select private.text_picture_names(v.content) from public.draft_versions v
    union
    select private.text_picture_names(v.modules::text) from public.draft_versions v
  )
  select o.name from storage.objects o
  where o.bucket_id = 'content-pictures' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (select from used u where u.name = o.name)
  order by o.name
  limit batch
$$;
comment on function private.content_pictures_to_purge(text, integer) is
  'Pictures older than a day that no article, no course and no version of either shows; by name, after the given one.';
