-- Pacts in the bell. As for all notifications, what may be read now decides.
create function private.tg_pact_witnesses__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  author uuid;
begin
  select s.user_id into author from public.learning_submissions s where s.id = new.submission_id;
  -- Who is being deleted is not waited for.
  if tg_op = 'INSERT' then
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, 'witness_asked', author, new.submission_id, new.submission_id
    from public.profiles r where r.id = new.user_id for key share of r skip locked on conflict do nothing;
  else
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, case when new.accepted then 'witness_accepted' else 'witness_declined' end, new.user_id, new.submission_id, new.submission_id
    from public.profiles r where r.id = author for key share of r skip locked on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger pact_witnesses__notify after insert or update of accepted on private.pact_witnesses
  for each row execute function private.tg_pact_witnesses__notify();

-- Those who said they would ask are told how it went. The line leads to the outcome.
create function private.tg_pacts__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select w.user_id, 'pact_outcome', s.user_id, new.submission_id, new.outcome_id
  from private.pact_witnesses w
  join public.profiles r on r.id = w.user_id
  join public.learning_submissions s on s.id = new.submission_id
  where w.submission_id = new.submission_id and w.accepted
  for key share of r skip locked on conflict do nothing;
  return null;
end
$$;
create trigger pacts__notify after update of closed_at on private.pacts
  for each row when (old.closed_at is null and new.closed_at is not null) execute function private.tg_pacts__notify();

-- From the day before on, but not within twelve hours of making it. The witnesses are told as well: they said they would ask.
-- @rpc service_role
-- Server: reminds members of pacts that are due.
create function private.remind_of_pacts() returns void
  language sql volatile security definer set search_path = '' as $$
  with due as (
    select p.submission_id, s.user_id as author
    from private.pacts p
    join public.learning_submissions s on s.id = p.submission_id
    join public.profiles a on a.id = s.user_id
    where p.closed_at is null and p.reminded_at is null and s.created_at + interval '12 hours' <= now()
      and p.due_on between (now() at time zone 'utc')::date and (now() at time zone 'utc')::date + 1
    for key share of a skip locked for update of p skip locked
  ), reminded as (
    update private.pacts p set reminded_at = now() from due d where p.submission_id = d.submission_id
  ), told as (
    select r.id, d.author, d.submission_id
    from due d
    join lateral (
      select d.author as user_id
      union all
      select w.user_id from private.pact_witnesses w where w.submission_id = d.submission_id and w.accepted
    ) t on true
    join public.profiles r on r.id = t.user_id
    for key share of r skip locked
  )
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select t.id, 'pact_due', nullif(t.author, t.id), t.submission_id, t.submission_id from told t
  on conflict do nothing
$$;
comment on function private.remind_of_pacts() is 'Reminds members of open pacts that are due today or tomorrow, and their witnesses, once each.';

create function private.notification_part_pacts(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('submission_id', s.id, 'excerpt', s.title)
    || case n.kind when 'pact_due' then jsonb_build_object('is_overdue', private.is_overdue(p.due_on)) else '{}' end
  from private.newest_notifications(member, array['witness_asked', 'witness_accepted', 'witness_declined', 'pact_due', 'pact_outcome']) n
  join public.learning_submissions s on s.id = n.group_id
  join private.pacts p on p.submission_id = n.subject_id
  left join private.pact_witnesses w
    on w.submission_id = p.submission_id
    and w.user_id = case when n.kind in ('witness_accepted', 'witness_declined') then n.actor_id else member end
  -- A request that was being written while its author was blocked is still a row.
  where not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = n.actor_id)
    and case n.kind
      when 'witness_asked' then p.closed_at is null and w.accepted is null and w.user_id is not null
        and not private.is_overdue(p.due_on)
      when 'witness_declined' then w.accepted is false and p.closed_at is null
      when 'pact_due' then p.closed_at is null and (n.actor_id is null or w.accepted)
      else w.accepted
    end;
end
$$;
comment on function private.notification_part_pacts(uuid) is
  'What a member is told of pacts, as long as the relation of author and witness stands, by nobody whom the member has blocked.';
