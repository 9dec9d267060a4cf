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

-- Onboarded members who want to be listed, without administrators. Whether they pay and who has blocked whom is asked
-- at every search.
create table private.directory_entries (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  role_order smallint not null default 1,
  sort_key text collate "C" not null,
  search_key text collate "C" not null,
  occupation_key text collate "C" not null,
  topic_keys text[] not null
);
comment on table private.directory_entries is 'The members'' directory: a copy to search, kept by triggers.';
comment on column private.directory_entries.role_order is '0 of a mentor, who comes first, else 1.';
comment on column private.directory_entries.sort_key is 'Result of search_key for the name.';
comment on column private.directory_entries.search_key is 'Result of search_key for name, occupation and topics.';
create index directory_entries_order_idx on private.directory_entries (role_order, sort_key, user_id);
create index directory_entries_search_key_idx on private.directory_entries using gin (search_key extensions.gin_trgm_ops);
create index directory_entries_occupation_key_idx
  on private.directory_entries using gin (occupation_key extensions.gin_trgm_ops);
create index directory_entries_topic_keys_idx on private.directory_entries using gin (topic_keys);
alter table private.directory_entries enable row level security;

create function private.update_directory_entry(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.directory_entries as d (user_id, role_order, sort_key, search_key, occupation_key, topic_keys)
  select p.id, case when p.role = 'mentor' then 0 else 1 end, private.search_key(l.name),
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
    role_order = excluded.role_order, sort_key = excluded.sort_key, search_key = excluded.search_key,
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
create trigger profiles__update_directory_entry
  after insert or update of first_name, last_name, occupation, role, onboarding_complete on public.profiles
  for each row execute function private.tg_profiles__update_directory_entry();

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
create trigger notifications__drop_blocked before insert on public.notifications
  for each row when (new.actor_id is not null) execute function private.tg_notifications__drop_blocked();

-- Administrators cannot be blocked, so a block from before would hide what they write to everyone. Their own blocks stay.
create function private.tg_profiles__unblock_admin() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.member_blocks b where b.blocked_id = new.id;
  return null;
end
$$;
create trigger profiles__unblock_admin after insert or update of role on public.profiles
  for each row when (new.role = 'admin') execute function private.tg_profiles__unblock_admin();
