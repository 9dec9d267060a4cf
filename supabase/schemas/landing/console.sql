create function private.optional_text(given text) returns text
  language sql immutable set search_path = '' as $$
  select case when given is null or private.is_blank(given) then null else btrim(given) end
$$;
comment on function private.optional_text(text) is 'The text without blanks around it; null when nothing can be seen of it.';

-- @rpc authenticated
-- Administrators: what the landing page says and shows, and who can be its host.
create function private.landing_settings() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return (
    select jsonb_build_object(
      'version', coalesce(t.version, 0), 'headline', t.headline, 'lead', t.lead,
      'host_id', t.host_id, 'host_about', t.host_about, 'published_at', t.published_at,
      'outcomes', (select coalesce(jsonb_agg(o), '[]') from private.landing_outcomes() o),
      'unanswered', (
        select count(*) from public.learning_submissions s
        where s.is_featured and not exists (select from public.submission_consents c where c.submission_id = s.id)
      ),
      'hosts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'picture', p.avatar_url
        ) order by p.first_name, p.id), '[]')
        from public.profiles p
        where p.role = 'admin' and not private.is_blank(concat(p.first_name, p.last_name)) and not private.is_banned(p.id)
      )
    )
    from (select) nothing
    left join (select x.* from private.landing_texts x order by x.version desc limit 1) t on true
  );
end
$$;
comment on function private.landing_settings() is 'The landing page for administrators with a second factor.';

-- @rpc authenticated
-- Administrators: publish other words for the landing page. An empty one is as the product comes.
create function private.publish_landing_text(headline text, lead text, host uuid, host_about text) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  former private.landing_texts;
  current private.landing_texts;
begin
  -- One at a time: each takes the next number.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('landing_texts'));
  select t.* into former from private.landing_texts t order by t.version desc limit 1;
  current.version := coalesce(former.version, 0) + 1;
  current.headline := private.optional_text(headline);
  current.lead := private.optional_text(lead);
  current.host_about := private.optional_text(host_about);
  current.host_id := host;
  current.published_at := now();
  if char_length(current.headline) > 120 or char_length(current.lead) > 500 or char_length(current.host_about) > 1500 then
    perform private.fail('FF280', 'A headline has at most 120 characters, the text below it 500, and the text about the host 1,500.');
  end if;
  if host is not null and not exists (select from public.profiles p where p.id = host and p.role = 'admin') then
    perform private.fail('FF281', 'The host has to be an administrator.');
  end if;
  insert into private.landing_texts values (current.*);
  perform private.audit_change(
    admin, 'landing_text.published', jsonb_build_object('version', current.version),
    coalesce(to_jsonb(former), '{"headline": null, "lead": null, "host_id": null, "host_about": null}') - '{version,published_at}'::text[],
    to_jsonb(current) - '{version,published_at}'::text[]
  );
  return current.version;
end
$$;
comment on function private.publish_landing_text(text, text, uuid, text) is
  'Shows other words on the landing page; the number of the version. Raises FF280 or FF281. Audited.';
