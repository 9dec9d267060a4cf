-- What members see of pacts. A pact and its outcome are submissions: members who may read those may read these.
create function private.witness_state(witness private.pact_witnesses, pact private.pacts) returns text
  language sql stable set search_path = '' as $$
  select case
    when witness.accepted is false then 'declined'
    when witness.accepted is null and (pact.closed_at is not null or private.is_overdue(pact.due_on)) then 'lapsed'
    when private.effective_level(witness.user_id) = 0
      or exists (select from auth.users u where u.id = witness.user_id and u.banned_until > now())
      -- As for one who left, so that the author cannot tell a block from it.
      or exists (
        select from public.learning_submissions s
        where s.id = witness.submission_id and private.is_blocked_between(witness.user_id, s.user_id)
      ) then 'lapsed'
    when witness.accepted then 'accepted'
    else 'asked'
  end
$$;
comment on function private.witness_state(private.pact_witnesses, private.pacts) is
  'asked, accepted, declined, or lapsed: did not answer in time, is no member now or suspended, or a block stands between witness and author.';

create function private.person(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', p.id, 'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'avatar_url', p.avatar_url
  ) from public.profiles p where p.id = member
$$;
comment on function private.person(uuid) is 'The name and picture of an account.';

-- Open ones first, the next due on top; then what is over, newest first.
-- @rpc authenticated
-- The caller's own pacts, and the pacts the caller is asked to witness.
create function private.my_pacts() returns jsonb
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
comment on function private.my_pacts() is 'The caller''s pacts with their witnesses, and those the caller witnesses or is asked to; at most 50 of each.';

-- One question for a page of the feed. Which witnesses declined is between them and the author.
-- @rpc authenticated (submission_ids)
-- Due day, accepted witnesses and outcome of the pacts among up to 100 submissions.
create function private.pacts_of_submissions(submissions uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'submission_id', i.id, 'pact_id', p.submission_id, 'title', s.title, 'due_on', p.due_on, 'made_at', s.created_at,
      'outcome', p.outcome, 'outcome_id', p.outcome_id, 'closed_at', p.closed_at,
      'witnesses', coalesce((
        select jsonb_agg(private.person(w.user_id) order by w.asked_at, w.user_id)
        from private.pact_witnesses w
        where w.submission_id = p.submission_id and case
          -- The caller is a member, and must not learn here that the author has blocked them.
          when w.user_id = caller then w.accepted
            and not exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = s.user_id)
          else not private.is_blocked_between(caller, w.user_id)
            and private.witness_state(w, (p.submission_id, p.due_on, p.reminded_at, p.outcome, p.outcome_id, p.closed_at)::private.pacts) = 'accepted'
        end
      ), '[]')
    ))
    from (select distinct f.u from (select u from unnest(submissions) u limit 100) f) i (id)
    join lateral (
      select a.* from private.pacts a where a.submission_id = i.id
      union all
      select b.* from private.pacts b where b.outcome_id = i.id
    ) p on true
    join public.learning_submissions s on s.id = p.submission_id
  ), '[]');
end
$$;
comment on function private.pacts_of_submissions(uuid[]) is 'The pact of each of up to 100 submissions that is a pact or the outcome of one.';

-- A pact that was kept stands on the profile, under the choice that shows submissions there.
create function private.kept_pacts(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with kept as (
    select p.*, s.title from private.pacts p join public.learning_submissions s on s.id = p.submission_id
    where s.user_id = member and p.outcome = 'success'
  )
  select jsonb_build_object(
    'count', (select count(*) from kept),
    'newest', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', k.submission_id, 'title', k.title, 'kept_on', (k.closed_at at time zone 'utc')::date
      ) order by k.closed_at desc, k.submission_id)
      from (select * from kept order by closed_at desc, submission_id limit 3) k
    ), '[]')
  )
$$;
comment on function private.kept_pacts(uuid) is 'How many pacts an account has kept, and the newest three.';

-- Who witnessed, and whose pact one witnessed, are other persons.
create function private.export_part_pacts(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'pacts', coalesce((
      select jsonb_agg(to_jsonb(p) order by p.submission_id)
      from private.pacts p join public.learning_submissions s on s.id = p.submission_id where s.user_id = member
    ), '[]'),
    'pact_witnesses', coalesce((
      select jsonb_agg(to_jsonb(w) - 'user_id' - 'submission_id' order by w.asked_at)
      from private.pact_witnesses w where w.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_pacts(uuid) is 'Pacts of one account, and what it answered when asked to witness.';
