-- Marks of a trial installation. Only the operator's tools write them, so that no caller can make an installation look
-- like a trial.
create table private.install_marks (
  mark text primary key check (mark in ('demo_accounts', 'card_sandbox')),
  made_at timestamptz not null default now()
);
comment on table private.install_marks is 'Marks of a local trial; production refuses a database that has any.';
alter table private.install_marks enable row level security;

-- The picture of a submission is stored with its full public URL, as the specification says, so that every client can
-- show it. The origin is the server's own, taken from the issuer that the server signed into the caller's token. What
-- the client sends is never used for it.
create function private.caller_api_origin() returns text
  language sql stable set search_path = '' as $$
  select substring(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'iss' from '^(https?://[^/?#\s]{1,255})/auth/v1$'
  )
$$;
comment on function private.caller_api_origin() is
  'Origin of this API, from the issuer of the caller''s token; null when the issuer names none.';
grant execute on function private.caller_api_origin to authenticated;

-- Not part of a member's request: it writes every row with a picture.
create function private.move_image_urls(origin text) returns integer
  language plpgsql set search_path = '' as $$
declare
  moved_images integer;
  moved_pictures integer;
begin
  if origin is null or origin !~ '^https?://[^/?#\s]{1,255}$' then
    raise exception 'not the origin of an address: %', origin;
  end if;
  update public.learning_submissions s
  set image_url = origin || '/storage/v1/object/public/learning-images/' || private.image_name(s.image_url)
  where s.image_url is not null and s.image_url not like origin || '/%';
  get diagnostics moved_images = row_count;
  update public.profiles p
  set avatar_url = origin || '/storage/v1/object/public/profile-pictures/' || private.image_name(p.avatar_url)
  where p.avatar_url is not null and p.avatar_url not like origin || '/%';
  get diagnostics moved_pictures = row_count;
  return moved_images + moved_pictures;
end
$$;
comment on function private.move_image_urls(text) is
  'For the owner, after the server''s address has changed: moves the URLs of all pictures there and returns their number.';
