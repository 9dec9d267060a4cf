-- Works name their picture by the storage's path, without an origin, so that it stays right when the server moves.
create function private.content_picture_name(address text) returns text
  language sql immutable set search_path = '' as $$
  select substring(address from
    '^/storage/v1/object/public/content-pictures/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))$')
$$;
comment on function private.content_picture_name(text) is
  'Name of the object in the bucket content-pictures, from the address a text shows; null for other addresses.';

-- Counted and added up under a lock for each account, and by the name, because the storage service of a hosted project
-- writes the row with its own role. P0001 is the code whose sentence the storage passes on.
create function private.tg_storage_objects__limit_content_pictures() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  mentor constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if mentor is null or auth.uid() <> mentor or not exists (select from auth.users u where u.id = mentor) then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('content-pictures:' || mentor, 0));
  if coalesce((new.metadata ->> 'size')::bigint, 0) + (
    select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
    where o.bucket_id = 'content-pictures' and o.name like mentor || '-%'
  ) > 209715200 then
    perform private.fail('P0001', 'Your pictures have reached 200 MB together, which is the most. Unused ones are deleted after a day.');
  end if;
  begin
    perform private.enforce_rate_limit(mentor, 'content_picture');
  exception when sqlstate 'FF300' then
    perform private.fail('P0001', 'You can upload 60 pictures within an hour. Try again later.');
  end;
  return new;
end
$$;
create trigger storage_objects__limit_content_pictures before insert on storage.objects
  for each row when (new.bucket_id = 'content-pictures')
  execute function private.tg_storage_objects__limit_content_pictures();

-- A review is about exactly this picture.
create trigger storage_objects__keep_content_pictures before update on storage.objects
  for each row when (old.bucket_id = 'content-pictures' or new.bucket_id = 'content-pictures')
  execute function private.tg_storage_objects__keep_content();

-- There is no policy for update or delete, so no client replaces a picture.
create policy insert_own_content_picture on storage.objects for insert to authenticated
  with check (
    bucket_id = 'content-pictures'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(jpg|png)$')
    and (select private.caller_is_mentor())
  );

create policy select_own_content_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'content-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_admin()))
  );

-- A picture stays as long as its draft, so that every version can be restored with it.
-- @rpc service_role
-- Server: pictures of articles and courses to delete now.
create function private.content_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  with used as (
    select private.image_name(a.featured_image_url) as name from public.articles a where a.featured_image_url is not null
    union
    select private.image_name(c.thumbnail_url) from public.courses c where c.thumbnail_url is not null
    union
    select private.text_picture_names(a.content) from public.articles a
    union
    select private.text_picture_names(m.content) from public.course_modules m
    union
    select private.text_picture_names(v.modules::text) from private.course_versions v
  )
  select o.name from storage.objects o
  where o.bucket_id = 'content-pictures' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (select from used u where u.name = o.name)
    and not exists (select from private.draft_pictures p where p.name = o.name)
  order by o.name
  limit batch
$$;
comment on function private.content_pictures_to_purge(text, integer) is
  'Pictures older than a day that no article, no course and no version of either shows; by name, after the given one.';

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

-- Pictures inside articles and lessons: images of the mentor in the bucket content-pictures, checked when a draft is submitted or
-- published, and kept as long as any text names them.
create function private.text_picture_pattern() returns text
  language sql immutable set search_path = '' as $$
  select '!\[([^][\\`<>\n]*)\]\(/storage/v1/object/public/content-pictures/'
    || '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))'
    || '(?:#[1-9][0-9]{0,3}x[1-9][0-9]{0,3})?\)'
$$;
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
comment on function private.picture_issues(public.drafts, public.draft_versions) is
  'What is wrong with the pictures in the texts of a version: each has a description, and is stored by the owner of the draft.';
