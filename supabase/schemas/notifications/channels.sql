create table public.digest_choices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  frequency text not null constraint digest_choices_frequency_check check (frequency in ('off', 'daily', 'weekly')),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.digest_choices to service_role;
grant select (user_id, frequency),
  insert (user_id, frequency),
  update (user_id, frequency)
  on public.digest_choices to authenticated;
comment on table public.digest_choices is 'How often a member wants the digest of unread notifications by e-mail. Without a row it is weekly.';
alter table public.digest_choices enable row level security;

create policy select_own on public.digest_choices for select to authenticated using (user_id = (select auth.uid()));

create policy insert_own on public.digest_choices for insert to authenticated with check (user_id = (select auth.uid()));

create policy update_own on public.digest_choices for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create function private.tg_digest_choices__stamp() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;
create trigger digest_choices__stamp before update on public.digest_choices
  for each row execute function private.tg_digest_choices__stamp();

-- The bell, and all that shows or counts what is in it, asks visible_notifications, which follows the choices from now on. The
-- digest and push start from what may be read, because each channel has its own choice.
create function private.readable_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  part text;
begin
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'notification\_part\_%' order by 1
  loop
    return query execute format(
      'select n.id, n.kind, n.actor_id, n.group_id, n.detail, n.created_at, n.read_at, p.place
       from private.%I($1) p join public.notifications n using (id)', part
    ) using member;
  end loop;
  return query
    select e.id, e.kind, e.actor_id, e.subject_id, null::text, e.created_at, null::timestamptz, e.place
    from private.unread_for_everyone(member) e;
end
$$;
comment on function private.readable_notifications(uuid) is
  'The newest notifications of an account whose place it may read now and whose content still stands, whatever its choices.';

-- What leaves the product. Nobody is told there who is no member now or suspended, and nobody of the acts of a suspended member.
create function private.unsent_notifications(member uuid, channel text)
  returns table (
    id bigint, kind text, topic text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  if private.effective_level(member) < 1 or exists (select from auth.users u where u.id = member and u.banned_until > now()) then
    return;
  end if;
  return query
  select r.id, r.kind, k.topic, r.actor_id, r.group_id, r.detail, r.created_at, r.place
  from private.readable_notifications(member) r
  join private.notification_kinds k on k.kind = r.kind
  left join public.notification_preferences p on p.user_id = member and p.kind = k.topic
  where r.read_at is null
    and case channel
      when 'email' then k.topic <> 'account' and coalesce(p.email, true)
      when 'push' then coalesce(p.push, true)
      else false
    end
    and not exists (select from auth.users a where a.id = r.actor_id and a.banned_until > now());
end
$$;
comment on function private.unsent_notifications(uuid, text) is
  'The unread notifications that an account may read and wants by ''email'' or ''push'' now. Notices about the account have e-mails of their own.';

create function private.notification_line(
  kind text, topic text, detail text, actor_id uuid, others bigint, place jsonb
) returns jsonb
  language sql stable set search_path = '' as $$
  select (place - 'excerpt') || jsonb_build_object(
    'kind', kind, 'topic', topic, 'detail', case kind when 'level_up' then detail end, 'others', others,
    'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = actor_id)
  )
$$;
comment on function private.notification_line(text, text, text, uuid, bigint, jsonb) is
  'What a digest or push says of a notification: who and where, without what was written.';

create function private.export_part_notification_choices(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('digest_choice', (select to_jsonb(c) from public.digest_choices c where c.user_id = member))
$$;
comment on function private.export_part_notification_choices(uuid) is 'How often one account wants the digest.';
