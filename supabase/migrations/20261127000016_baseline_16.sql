-- Part 16 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- notifications/reading.sql

-- Who joins Realtime after the answer asks whether anything has changed since its `as_of`, in place of the whole bell again.
-- @rpc authenticated
-- The caller's notifications: `items`, newest first, and how many are `unread`. The next page is before the created_at of the last
-- item. `as_of` is a moment since which all changes are worth a new reading.
create function private.my_notifications(before timestamptz default null, page_size integer default 20) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  size constant integer := least(greatest(coalesce(page_size, 20), 1), 50);
begin
  return (
    with groups as (
      select v.kind, v.group_id, v.detail,
        max(v.id) as id, max(v.created_at) as created_at, bool_or(v.read_at is null) as unread,
        count(distinct v.actor_id) as actors,
        (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
        (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
      from private.visible_notifications(caller) v
      -- What has no group stands alone.
      group by v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
    ), page as (
      select g.* from groups g where before is null or g.created_at < before order by g.created_at desc, g.id desc limit size
    )
    select jsonb_build_object(
      'unread', (select least(count(*), 99) from groups g where g.unread),
      -- A transaction under way now may commit rows with a time before now; a member's statement lasts at most 15 seconds.
      'as_of', now() - interval '15 seconds',
      'items', coalesce((
        select jsonb_agg(g.place || jsonb_build_object(
          'id', g.id, 'kind', g.kind, 'created_at', g.created_at, 'unread', g.unread,
          'detail', case g.kind when 'level_up' then g.detail end,
          'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = g.actor_id),
          'others', greatest(g.actors - 1, 0)
        ) order by g.created_at desc, g.id desc) from page g
      ), '[]')
    )
  );
end
$$;
comment on function private.my_notifications(timestamptz, integer) is
  'Up to 50 groups of the caller''s notifications, newest first, and how many are unread, at most 99.';

-- @rpc authenticated
-- The caller has read their notifications up to this moment; with an id only those shown as one with it.
create function private.mark_notifications_read(up_to timestamptz, notification_id bigint default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = caller and n.read_at is null and n.created_at <= up_to
    and (notification_id is null or exists (
      select from public.notifications o
      where o.id = notification_id and o.user_id = caller
        and (o.id = n.id or (o.kind = n.kind and o.group_id = n.group_id))
    ));
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at, read_at)
  select caller, e.kind, e.actor_id, e.subject_id, e.subject_id, e.created_at, clock_timestamp()
  from private.unread_for_everyone(caller) e
  where e.created_at <= up_to and (notification_id is null or e.id = notification_id)
  on conflict do nothing;
end
$$;
comment on function private.mark_notifications_read(timestamptz, bigint) is
  'Marks the caller''s notifications up to a moment as read: all of them, or those shown with the given one.';

-- With what was claimed by nobody for six hours, as where push has no keys.
-- @rpc service_role
-- Server: deletes notifications that are too old to keep.
create function private.purge_notifications() returns void
  language sql security definer set search_path = '' as $$
  delete from public.notifications n
  where n.read_at < now() - interval '90 days' or n.created_at < now() - interval '1 year';
  delete from private.push_outbox o where o.created_at < now() - interval '6 hours'
$$;
comment on function private.purge_notifications() is
  'Deletes notifications 90 days after they were read, and all after a year; and push messages over six hours old.';

-- Both whom one was told by and whom one's own acts were told to are other persons; what they have read is theirs.
create function private.export_part_notifications(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('notifications', coalesce((
    select jsonb_agg(
      to_jsonb(n) - 'user_id' - 'actor_id' - case when n.user_id = member then '' else 'read_at' end
        - case when n.user_id = member then '' else 'group_id' end
      order by n.id
    ) from public.notifications n where member in (n.user_id, n.actor_id)
  ), '[]'))
$$;
comment on function private.export_part_notifications(uuid) is
  'What one account was told of, and what others were told of its acts, without the other persons.';

-- onboarding/answers.sql

-- The saved state of the onboarding wizard.
create table public.onboarding_progress (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_step integer not null default 1
    constraint onboarding_progress_current_step_check check (current_step between 1 and 9),
  completed_steps integer[] not null default '{}' constraint onboarding_progress_completed_steps_check
    check (completed_steps <@ array[1, 2, 3, 4, 5, 6, 7, 8, 9] and cardinality(completed_steps) <= 9),
  data jsonb not null default '{}' constraint onboarding_progress_data_check
    check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 65536),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.onboarding_progress to service_role;
grant select (user_id, current_step, completed_steps, data, updated_at),
  insert (user_id, current_step, completed_steps, data, updated_at),
  update (user_id, current_step, completed_steps, data, updated_at)
  on public.onboarding_progress to authenticated;
comment on table public.onboarding_progress is 'Progress through the nine onboarding steps, one row for each account.';
comment on column public.onboarding_progress.completed_steps is 'Numbers of the completed steps.';
comment on column public.onboarding_progress.data is 'Answers by field key, for filling the forms again; the answers that count are in onboarding_responses.';
alter table public.onboarding_progress enable row level security;

create policy select_own on public.onboarding_progress for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.onboarding_progress for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.onboarding_progress for update to authenticated
  using (user_id = (select auth.uid()));

-- The server sets the time of a change.
create function private.tg_onboarding_progress__stamp() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create trigger onboarding_progress__stamp before insert or update on public.onboarding_progress
  for each row execute function private.tg_onboarding_progress__stamp();

-- The answers that count, one row for each question.
create table public.onboarding_responses (
  user_id uuid not null references auth.users (id) on delete cascade,
  page_number integer not null
    constraint onboarding_responses_page_number_check check (page_number between 1 and 9),
  question text not null
    constraint onboarding_responses_question_check check (char_length(question) between 1 and 200),
  answer text constraint onboarding_responses_answer_check check (char_length(answer) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, page_number, question)
);
grant select, insert, update, delete on public.onboarding_responses to service_role;
grant select (user_id, page_number, question, answer, created_at, updated_at),
  insert (user_id, page_number, question, answer),
  update (user_id, page_number, question, answer)
  on public.onboarding_responses to authenticated;
comment on table public.onboarding_responses is 'Answers given in onboarding; a new answer replaces the old one.';
comment on column public.onboarding_responses.page_number is 'Step of the wizard with the question.';
comment on column public.onboarding_responses.question is 'Field key of the question, such as goals_1_year.';
alter table public.onboarding_responses enable row level security;

create policy select_own on public.onboarding_responses for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.onboarding_responses for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.onboarding_responses for update to authenticated
  using (user_id = (select auth.uid()));

-- The wizard's answers become the profile, so they meet the same rule; and what counts as an answer can be seen.
create function private.tg_onboarding_responses__guard() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  -- An answer under another question would leave its own question without one.
  if tg_op = 'UPDATE' and private.is_outside_caller() then
    new.page_number := old.page_number;
    new.question := old.question;
  end if;
  if new.page_number = 7 and new.question in ('first_name', 'last_name') then
    perform private.require_name(new.answer);
  end if;
  if private.is_outside_caller() and new.user_id = auth.uid() then
    perform private.require_answer(new.page_number, new.question, new.answer);
  end if;
  if tg_op = 'INSERT' and private.is_outside_caller() and new.user_id = auth.uid()
    and (select count(*) from public.onboarding_responses r
         where r.user_id = new.user_id and (r.page_number, r.question) <> (new.page_number, new.question)) >= 60
  then
    perform private.fail('FF110', 'There are more answers than the wizard has questions.');
  end if;
  return new;
end
$$;

create trigger onboarding_responses__guard before insert or update on public.onboarding_responses
  for each row execute function private.tg_onboarding_responses__guard();

-- The answers of steps 6 and 7 that onboarding requires.
create table private.required_answers (
  page_number integer not null,
  question text not null,
  pattern text not null default '\S',
  primary key (page_number, question)
);
comment on table private.required_answers is 'Questions that must be answered before onboarding can be completed.';
comment on column private.required_answers.pattern is 'Regular expression the answer must match.';
alter table private.required_answers enable row level security;

-- Checked when onboarding completes: a live subscription, all required answers, and a document that was not rejected.
create function private.require_onboarding_steps() returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  missing text;
begin
  if not private.has_live_membership(caller) then
    perform private.fail('FF101', 'Onboarding needs an active membership.');
  end if;
  select string_agg(q.question, ',' order by q.page_number, q.question) into missing
  from private.required_answers q
  where not exists (
    select from public.onboarding_responses r
    where r.user_id = caller and r.page_number = q.page_number and r.question = q.question and r.answer ~ q.pattern
      and not private.is_blank(r.answer)
  );
  if missing is not null then
    perform private.fail('FF102', 'Some required questions have not been answered.', missing);
  end if;
  if not exists (
    select from public.user_verifications v where v.user_id = caller and v.status in ('pending', 'approved')
  ) then
    perform private.fail('FF103', 'Onboarding needs an identity document that is pending or approved.');
  end if;
end
$$;
comment on function private.require_onboarding_steps() is 'Raises FF101, FF102 or FF103 unless the caller may complete onboarding.';
grant execute on function private.require_onboarding_steps to authenticated;

-- Members change their profile and their answers after onboarding. What onboarding required stays answered.
create function private.require_answer(page_number integer, question text, answer text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.required_answers q
    where q.page_number = require_answer.page_number and q.question = require_answer.question
      and (coalesce(require_answer.answer, '') !~ q.pattern or private.is_blank(require_answer.answer))
  ) and exists (select from public.profiles p where p.id = auth.uid() and p.onboarding_complete) then
    perform private.fail('FF102', 'Some required questions have not been answered.', require_answer.question);
  end if;
end
$$;
comment on function private.require_answer(integer, text, text) is
  'Raises FF102 when the caller has completed onboarding and the answer would no longer be enough for it.';
grant execute on function private.require_answer to authenticated;

-- pacts/notifications.sql

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

-- pacts/pacts.sql

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
    perform private.fail('FF772', 'A pact has at most three witnesses, and at most nine are asked.');
  end if;
  -- Who is being deleted is waited for, and is no member then.
  perform from public.profiles a where a.id = any (added) order by a.id for key share;
  if exists (select from unnest(added) m where not private.may_witness(m, caller)) then
    perform private.fail('FF773', 'Witnesses are other members of the directory.');
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
    perform private.fail('FF770', 'A pact says what in up to 150 characters, and how one will know in up to 10,000.');
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

-- pacts/reading.sql

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

-- people/collaboration.sql

create function private.is_open_post(created_at timestamptz, closed_at timestamptz) returns boolean
  language sql stable set search_path = '' as $$ select closed_at is null and created_at > now() - interval '60 days' $$;
comment on function private.is_open_post(timestamptz, timestamptz) is 'True until a post is closed, for 60 days at most.';

-- The id is the client's, so that trying again after a lost answer makes no second post. A closed post stays closed.
-- @rpc authenticated (post_id, kind, title, details, topics)
-- Makes an offer or a request under an id of the client's, or changes an open one of the caller.
create function private.save_collaboration_post(post uuid, kind text, title text, details text, topics text[] default '{}') returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  headline constant text := private.trimmed_message(regexp_replace(title, '\s+', ' ', 'g'));
  body constant text := private.trimmed_message(details);
  tidied constant text[] := private.require_topics(coalesce(topics, '{}'));
  keys constant text[] := array(select private.search_key(t) from unnest(tidied) t);
  words constant text := private.search_key(concat_ws(' ', headline, body, array_to_string(tidied, ' ')));
  known private.collaboration_posts;
begin
  if post is null or kind is null or kind not in ('offer', 'request') or headline is null or body is null
    or private.is_blank(headline) or private.is_blank(body) or char_length(headline) > 80 or char_length(body) > 600 then
    perform private.fail('FF830', 'A post is an offer or a request with a title of up to 80 characters and a text of up to 600.');
  end if;
  perform from public.profiles p where p.id = caller for key share;
  perform pg_advisory_xact_lock(hashtextextended('collaboration:' || caller, 0));
  select p.* into known from private.collaboration_posts p where p.id = post for no key update;
  if not found then
    if 5 <= (
      select count(*) from private.collaboration_posts p where p.user_id = caller and private.is_open_post(p.created_at, p.closed_at)
    ) then
      perform private.fail('FF831', 'At most five of your posts are open at a time.');
    end if;
    perform private.enforce_rate_limit(caller, 'collaboration');
    insert into private.collaboration_posts (id, user_id, kind, title, details, topics, topic_keys, search_key)
    values (post, caller, save_collaboration_post.kind, headline, body, tidied, keys, words);
    return;
  end if;
  if known.user_id <> caller or not private.is_open_post(known.created_at, known.closed_at) then
    perform private.fail('FF832', 'There is no such open post of yours.');
  end if;
  if (known.kind, known.title, known.details, known.topics) = (save_collaboration_post.kind, headline, body, tidied) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'collaboration');
  update private.collaboration_posts p
  set kind = save_collaboration_post.kind, title = headline, details = body, topics = tidied, topic_keys = keys,
    search_key = words, edited_at = clock_timestamp()
  where p.id = post;
end
$$;
comment on function private.save_collaboration_post(uuid, text, text, text, text[]) is
  'Makes a post of the caller, or changes an open one; FF300, FF700, FF701 or FF830 to FF832.';

-- Open to former members as well: it only takes back what they said.
-- @rpc authenticated (post_id)
-- Closes an offer or a request of the caller for good.
create function private.close_collaboration_post(post uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  update private.collaboration_posts p set closed_at = coalesce(p.closed_at, clock_timestamp()) where p.id = post and p.user_id = caller;
  if not found then
    perform private.fail('FF832', 'There is no such open post of yours.');
  end if;
end
$$;
comment on function private.close_collaboration_post(uuid) is 'Closes a post of the caller for good. Repeating it does nothing.';

create function private.can_see_posts_of(author uuid, reader uuid) returns boolean
  language sql stable set search_path = '' as $$
  select private.effective_level(author) > 0 and not private.is_blocked_between(author, reader)
    and not exists (select from auth.users u where u.id = author and u.banned_until > now())
$$;
comment on function private.can_see_posts_of(uuid, uuid) is 'True while the author is a member and neither has blocked the other.';

-- @rpc authenticated
-- Open offers and requests of other members, by words that may be misspelt, kind, level of the author and topic; the page after the post
-- after_id.
create function private.collaboration_page(
    search text default null, kind text default null, level integer default null, topic text default null,
    after_id uuid default null, page_size integer default 20
  )
  returns setof jsonb language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  words constant text[] := array(
    select w from string_to_table(private.search_key(left(coalesce(search, ''), 200)), ' ') w where w <> '' limit 6
  );
  topic_key constant text := nullif(private.search_key(left(coalesce(topic, ''), 40)), '');
  after private.collaboration_posts;
begin
  perform private.enforce_rate_limit(caller, 'people');
  if kind not in ('offer', 'request') or level not between 1 and 4 then
    perform private.fail('FF705', 'There is no such filter.');
  end if;
  -- Longer than anything there is to find.
  if char_length(search) > 200 or char_length(topic) > 40 then
    return;
  end if;
  if after_id is not null then
    -- Rows after a post that a block hides would tell that it is still there. Closed ones stay a place to go on from.
    select p.* into after from private.collaboration_posts p
    where p.id = after_id and (p.user_id = caller or private.can_see_posts_of(p.user_id, caller));
    if not found then
      return;
    end if;
  end if;
  perform set_config('pg_trgm.word_similarity_threshold', '0.45', true);
  return query
    select private.describe_post(p) || jsonb_build_object(
      'author', private.describe_member(p.user_id) || jsonb_build_object('level', private.effective_level(p.user_id))
    )
    from private.collaboration_posts p
    where p.closed_at is null and private.is_open_post(p.created_at, p.closed_at) and p.user_id <> caller
      and (collaboration_page.kind is null or p.kind = collaboration_page.kind)
      and (topic_key is null or p.topic_keys @> array[topic_key])
      and (after_id is null or (p.created_at, p.id) < (after.created_at, after.id))
      and not exists (
        select from unnest(words) w
        where p.search_key not like private.like_part(w) and not (w operator(extensions.<%) p.search_key)
      )
      and private.can_see_posts_of(p.user_id, caller)
      and (level is null or private.effective_level(p.user_id) = level)
    order by p.created_at desc, p.id desc
    limit least(greatest(coalesce(page_size, 20), 1), 50);
end
$$;
comment on function private.collaboration_page(text, text, integer, text, uuid, integer) is
  'One page of the open posts of other members that match every filter that is not null, newest first; FF705 for an unknown one. Limited.';

-- @rpc authenticated
-- The caller's own offers and requests, open ones first.
create function private.my_collaboration_posts() returns setof jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  return query
    select private.describe_post(p) from private.collaboration_posts p where p.user_id = caller
    order by private.is_open_post(p.created_at, p.closed_at) desc, p.created_at desc, p.id desc limit 20;
end
$$;
comment on function private.my_collaboration_posts() is 'The caller''s own posts, open ones first, at most 20.';

-- people/directory.sql

-- What members choose to say and show about themselves, who has blocked whom, and the entries of the directory.
create table public.profile_choices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  topics text[] not null default '{}' constraint profile_choices_topics_check check (cardinality(topics) <= 8),
  is_listed boolean not null default true,
  shows_submissions boolean not null default true,
  updated_at timestamptz not null default now(),
  -- What members see of their own achievements, and what their profile shows of them.
  shows_achievements boolean not null default true
);
grant select, insert, update, delete on public.profile_choices to service_role;
grant select (user_id, topics, is_listed, shows_submissions, shows_achievements) on public.profile_choices to authenticated;
comment on table public.profile_choices is 'What a member may be asked about and what their profile shows; without a row nothing and everything. Written by set_profile_choices.';
comment on column public.profile_choices.topics is 'What the member may be asked about, as they typed it; up to eight.';
comment on column public.profile_choices.is_listed is 'Whether the directory lists the member.';
comment on column public.profile_choices.shows_submissions is 'Whether the profile lists the member''s submissions. The feed shows them in any case.';
comment on column public.profile_choices.shows_achievements is 'Whether the profile lists the member''s achievements.';

-- Directory choices and the directory's limit bind the table `profiles` too, not only the functions of the directory: a member who
-- is not listed is read only where they act, and a read of the table counts with the reads of profiles.

create index profile_choices_unlisted_idx on public.profile_choices (user_id) where not is_listed;
alter table public.profile_choices enable row level security;

create policy select_own on public.profile_choices for select to authenticated using (user_id = (select auth.uid()));

-- The blocked member must not learn of it, so no client reads it: my_blocks shows members their own.
create table private.member_blocks (
  user_id uuid not null references auth.users (id) on delete cascade,
  blocked_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  constraint member_blocks_other_check check (user_id <> blocked_id)
);
comment on table private.member_blocks is 'Who has blocked whom. Written by block_member and unblock_member.';
create index member_blocks_blocked_id_idx on private.member_blocks (blocked_id);
alter table private.member_blocks enable row level security;

create function private.is_blocked_between(one uuid, other uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (select from private.member_blocks b where b.user_id = one and b.blocked_id = other)
    or exists (select from private.member_blocks b where b.user_id = other and b.blocked_id = one)
$$;
comment on function private.is_blocked_between(uuid, uuid) is 'True when one of two accounts has blocked the other.';

create function private.require_member() returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not private.caller_is_member() then
    perform private.fail('FF700', 'Only active members can do this.');
  end if;
  return caller;
end
$$;
comment on function private.require_member() is 'The calling member; FF700 for accounts that are not onboarded or not paying.';

create function private.update_directory_entry(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.directory_entries as d (user_id, sort_key, search_key, occupation_key, topic_keys)
  select p.id, private.search_key(l.name),
    private.search_key(concat_ws(' ', l.name, p.occupation, array_to_string(l.topics, ' '))),
    private.search_key(coalesce(p.occupation, '')),
    array(select private.search_key(t) from unnest(l.topics) t)
  from public.profiles p
  left join public.profile_choices c on c.user_id = p.id
  cross join lateral (
    select btrim(concat_ws(' ', p.first_name, p.last_name)) as name, coalesce(c.topics, '{}') as topics
  ) l
  where p.id = member and p.onboarding_complete and p.role <> 'admin' and coalesce(c.is_listed, true)
  on conflict (user_id) do update set
    sort_key = excluded.sort_key, search_key = excluded.search_key,
    occupation_key = excluded.occupation_key, topic_keys = excluded.topic_keys;
  if not found then
    delete from private.directory_entries d where d.user_id = member;
  end if;
end
$$;
comment on function private.update_directory_entry(uuid) is 'Writes the directory''s entry of one account, or deletes it.';

create function private.tg_profiles__update_directory_entry() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_directory_entry(new.id);
  return null;
end
$$;

reset check_function_bodies;
