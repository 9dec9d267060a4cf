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

-- Not part of a member's request: it writes every row with a picture.
create function private.move_image_urls(origin text) returns integer
  language plpgsql set search_path = '' as $$
declare
  moved integer;
begin
  if origin is null or origin !~ '^https?://[^/?#\s]{1,255}$' then
    raise exception 'not the origin of an address: %', origin;
  end if;
  update public.learning_submissions s
  set image_url = origin || '/storage/v1/object/public/learning-images/' || private.image_name(s.image_url)
  where s.image_url is not null and s.image_url not like origin || '/%';
  get diagnostics moved = row_count;
  return moved;
end
$$;
revoke all on function private.move_image_urls from public, anon, authenticated, service_role;
comment on function private.move_image_urls(text) is
  'For the owner, after the server''s address has changed: moves the URLs of all pictures there and returns their number.';
