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
revoke all on function private.require_topics from public, anon, authenticated, service_role;
comment on function private.require_topics(text[]) is 'The topics without repetitions and white space; FF701 when they are too many or too long.';

create function private.set_profile_choices(topics text[], is_listed boolean, shows_submissions boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  tidied text[] := private.require_topics(topics);
begin
  perform private.enforce_rate_limit(caller, 'profile_choices');
  insert into public.profile_choices as c (user_id, topics, is_listed, shows_submissions)
  values (caller, tidied, coalesce(set_profile_choices.is_listed, true), coalesce(set_profile_choices.shows_submissions, true))
  on conflict (user_id) do update set
    topics = excluded.topics, is_listed = excluded.is_listed, shows_submissions = excluded.shows_submissions,
    updated_at = now();
end
$$;
revoke all on function private.set_profile_choices from public, anon, authenticated, service_role;
comment on function private.set_profile_choices(text[], boolean, boolean) is 'Stores what the caller may be asked about and what their profile shows.';
grant execute on function private.set_profile_choices(text[], boolean, boolean) to authenticated;
create function public.set_profile_choices(topics text[], is_listed boolean, shows_submissions boolean) returns void
  language sql volatile set search_path = '' as $$
  select private.set_profile_choices(topics, is_listed, shows_submissions)
$$;
revoke all on function public.set_profile_choices from public, anon, authenticated, service_role;
comment on function public.set_profile_choices(text[], boolean, boolean) is
  'Sets what the caller may be asked about (up to eight topics), whether the directory lists them and whether their profile shows submissions.';
grant execute on function public.set_profile_choices(text[], boolean, boolean) to authenticated;

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
revoke all on function private.require_other_member from public, anon, authenticated, service_role;
comment on function private.require_other_member(uuid, uuid) is 'The profile of another account that was onboarded; FF702 without one, FF703 for the caller''s own.';

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
revoke all on function private.block_member from public, anon, authenticated, service_role;
comment on function private.block_member(uuid) is 'Hides the caller and another member from each other. Repeating it does nothing.';
grant execute on function private.block_member(uuid) to authenticated;
create function public.block_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.block_member(member_id) $$;
revoke all on function public.block_member from public, anon, authenticated, service_role;
comment on function public.block_member(uuid) is 'Hides the caller and another member from each other, and deletes what the caller''s bell says of the other.';
grant execute on function public.block_member(uuid) to authenticated;

-- Open to former members as well: it only takes back what they did.
create function private.unblock_member(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  delete from private.member_blocks b where b.user_id = caller and b.blocked_id = member;
end
$$;
revoke all on function private.unblock_member from public, anon, authenticated, service_role;
comment on function private.unblock_member(uuid) is 'Takes back the caller''s block of a member.';
grant execute on function private.unblock_member(uuid) to authenticated;
create function public.unblock_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.unblock_member(member_id) $$;
revoke all on function public.unblock_member from public, anon, authenticated, service_role;
comment on function public.unblock_member(uuid) is 'Takes back the caller''s block of a member.';
grant execute on function public.unblock_member(uuid) to authenticated;

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
revoke all on function private.my_blocks from public, anon, authenticated, service_role;
comment on function private.my_blocks() is 'Whom the caller has blocked, newest first.';
grant execute on function private.my_blocks() to authenticated;
create function public.my_blocks() returns table (member_id uuid, name text, avatar_url text, created_at timestamptz)
  language sql stable set search_path = '' as $$ select * from private.my_blocks() $$;
revoke all on function public.my_blocks from public, anon, authenticated, service_role;
comment on function public.my_blocks() is 'Whom the caller has blocked, newest first.';
grant execute on function public.my_blocks() to authenticated;
