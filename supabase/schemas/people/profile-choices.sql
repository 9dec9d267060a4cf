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

-- Whoever has written in a room can be blocked, also after their membership lapsed. The answer is the same whether or not
-- that member has blocked the caller.
create function private.require_other_member(caller uuid, member uuid) returns public.profiles
  language plpgsql stable security definer set search_path = '' as $$
declare
  other public.profiles;
begin
  select p.* into other from public.profiles p where p.id = member and (p.onboarding_complete or p.role = 'admin');
  if not found then
    perform private.fail('FF702', 'There is no such member.');
  end if;
  if member = caller then
    perform private.fail('FF703', 'This is your own profile.');
  end if;
  return other;
end
$$;
comment on function private.require_other_member(uuid, uuid) is 'The profile of another account that was onboarded; FF702 without one, FF703 for the caller''s own.';

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
