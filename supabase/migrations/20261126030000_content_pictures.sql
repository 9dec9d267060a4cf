-- Pictures of articles and courses: public at their exact address, listed for their mentor only, never replaced by a client.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('content-pictures', 'content-pictures', true, 5242880, array['image/jpeg', 'image/png'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

insert into private.rate_limits (action, max_count, period) values ('content_picture', 60, '1 hour');

-- Works name their picture by the storage's path, without an origin, so that it stays right when the server moves.
create function private.content_picture_name(address text) returns text
  language sql immutable set search_path = '' as $$
  select substring(address from
    '^/storage/v1/object/public/content-pictures/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))$')
$$;
revoke all on function private.content_picture_name from public, anon, authenticated, service_role;
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
revoke all on function private.tg_storage_objects__limit_content_pictures from public, anon, authenticated, service_role;
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

alter table public.draft_versions add column cover text;
alter table public.draft_versions add constraint draft_versions_cover_check check (
  cover ~ '^/storage/v1/object/public/content-pictures/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|png)$'
) not valid;
comment on column public.draft_versions.cover is
  'Path of an object of the owner in the bucket content-pictures, without an origin; null for the drawn cover.';
grant select (cover) on public.draft_versions to authenticated;

-- A picture stays as long as any version shows it, so that each can be restored and published with it. What is published
-- keeps it also when its mentor's account is deleted: members still have the text.
create function private.content_pictures_to_purge(after text, batch integer) returns setof text
  language sql stable security definer set search_path = '' as $$
  with used as (
    select private.image_name(a.featured_image_url) as name from public.articles a where a.featured_image_url is not null
    union
    select private.image_name(c.thumbnail_url) from public.courses c where c.thumbnail_url is not null
    union
    select private.content_picture_name(v.cover) from public.draft_versions v where v.cover is not null
  )
  select o.name from storage.objects o
  where o.bucket_id = 'content-pictures' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (select from used u where u.name = o.name)
  order by o.name
  limit batch
$$;
revoke all on function private.content_pictures_to_purge from public, anon, authenticated, service_role;
comment on function private.content_pictures_to_purge(text, integer) is
  'Pictures older than a day that no article, no course and no version of a draft shows; by name, after the given one.';
grant execute on function private.content_pictures_to_purge(text, integer) to service_role;

create function public.content_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select private.content_pictures_to_purge(after, batch) $$;
revoke all on function public.content_pictures_to_purge from public, anon, authenticated, service_role;
comment on function public.content_pictures_to_purge(text, integer) is 'Server: pictures of articles and courses to delete now.';
grant execute on function public.content_pictures_to_purge(text, integer) to service_role;
