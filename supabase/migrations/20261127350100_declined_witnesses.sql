-- Who declines to witness a pact, or steps back, is told to its author as one who accepts: the open page learns of it by the bell, and
-- another can be asked in time. A pact that is due and one that is overdue are told apart wherever it is named. Pacts one witnessed stay
-- on one's page: at most the newest 50, as one's own.
insert into private.notification_kinds (kind, topic) values ('witness_declined', 'pacts');

create or replace function private.tg_pact_witnesses__notify() returns trigger
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

create or replace function private.notification_part_pacts(member uuid) returns table (id bigint, place jsonb)
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

create or replace function private.my_pacts() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  return jsonb_build_object(
    'own', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', o.submission_id, 'title', o.title, 'due_on', o.due_on, 'made_at', o.created_at,
        'is_overdue', o.closed_at is null and private.is_overdue(o.due_on),
        'outcome', o.outcome, 'outcome_id', o.outcome_id, 'closed_at', o.closed_at,
        'witnesses', coalesce((
          select jsonb_agg(private.person(w.user_id) || jsonb_build_object('state', private.witness_state(w, p))
            order by w.asked_at, w.user_id)
          from private.pact_witnesses w join private.pacts p using (submission_id)
          where w.submission_id = o.submission_id
        ), '[]')
      ) order by o.closed_at desc nulls first, o.due_on, o.submission_id)
      from (
        select p.*, s.title, s.created_at from private.pacts p join public.learning_submissions s on s.id = p.submission_id
        where s.user_id = caller
        order by p.closed_at desc nulls first, p.due_on, p.submission_id limit 50
      ) o
    ), '[]'),
    'witnessing', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', o.submission_id, 'title', o.title, 'due_on', o.due_on, 'made_at', o.created_at,
        'is_overdue', o.closed_at is null and private.is_overdue(o.due_on),
        'outcome', o.outcome, 'outcome_id', o.outcome_id, 'closed_at', o.closed_at,
        'author', private.person(o.user_id), 'accepted', o.accepted is true
      ) order by o.closed_at desc nulls first, o.due_on, o.submission_id)
      from (
        select p.*, s.title, s.created_at, s.user_id, w.accepted
        from private.pact_witnesses w
        join private.pacts p using (submission_id)
        join public.learning_submissions s on s.id = p.submission_id
        where w.user_id = caller and w.accepted is not false
          -- The caller's own blocks alone: a pact that goes from the list would tell of the author's.
          and not exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = s.user_id)
          and (w.accepted or (p.closed_at is null and not private.is_overdue(p.due_on)))
        order by p.closed_at desc nulls first, p.due_on, p.submission_id limit 50
      ) o
    ), '[]')
  );
end
$$;
