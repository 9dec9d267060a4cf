-- Pacts: what a member commits to in a submission of that type, by when, and who will ask about it.
-- Nobody has a privilege on the tables: what one may see and do is decided by the functions.
create table private.pacts (
  submission_id uuid primary key references public.learning_submissions (id) on delete cascade,
  due_on date not null,
  reminded_at timestamptz,
  outcome text constraint pacts_outcome_check check (outcome in ('success', 'failure', 'progress_report')),
  outcome_id uuid references public.learning_submissions (id) on delete set null,
  closed_at timestamptz,
  constraint pacts_closed_check check ((outcome is null) = (closed_at is null)),
  constraint pacts_outcome_known_check check (outcome_id is null or outcome is not null)
);
comment on table private.pacts is 'The due day and the outcome of a submission of the type pact.';
comment on column private.pacts.due_on is 'The last day, in UTC.';
comment on column private.pacts.reminded_at is 'When the member and the witnesses were reminded.';
comment on column private.pacts.outcome is 'The type of the submission that closed it: kept, not kept, or partly.';
comment on column private.pacts.outcome_id is 'That submission; null while open, and when it was deleted.';
create unique index pacts_outcome_id_key on private.pacts (outcome_id);
create index pacts_due_idx on private.pacts (due_on) where closed_at is null and reminded_at is null;
alter table private.pacts enable row level security;

