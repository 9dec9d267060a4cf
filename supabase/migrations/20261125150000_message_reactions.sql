-- Reactions to messages beside the like: five fixed ones, each once for a member and message. Their numbers are kept on the
-- message, so that a page reads them without a join and the live row carries them.
create table public.message_reactions (
  user_id uuid not null references auth.users (id) on delete cascade,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  reaction text not null constraint message_reactions_reaction_check
    check (reaction in ('applause', 'celebrate', 'insight', 'laugh', 'thanks')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id, reaction)
);
revoke all on table public.message_reactions from public, anon, authenticated, service_role;
grant select, insert, update, delete on table public.message_reactions to service_role;
comment on table public.message_reactions is 'Reactions to messages; chat_messages.reaction_counts holds their numbers. Likes are in message_likes.';
create index message_reactions_message_id_idx on public.message_reactions (message_id);
alter table public.message_reactions enable row level security;
grant select (user_id, message_id, reaction, created_at), insert (user_id, message_id, reaction)
  on public.message_reactions to authenticated;
grant delete on public.message_reactions to authenticated;
create policy select_own on public.message_reactions for select to authenticated
  using (user_id = (select auth.uid()));
create policy insert_own on public.message_reactions for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy delete_own on public.message_reactions for delete to authenticated
  using (user_id = (select auth.uid()));

alter table public.chat_messages add column reaction_counts jsonb not null default '{}'
  constraint chat_messages_reaction_counts_check check (jsonb_typeof(reaction_counts) = 'object');
comment on column public.chat_messages.reaction_counts is 'How many members gave each reaction, without those nobody gave; kept by triggers.';
comment on column public.chat_messages.changed_at is
  'When it was last written, edited, deleted, liked, unliked or reacted to. Clients fetch later changes after a lost connection.';
grant select (reaction_counts) on public.chat_messages to authenticated;

insert into private.rate_limits (action, max_count, period) values ('reaction', 120, '1 minute'), ('reactors', 120, '1 minute');

-- Takes no lock: the counting trigger takes its locks later, in order.
create function private.require_reaction_allowed(message uuid, reaction text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.chat_messages m
    where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  ) then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if not exists (
    select from public.message_reactions r
    where r.user_id = caller and r.message_id = message and r.reaction = require_reaction_allowed.reaction
  ) then
    perform private.enforce_rate_limit(caller, 'reaction');
  end if;
end
$$;
revoke all on function private.require_reaction_allowed from public, anon, authenticated, service_role;
comment on function private.require_reaction_allowed(uuid, text) is 'Raises FF316 or FF300 unless the caller may react to this message now.';
grant execute on function private.require_reaction_allowed(uuid, text) to authenticated;

create function private.tg_message_reactions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id is not distinct from auth.uid() then
    perform private.require_reaction_allowed(new.message_id, new.reaction);
  end if;
  return new;
end
$$;
revoke all on function private.tg_message_reactions__guard_insert from public, anon, authenticated, service_role;
create trigger message_reactions__guard_insert before insert on public.message_reactions
  for each row execute function private.tg_message_reactions__guard_insert();

-- The same event as a like, with the same reference, so that liking and reacting to one message count once together. Reacting
-- to your own message is not a progress event.
create function private.tg_message_reactions__add_progress_events() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(e.user_id, 'like', e.message_id::text)
  from (
    select distinct c.user_id, c.message_id from changed c join public.chat_messages m on m.id = c.message_id
    where m.user_id <> c.user_id
  ) e;
  return null;
end
$$;
revoke all on function private.tg_message_reactions__add_progress_events from public, anon, authenticated, service_role;
create trigger message_reactions__add_progress_events after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__add_progress_events();

create function private.add_reaction_counts(counts jsonb, added jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(s.reaction, s.total), '{}')
  from (
    select e.key as reaction, sum(e.value::integer) as total
    from (select * from jsonb_each_text(counts) union all select * from jsonb_each_text(added)) e
    group by e.key
  ) s
  where s.total > 0
$$;
revoke all on function private.add_reaction_counts from public, anon, authenticated, service_role;
comment on function private.add_reaction_counts(jsonb, jsonb) is 'The counts with the differences added, without those that are 0.';

-- Adds the difference instead of counting again, which stays exact under concurrency. Messages are locked in the order
-- of their ids, so that two statements over several messages cannot deadlock.
create function private.tg_message_reactions__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_messages m where m.id in (select c.message_id from changed c)
    order by m.id for no key update;
  update public.chat_messages m set reaction_counts = private.add_reaction_counts(m.reaction_counts, t.added)
  from (
    select k.message_id, jsonb_object_agg(k.reaction, sign * k.n) as added
    from (
      select c.message_id, c.reaction, count(*)::integer as n from changed c group by c.message_id, c.reaction
    ) k
    group by k.message_id
  ) t
  where m.id = t.message_id;
  return null;
end
$$;
revoke all on function private.tg_message_reactions__count from public, anon, authenticated, service_role;
create trigger message_reactions__count_given after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__count();
create trigger message_reactions__count_taken_back after delete on public.message_reactions
  referencing old table as changed for each statement execute function private.tg_message_reactions__count();

-- Pages of messages: the counts come with the row; the caller's own reactions are looked up for messages that have any.
alter type public.room_message add attribute reaction_counts jsonb, add attribute my_reactions text[];

create or replace function private.present_messages(page public.chat_messages[])
  returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author, a.avatar_url, m.reaction_counts,
    case when m.reaction_counts = '{}' then '{}' else array(
      select r.reaction from public.message_reactions r
      where r.user_id = (select auth.uid()) and r.message_id = m.id order by r.reaction
    ) end
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;

-- Who reacted. Those whom the caller has blocked are left out; a blocked member sees everyone, or a gap would tell.
create function private.message_reactors(message uuid)
  returns table (reaction text, user_id uuid, first_name text, last_name text)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.chat_messages m
    where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  ) then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.enforce_rate_limit(caller, 'reactors');
  return query
    select g.reaction, p.id, p.first_name, p.last_name
    from (
      select 'like' as reaction, l.user_id, l.created_at from public.message_likes l where l.message_id = message
      union all
      select r.reaction, r.user_id, r.created_at from public.message_reactions r where r.message_id = message
    ) g
    join public.profiles p on p.id = g.user_id
    where not exists (
      select from private.member_blocks b where b.user_id = caller and b.blocked_id = g.user_id
    )
    order by g.created_at, p.id limit 200;
end
$$;
revoke all on function private.message_reactors from public, anon, authenticated, service_role;
comment on function private.message_reactors(uuid) is
  'Who liked a message or reacted to it, first ones first, at most 200; raises FF316 unless the caller may read it, FF300 above the rate.';
grant execute on function private.message_reactors(uuid) to authenticated;
create function public.message_reactors(message_id uuid)
  returns table (reaction text, user_id uuid, first_name text, last_name text)
  language sql volatile set search_path = '' as $$ select * from private.message_reactors(message_id) $$;
revoke all on function public.message_reactors from public, anon, authenticated, service_role;
comment on function public.message_reactors(uuid) is 'Names of those who liked a message (like) or reacted to it.';
grant execute on function public.message_reactors(uuid) to authenticated;

create function private.export_part_reactions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('message_reactions', coalesce((
    select jsonb_agg(to_jsonb(r) order by r.created_at, r.message_id, r.reaction)
    from public.message_reactions r where r.user_id = member
  ), '[]'))
$$;
revoke all on function private.export_part_reactions from public, anon, authenticated, service_role;
comment on function private.export_part_reactions(uuid) is 'Reactions of one account.';
