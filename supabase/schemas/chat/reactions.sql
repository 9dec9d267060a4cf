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
grant select, insert, update, delete on public.message_reactions to service_role;
grant delete,
  select (user_id, message_id, reaction, created_at),
  insert (user_id, message_id, reaction)
  on public.message_reactions to authenticated;
comment on table public.message_reactions is 'Reactions to messages; chat_messages.reaction_counts holds their numbers. Likes are in message_likes.';
create index message_reactions_message_id_idx on public.message_reactions (message_id);
alter table public.message_reactions enable row level security;

create policy select_own on public.message_reactions for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.message_reactions for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy delete_own on public.message_reactions for delete to authenticated
  using (user_id = (select auth.uid()));

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
comment on function private.require_reaction_allowed(uuid, text) is 'Raises FF316 or FF300 unless the caller may react to this message now.';
grant execute on function private.require_reaction_allowed to authenticated;

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
create trigger message_reactions__count_given after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__count();

create trigger message_reactions__count_taken_back after delete on public.message_reactions
  referencing old table as changed for each statement execute function private.tg_message_reactions__count();

-- Who reacted. Those whom the caller has blocked are left out; a blocked member sees everyone, or a gap would tell.
-- @rpc authenticated (message_id)
-- Names of those who liked a message (like) or reacted to it.
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
comment on function private.message_reactors(uuid) is
  'Who liked a message or reacted to it, first ones first, at most 200; raises FF316 unless the caller may read it, FF300 above the rate.';

create function private.export_part_reactions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('message_reactions', coalesce((
    select jsonb_agg(to_jsonb(r) order by r.created_at, r.message_id, r.reaction)
    from public.message_reactions r where r.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_reactions(uuid) is 'Reactions of one account.';