create table private.pact_witnesses (
  submission_id uuid not null references private.pacts (submission_id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  asked_at timestamptz not null default clock_timestamp(),
  accepted boolean,
  answered_at timestamptz,
  primary key (submission_id, user_id),
  constraint pact_witnesses_answered_check check ((accepted is null) = (answered_at is null))
);
comment on table private.pact_witnesses is 'Members who were asked to witness a pact, and what each answered.';
comment on column private.pact_witnesses.accepted is 'Null until the member has answered.';
create index pact_witnesses_user_id_idx on private.pact_witnesses (user_id, asked_at);
alter table private.pact_witnesses enable row level security;

create function private.is_overdue(due_on date) returns boolean
  language sql stable set search_path = '' as $$ select now() >= (due_on + 1)::timestamp at time zone 'utc' $$;
comment on function private.is_overdue(date) is 'True once the day is over in UTC.';

-- Listed members only, as for mentions: those who left the directory are not to be found here either.
create function private.may_witness(member uuid, author uuid) returns boolean
  language sql stable set search_path = '' as $$
  select member <> author and not private.is_blocked_between(member, author)
    and exists (select from private.directory_entries d where d.user_id = member)
    and not exists (select from auth.users u where u.id = member and u.banned_until > now())
    and private.effective_level(member) >= 1
    and 3 > (
      select count(*) from private.pact_witnesses w
      join private.pacts p using (submission_id) join public.learning_submissions s on s.id = p.submission_id
      where w.user_id = member and w.accepted is null and s.user_id = author and p.closed_at is null and not private.is_overdue(p.due_on)
    )
$$;
comment on function private.may_witness(uuid, uuid) is 'True for a listed member other than the author, without a block between them and with fewer than three unanswered requests of the author.';

-- The profile first, as a deletion of the account does.
create function private.require_own_pact(pact uuid, member uuid) returns private.pacts
  language plpgsql volatile set search_path = '' as $$
declare
  found_pact private.pacts;
begin
  perform from public.profiles a where a.id = member for key share;
  select p.* into found_pact from private.pacts p
  where p.submission_id = pact
    and exists (select from public.learning_submissions s where s.id = pact and s.user_id = member)
  for update;
  if not found then
    perform private.fail('FF776', 'There is no such pact of yours.');
  end if;
  return found_pact;
end
$$;
comment on function private.require_own_pact(uuid, uuid) is 'The pact of the account, locked; FF776 for any other.';

-- Asking again changes nothing. Three may be asked at a time; one who declined gives the place to another.
-- @rpc authenticated (pact_id, witnesses)
-- Asks up to three members to witness the caller's open pact. They accept themselves.
create function private.ask_witnesses(pact uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  asked constant private.pacts := private.require_own_pact(pact, caller);
  added uuid[];
begin
  if asked.closed_at is not null or private.is_overdue(asked.due_on) then
    perform private.fail('FF775', 'This pact is over.');
  end if;
  added := array(
    select distinct m from unnest(members[1:10]) m
    where m is not null and not exists (select from private.pact_witnesses w where w.submission_id = pact and w.user_id = m)
    order by m
  );
  if cardinality(added) = 0 then
    return;
  end if;
  if cardinality(added) + (
    select greatest(count(*) filter (where w.accepted is not false), count(*) - 6)
    from private.pact_witnesses w where w.submission_id = pact
  ) > 3 then
    perform private.fail('FF772', 'A pact has at most three witnesses, and you can ask at most nine members.');
  end if;
  -- Who is being deleted is waited for, and is no member then.
  perform from public.profiles a where a.id = any (added) order by a.id for key share;
  if exists (select from unnest(added) m where not private.may_witness(m, caller)) then
    perform private.fail('FF773', 'Ask other members of the directory to be witnesses.');
  end if;
  perform private.enforce_rate_limit(caller, 'witness');
  insert into private.pact_witnesses (submission_id, user_id) select pact, m from unnest(added) m;
end
$$;
comment on function private.ask_witnesses(uuid, uuid[]) is
  'Asks members to witness the caller''s open pact; FF772 above three at a time, FF773 for who cannot, FF775, FF776 or FF300.';

-- The id is the client's, so that trying again after a lost answer makes no second pact.
-- @rpc authenticated (pact_id, title, content, due_on, witnesses)
-- Makes a pact: a submission that says what the caller will do, by when, and how one will know.
create function private.make_pact(pact uuid, promise text, proof text, due date, witnesses uuid[] default '{}') returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  headline constant text := private.trimmed_message(promise);
  details constant text := private.trimmed_message(proof);
  today constant date := (now() at time zone 'utc')::date;
begin
  perform pg_advisory_xact_lock(hashtextextended('pact:' || pact, 0));
  if exists (
    select from private.pacts p join public.learning_submissions s on s.id = p.submission_id
    where p.submission_id = pact and s.user_id = caller
  ) then
    return;
  end if;
  if headline is null or details is null or private.is_blank(headline) or private.is_blank(details)
    or char_length(headline) > 150 or char_length(details) > 10000 then
    perform private.fail('FF770', 'Say in up to 150 characters what you will do, and in up to 10,000 how you will know that it is done.');
  end if;
  if due is null or due < today or due > today + 366 then
    perform private.fail('FF771', 'A pact is due within a year.');
  end if;
  perform private.enforce_rate_limit(caller, 'submission');
  insert into public.learning_submissions (id, user_id, submission_type, title, content, created_at)
  values (coalesce(pact, gen_random_uuid()), caller, 'pact', headline, details, clock_timestamp())
  on conflict do nothing returning id into pact;
  if not found then
    perform private.fail('FF776', 'There is no such pact of yours.');
  end if;
  insert into private.pacts (submission_id, due_on) values (pact, due);
  perform private.ask_witnesses(pact, witnesses);
end
$$;
comment on function private.make_pact(uuid, text, text, date, uuid[]) is
  'Shares a submission of the type pact with a due day and asks its witnesses, all or nothing; FF770 to FF773, FF776 or FF300.';

-- Declining is final, because the place may have gone to another. One who accepted may still step back.
-- @rpc authenticated (pact_id, accepts)
-- Accepts or declines to witness a pact.
create function private.answer_witness(pact uuid, accepts boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  wanted constant boolean := coalesce(accepts, false);
  given private.pact_witnesses;
  witnessed private.pacts;
begin
  perform from public.profiles a where a.id = caller for key share;
  select p.* into witnessed from private.pacts p where p.submission_id = pact for share;
  select w.* into given from private.pact_witnesses w where w.submission_id = pact and w.user_id = caller for update;
  -- Blocks of the author are not asked about: the answer would tell of them. It reaches nobody then.
  if not found or (wanted and given.accepted is false) or exists (
    select from private.member_blocks b join public.learning_submissions s on s.user_id = b.blocked_id
    where b.user_id = caller and s.id = pact
  ) then
    perform private.fail('FF774', 'You are not asked to witness this pact.');
  end if;
  if given.accepted is not distinct from wanted then
    return;
  end if;
  if witnessed.closed_at is not null or (wanted and private.is_overdue(witnessed.due_on)) then
    perform private.fail('FF775', 'This pact is over.');
  end if;
  update private.pact_witnesses w set accepted = wanted, answered_at = clock_timestamp()
  where w.submission_id = pact and w.user_id = caller;
end
$$;
comment on function private.answer_witness(uuid, boolean) is
  'What the caller answers to being asked as a witness; FF774 for who is not asked, has declined or has blocked the author, FF775 when the pact is over.';

-- The outcome is a submission the member shares after the pact, so an old one cannot be passed off as it.
create function private.close_pact(pact uuid, result uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  closed constant private.pacts := private.require_own_pact(pact, caller);
  shared public.learning_submissions;
begin
  if closed.outcome_id = result then
    return;
  end if;
  if closed.closed_at is not null then
    perform private.fail('FF775', 'This pact is over.');
  end if;
  select s.* into shared from public.learning_submissions s
  where s.id = result and s.user_id = caller and s.submission_type in ('success', 'failure', 'progress_report')
    and s.created_at >= (select m.created_at from public.learning_submissions m where m.id = pact)
  for no key update;
  if not found or exists (select from private.pacts p where p.outcome_id = result) then
    perform private.fail('FF777', 'The outcome of a pact is a success, a failure or a progress report shared after it.');
  end if;
  update private.pacts p set outcome = shared.submission_type, outcome_id = shared.id, closed_at = clock_timestamp()
  where p.submission_id = pact;
end
$$;
comment on function private.close_pact(uuid, uuid) is
  'Closes the caller''s pact with a submission that tells how it went; FF775 when it is closed, FF776 or FF777.';
grant execute on function private.close_pact to authenticated;
