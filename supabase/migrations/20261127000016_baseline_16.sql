-- Part 16 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- pacts/pacts.sql

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

create function private.tg_profile_choices__update_directory_entry() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_directory_entry(new.user_id);
  return null;
end
$$;

create trigger profile_choices__update_directory_entry after insert or update on public.profile_choices
  for each row execute function private.tg_profile_choices__update_directory_entry();

-- A block takes what the bell of the one who blocked says of the other with it, and between the two no others are made.
create function private.tg_notifications__drop_blocked() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  return case when private.is_blocked_between(new.user_id, new.actor_id) then null else new end;
end
$$;

-- Administrators cannot be blocked, so a block from before would hide what they write to everyone. Their own blocks stay.
create function private.tg_profiles__unblock_admin() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.member_blocks b where b.blocked_id = new.id;
  return null;
end
$$;

-- people/export.sql

-- Who has blocked the member is theirs alone.
create function private.export_part_people(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'profile_choices', (select to_jsonb(c) from public.profile_choices c where c.user_id = member),
    'member_blocks', coalesce((
      select jsonb_agg(to_jsonb(b) - 'blocked_id' order by b.created_at)
      from private.member_blocks b where b.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_people(uuid) is
  'Choices and blocks of one account, without the other persons.';

-- people/member-profiles.sql

-- The profile shows the pacts a member has kept.
-- @rpc authenticated (member_id)
-- The profile of a member as another sees it; null when there is none to see. Of a member the caller has blocked only the name.
create function private.member_profile(member uuid)
  returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  shown public.profiles;
  choices public.profile_choices;
  has_blocked boolean;
begin
  perform private.enforce_rate_limit(caller, 'people');
  select p.* into shown from public.profiles p where p.id = member and private.has_profile_for(p.id, caller);
  if not found then
    return null;
  end if;
  has_blocked := exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = shown.id);
  if has_blocked then
    return jsonb_build_object(
      'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role, 'is_blocked', true
    );
  end if;
  select c.* into choices from public.profile_choices c where c.user_id = shown.id;
  return jsonb_build_object(
    'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role,
    'occupation', shown.occupation, 'bio', shown.bio, 'avatar_url', shown.avatar_url, 'is_blocked', false,
    'level', private.effective_level(shown.id), 'topics', to_jsonb(coalesce(choices.topics, '{}')),
    'joined_on', (select (u.created_at at time zone 'utc')::date from auth.users u where u.id = shown.id),
    'submissions', case when coalesce(choices.shows_submissions, true) then (
      select jsonb_build_object(
        'count', (select count(*) from public.learning_submissions s where s.user_id = shown.id),
        'newest', coalesce((
          select jsonb_agg(jsonb_build_object(
            'id', n.id, 'type', n.submission_type, 'title', n.title, 'created_at', n.created_at
          ) order by n.created_at desc, n.id desc)
          from (
            select s.* from public.learning_submissions s where s.user_id = shown.id
            order by s.created_at desc, s.id desc limit 5
          ) n
        ), '[]')
      )
    ) end,
    'kept_pacts', case when coalesce(choices.shows_submissions, true) then private.kept_pacts(shown.id) end,
    'achievements', case when coalesce(choices.shows_achievements, true) then private.earned_achievements(shown.id) end,
    'texts', private.written_texts(shown.id, caller)
  );
end
$$;
comment on function private.member_profile(uuid) is
  'What a member sees of another, or null: no such member, not a member now, suspended, or has blocked the caller. Limited.';

create function private.like_part(word text) returns text
  language sql immutable set search_path = '' as $$
  select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
$$;
comment on function private.like_part(text) is 'The pattern of LIKE for texts that hold the word. Wildcards in it are ordinary characters.';

-- Written as text, so that each combination of filters gets its own plan. Every value is quoted. The words of a search may
-- be misspelt; members whose entry holds them as they are come first.
-- @rpc authenticated
-- Members: who is here, by words that may be misspelt, level, role, occupation and topic; best matches first, then by name; the page
-- after the member after_id.
create function private.people_page(
    search text default null, level integer default null, role text default null, occupation text default null,
    topic text default null, after_id uuid default null, page_size integer default 24
  )
  returns table(user_id uuid, name text, role_name text, occupation_name text, avatar_url text, member_level integer, topics text[]) language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  words text[];
  rules text[];
  tier text := '0';
  after private.directory_entries;
  after_tier integer;
begin
  perform private.enforce_rate_limit(caller, 'people');
  if role not in ('student', 'mentor') or level not between 1 and 4 then
    perform private.fail('FF705', 'There is no such filter.');
  end if;
  -- Longer than anything there is to find.
  if char_length(search) > 200 or char_length(occupation) > 150 or char_length(topic) > 40 then
    return;
  end if;
  rules := array[
    'exists (select from private.live_memberships m where m.user_id = d.user_id)',
    'not exists (select from auth.users u where u.id = d.user_id and u.banned_until > now())',
    format('not private.is_blocked_between(d.user_id, %L)', caller)
  ];
  words := array(
    select w from string_to_table(private.search_key(coalesce(search, '')), ' ') w where w <> '' limit 6
  );
  if cardinality(words) > 0 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.45', true);
    tier := (
      select format('case when %s then 0 else 1 end', string_agg(format('d.search_key like %L', private.like_part(w)), ' and '))
      from unnest(words) w
    );
    rules := rules || array(
      select format('(d.search_key like %L or %L operator(extensions.<%%) d.search_key)', private.like_part(w), w)
      from unnest(words) w
    );
  end if;
  if btrim(occupation) <> '' then
    rules := rules || format('d.occupation_key like %L', private.like_part(private.search_key(occupation)));
  end if;
  if btrim(topic) <> '' then
    rules := rules || format('d.topic_keys @> array[%L]', private.search_key(topic));
  end if;
  if level is not null then
    rules := rules || format(
      'coalesce((select l.current_level from public.user_levels l where l.user_id = d.user_id), 1) = %s', level
    );
  end if;
  if role is not null then
    rules := rules || format('(select p.role from public.profiles p where p.id = d.user_id) = %L', role);
  end if;
  if after_id is not null then
    -- Of a member whom the caller does not find here the order of names would tell that they are still listed. The first
    -- three rules are about who is found at all.
    execute format('select d.* from private.directory_entries d where d.user_id = %L and %s',
      after_id, array_to_string(rules[1:3], ' and ')) into after;
    if after.user_id is null then
      return;
    end if;
    if tier = '0' then
      rules := rules || format('(d.sort_key, d.user_id) > (%L, %L::uuid)', after.sort_key, after_id);
    else
      execute format('select %s from private.directory_entries d where d.user_id = %L', tier, after_id) into after_tier;
      rules := rules || format('(%s, d.sort_key, d.user_id) > (%s, %L, %L::uuid)', tier, after_tier, after.sort_key, after_id);
    end if;
  end if;
  return query execute format(
    'select d.user_id, btrim(concat_ws('' '', p.first_name, p.last_name)), p.role, p.occupation, p.avatar_url,
       coalesce(l.current_level, 1), coalesce(c.topics, ''{}'')
     from (
       select d.user_id, d.sort_key, %2$s as tier from private.directory_entries d where %1$s
       order by %3$s d.sort_key, d.user_id limit %4$s
     ) d
     join public.profiles p on p.id = d.user_id
     left join public.user_levels l on l.user_id = d.user_id
     left join public.profile_choices c on c.user_id = d.user_id
     order by d.tier, d.sort_key, d.user_id',
    array_to_string(rules, ' and '), tier, case when tier = '0' then '' else tier || ',' end,
    least(greatest(coalesce(page_size, 24), 1), 50)
  );
end
$$;
comment on function private.people_page(text, integer, text, text, text, uuid, integer) is
  'One page of the members who are listed and match every filter that is not null; FF705 for an unknown one. Limited.';

-- people/profile-choices.sql

-- Members set what their profile says and shows, and block each other.
create function private.require_topics(topics text[]) returns text[]
  language plpgsql immutable set search_path = '' as $$
declare
  tidied text[];
begin
  -- One spelling of each, in the order given.
  select coalesce(array_agg(t.topic order by t.place), '{}') into tidied
  from (
    select distinct on (private.search_key(w.topic)) w.topic, w.place
    from (
      select private.trimmed_message(regexp_replace(g.topic, '\s+', ' ', 'g')) as topic, g.place
      from unnest(topics) with ordinality as g (topic, place)
    ) w
    where w.topic <> ''
    order by private.search_key(w.topic), w.place
  ) t;
  if cardinality(tidied) > 8 or exists (
    select from unnest(tidied) t where char_length(t) > 40 or t ~ '[[:cntrl:]]' or private.is_blank(t)
  ) then
    perform private.fail('FF701', 'Name up to eight topics of at most 40 characters each.');
  end if;
  return tidied;
end
$$;
comment on function private.require_topics(text[]) is 'The topics without repetitions and white space; FF701 when they are too many or too long.';

-- @rpc authenticated (member_id)
-- Hides the caller and another member from each other, and deletes what the caller's bell says of the other.
create function private.block_member(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  other public.profiles := private.require_other_member(caller, member);
begin
  if other.role = 'admin' then
    perform private.fail('FF704', 'Administrators look after the community and cannot be blocked.');
  end if;
  perform private.enforce_rate_limit(caller, 'block');
  insert into private.member_blocks (user_id, blocked_id) values (caller, member) on conflict do nothing;
  -- The caller's alone: a line that goes from the other's bell would tell them of the block.
  delete from public.notifications n where n.user_id = caller and n.actor_id = member;
end
$$;
comment on function private.block_member(uuid) is 'Hides the caller and another member from each other. Repeating it does nothing.';

-- Open to former members as well: it only takes back what they did.
-- @rpc authenticated (member_id)
-- Takes back the caller's block of a member.
create function private.unblock_member(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  delete from private.member_blocks b where b.user_id = caller and b.blocked_id = member;
end
$$;
comment on function private.unblock_member(uuid) is 'Takes back the caller''s block of a member.';

-- @rpc authenticated
-- Whom the caller has blocked, newest first.
create function private.my_blocks() returns table (member_id uuid, name text, avatar_url text, created_at timestamptz)
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select b.blocked_id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url, b.created_at
    from private.member_blocks b left join public.profiles p on p.id = b.blocked_id
    where b.user_id = private.require_caller()
    order by b.created_at desc, b.blocked_id;
end
$$;
comment on function private.my_blocks() is 'Whom the caller has blocked, newest first.';

-- people/unlisted.sql

create function private.unlisted_members() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select c.user_id from public.profile_choices c where not c.is_listed;
end
$$;
comment on function private.unlisted_members() is 'Accounts that chose not to be in the directory.';
grant execute on function private.unlisted_members to authenticated;

create function private.caller_company() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select l.user_id from private.room_leases l
      where l.expires_at > now() and l.chat_room_id = any (private.caller_room_ids())
    union all
    select n.actor_id from public.notifications n where n.user_id = auth.uid() and n.actor_id is not null;
end
$$;
comment on function private.caller_company() is
  'Accounts that are in a room the calling account may enter, or of whose acts it was told.';
grant execute on function private.caller_company to authenticated;

-- With the caller's rights on purpose: each table's own policies say what the caller may see of a member. One look into each
-- table for each unlisted member, never over all rows of a table.
create function private.caller_hidden_members() returns setof uuid
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select u.id from private.unlisted_members() u (id)
    left join lateral (select true as is_there from public.chat_messages m where m.user_id = u.id limit 1) m on true
    left join lateral (select true as is_there from public.learning_submissions s where s.user_id = u.id limit 1) s on true
    left join lateral (
      select true as is_there from public.learning_submission_comments c where c.user_id = u.id limit 1
    ) c on true
    left join lateral (select true as is_there from public.articles a where a.author_id = u.id limit 1) a on true
    left join lateral (select true as is_there from public.courses k where k.mentor_id = u.id limit 1) k on true
    left join lateral (select true as is_there from public.direct_messages d where d.user_id = u.id limit 1) d on true
    where coalesce(m.is_there, s.is_there, c.is_there, a.is_there, k.is_there, d.is_there) is null
      and u.id not in (select private.caller_company());
end
$$;
comment on function private.caller_hidden_members() is
  'Unlisted accounts of whom the calling account may read nothing they wrote or did, and whom it meets in no room now.';
grant execute on function private.caller_hidden_members to authenticated;

create function private.count_profile_read() returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(auth.uid(), 'people');
end
$$;
comment on function private.count_profile_read() is
  'Counts a read of the table profiles of the calling account with those of the directory; FF300 above the limit.';
grant execute on function private.count_profile_read to authenticated;

-- profiles/deletion.sql

-- The audit log records that an account existed and when it was deleted. Its data is deleted with it.
create function private.tg_profiles__record_deletion() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(null, 'profile.deleted', old.id, jsonb_build_object('role', old.role));
  return old;
end
$$;

-- Removes data of an account outside its own rows. docs/subsystems/access.md lists what is kept, and why.

-- The auth service logs every sign-in with account id and e-mail address. Entries that contain either are deleted.
create function private.erase_auth_records(member uuid, address text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.audit_log_entries e
  where (
      position(member::text in e.payload::text) > 0
      or (address <> '' and position(lower(address) in lower(e.payload::text)) > 0)
    )
    and jsonb_path_exists(
      e.payload::jsonb, '$.** ? (@ == $member || @ == $address)',
      jsonb_build_object('member', member, 'address', address)
    );
  -- Has no foreign key to the account where the auth service created the table.
  delete from auth.flow_state f where f.user_id = member;
end
$$;
comment on function private.erase_auth_records(uuid, text) is 'Deletes a removed account from the auth service''s audit log and sign-in flows.';

create function private.tg_users__erase() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.erase_auth_records(old.id, coalesce(old.email, ''));
  return null;
end
$$;

create trigger users__erase after delete on auth.users
  for each row execute function private.tg_users__erase();

-- profiles/names.sql

-- Names that people can read: at least one visible letter, nothing that can't be seen or turns the text around it.
create function private.is_name(content text) returns boolean
language sql immutable set search_path = '' as $$
  select
    -- No controls, no marks of direction, nothing of no width but the joiners that Persian and Indian names are written with.
    content !~ ('[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff'
      '\ufff9-\ufffb\U000e0000-\U000e0fff]')
    -- A letter: what is left without blanks, marks, digits, punctuation, symbols and pictures, whatever the locale counts as one.
    and content ~ ('[^\s\u0001-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
      '\u02c2-\u02df\u02e5-\u036f\u0483-\u0489\u0591-\u05c7\u0600-\u061f\u064b-\u066d\u0670\u06d4\u06d6-\u06ed\u06f0-\u06f9'
      '\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962-\u096f\u0e31\u0e34-\u0e3f\u0e47-\u0e5b'
      '\u0981-\u0983\u09bc\u09be-\u09cd\u09d5-\u09d7\u09e2-\u09ef\u0a01-\u0a03\u0a3c\u0a3e-\u0a4d\u0a55-\u0a57'
      '\u0a62-\u0a6f\u0a81-\u0a83\u0abc\u0abe-\u0acd\u0ad5-\u0ad7\u0ae2-\u0aef\u0b01-\u0b03\u0b3c\u0b3e-\u0b4d'
      '\u0b55-\u0b57\u0b62-\u0b6f\u0b81-\u0b83\u0bbc\u0bbe-\u0bcd\u0bd5-\u0bd7\u0be2-\u0bef\u0c01-\u0c03\u0c3c'
      '\u0c3e-\u0c4d\u0c55-\u0c57\u0c62-\u0c6f\u0c81-\u0c83\u0cbc\u0cbe-\u0ccd\u0cd5-\u0cd7\u0ce2-\u0cef\u0d01-\u0d03'
      '\u0d3c\u0d3e-\u0d4d\u0d55-\u0d57\u0d62-\u0d6f\u0d81-\u0d83\u0dca-\u0def\u0df2-\u0df4\u0eb1\u0eb4-\u0ebc'
      '\u0ec8-\u0ed9\u0f00-\u0f3f\u0f71-\u0f87\u0f8d-\u0fff\u102b-\u103e\u1040-\u104f\u1056-\u1059'
      '\u115f\u1160\u1680\u17b4-\u17d6\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u20ff\u2190-\u2bff\u2e00-\u2e7f'
      '\u3000-\u3004\u3008-\u3020\u302a-\u3030\u303d-\u303f\u3099-\u309c\u30a0\u30fb\u3164\ua66f-\ua67d'
      '\ue000-\uf8ff\ufe00-\ufe6f\uff01-\uff20\uff3b-\uff40\uff5b-\uff65\uffa0\uffe0-\uffff'
      '\U0001f000-\U0001faff\U000e0000-\U0010ffff]')
    -- Accents stand one, two or three on a letter; piled higher they cover the lines above and below.
    and content !~ '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4}'
$$;
comment on function private.is_name(text) is 'True when a name has a visible letter and no characters that cannot be seen, turn the text around them, or pile up.';

create function private.require_name(given text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  -- Nothing, or spaces alone, is no name yet; where one is required is asked elsewhere.
  if btrim(given) <> '' and not private.is_name(given) then
    perform private.fail('FF104', 'A name needs a letter, and no characters that can''t be seen.');
  end if;
end
$$;
comment on function private.require_name(text) is 'Raises FF104 for what is not a name; nothing for none.';
grant execute on function private.require_name to authenticated, service_role;

create function private.tg_profiles__check_names() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.require_name(new.first_name);
  perform private.require_name(new.last_name);
  return new;
end
$$;

reset check_function_bodies;
