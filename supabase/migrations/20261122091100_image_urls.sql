-- The picture of a submission is stored with its full public URL, as the specification says, so that every client can
-- show it. The origin is the server's own, taken from the issuer that the server signed into the caller's token. What
-- the client sends is never used for it.

create function private.caller_api_origin() returns text
  language sql stable set search_path = '' as $$
  select substring(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'iss' from '^(https?://[^/?#\s]{1,255})/auth/v1$'
  )
$$;
revoke all on function private.caller_api_origin from public, anon, authenticated, service_role;
comment on function private.caller_api_origin() is
  'Origin of this API, from the issuer of the caller''s token; null when the issuer names none.';
grant execute on function private.caller_api_origin() to authenticated;

create or replace function private.tg_learning_submissions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  image text;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.title := private.trimmed_message(new.title);
  new.content := private.trimmed_message(new.content);
  if private.is_blank(new.title) or private.is_blank(new.content) then
    perform private.fail('FF330', 'A submission needs a title and some text.');
  end if;
  new.created_at := clock_timestamp();
  if new.image_url is not null then
    -- Clients send the object's public URL. Only its name is kept, because the URL could point to another server.
    image := private.image_name(new.image_url);
    if not private.caller_has_image(image) then
      perform private.fail('FF331', 'The picture has not been uploaded.');
    end if;
    new.image_url := coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/learning-images/' || image;
  end if;
  return new;
end
$$;

create or replace function private.learning_images_due(after text, batch integer) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  where o.bucket_id = 'learning-images' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (
      select from public.learning_submissions s
      where s.image_url is not null and private.image_name(s.image_url) = o.name
    )
  order by o.name
  limit batch
$$;

-- The address the pictures are stored under. When it changes, or was not known, every row moves to the new one with the
-- first submission or like whose token was issued there.
create table private.api_origin (
  is_only boolean primary key default true constraint api_origin_is_only_check check (is_only),
  origin text not null,
  issued_at bigint not null
);
revoke all on table private.api_origin from public, anon, authenticated, service_role;
comment on table private.api_origin is 'The one origin in the URLs of pictures.';
comment on column private.api_origin.issued_at is
  'Epoch seconds of the token that named the origin. An older token of an earlier address changes nothing.';
alter table private.api_origin enable row level security;

create function private.adopt_api_origin() returns void
  language plpgsql security definer set search_path = '' as $$
declare
  current_origin text := private.caller_api_origin();
  token_issued_at bigint := (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'iat')::numeric::bigint;
begin
  if current_origin is null or token_issued_at is null or exists (
    select from private.api_origin a where a.origin = current_origin or a.issued_at >= token_issued_at
  ) then
    return;
  end if;
  insert into private.api_origin as a (origin, issued_at) values (current_origin, token_issued_at)
  on conflict (is_only) do update set origin = excluded.origin, issued_at = excluded.issued_at
  where a.origin <> excluded.origin and a.issued_at < excluded.issued_at;
  if not found then
    return;
  end if;
  -- In the order of ids, as the counts of likes lock them.
  perform 1 from public.learning_submissions s where s.image_url is not null order by s.id for no key update;
  update public.learning_submissions s
  set image_url = current_origin || '/storage/v1/object/public/learning-images/' || private.image_name(s.image_url)
  where s.image_url is not null;
end
$$;
revoke all on function private.adopt_api_origin from public, anon, authenticated, service_role;
comment on function private.adopt_api_origin() is 'Moves the URLs of all pictures to the origin of the caller''s token when it is new.';

create function private.tg_learning_submissions__adopt_origin() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.adopt_api_origin();
  return null;
end
$$;
revoke all on function private.tg_learning_submissions__adopt_origin from public, anon, authenticated, service_role;
create trigger learning_submissions__adopt_origin after insert on public.learning_submissions
  for each statement execute function private.tg_learning_submissions__adopt_origin();

create function private.tg_learning_submission_likes__adopt_origin() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.adopt_api_origin();
  return null;
end
$$;
revoke all on function private.tg_learning_submission_likes__adopt_origin from public, anon, authenticated, service_role;
create trigger learning_submission_likes__adopt_origin after insert on public.learning_submission_likes
  for each statement execute function private.tg_learning_submission_likes__adopt_origin();
