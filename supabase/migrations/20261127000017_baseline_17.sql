-- Part 17 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- people/directory.sql

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

-- profiles/pictures.sql

-- Owners delete their pictures, so uploads are counted and not what is stored. The account is read from the name, because
-- the storage service of a hosted project writes the row with its own role.
create function private.tg_storage_objects__limit_profile_pictures() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if member is null or auth.uid() <> member or not exists (select from auth.users u where u.id = member) then
    return new;
  end if;
  begin
    perform private.enforce_rate_limit(member, 'profile_picture');
  exception when sqlstate 'FF300' then
    -- The storage service knows only SQL's own codes.
    perform private.fail('42501', 'This account has stored twenty pictures within the hour, which is the most.');
  end;
  return new;
end
$$;

create trigger storage_objects__limit_profile_pictures before insert on storage.objects
  for each row when (new.bucket_id = 'profile-pictures')
  execute function private.tg_storage_objects__limit_profile_pictures();

create policy select_own_profile_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'profile-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_verified_admin()))
  );

create policy delete_own_profile_picture on storage.objects for delete to authenticated
  using (
    bucket_id = 'profile-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_verified_admin()))
  );

-- The upload must be recent, so that the hourly deletion of unused pictures cannot take it at the same moment.
-- @rpc authenticated
-- Sets the caller's profile picture to an object of theirs, or removes it; returns the name of the former object.
create function private.set_my_picture(name text default null) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = caller for no key update;
  if set_my_picture.name is not distinct from former then
    return null;
  end if;
  if set_my_picture.name is null then
    update public.profiles p set avatar_url = null where p.id = caller;
    return former;
  end if;
  if not private.caller_is_member() then
    perform private.fail('FF341', 'Only members can have a picture.');
  end if;
  if not exists (
    select from storage.objects o
    where o.bucket_id = 'profile-pictures' and o.name = set_my_picture.name
      and o.name ~ ('^' || caller::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
      and o.created_at > now() - interval '30 minutes'
  ) then
    perform private.fail('FF340', 'The picture has not been uploaded within the last half hour.');
  end if;
  update public.profiles p set avatar_url =
    coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/profile-pictures/' || set_my_picture.name
  where p.id = caller;
  return former;
end
$$;
comment on function private.set_my_picture(text) is
  'Shows an uploaded picture of the caller on their profile, null none; returns the name of the former one, to delete.';

-- @rpc authenticated
-- Administrators: take a member's picture off their profile, with a reason; returns the name of its object.
create function private.admin_remove_picture(member uuid, reason text) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = account.id for no key update;
  if former is null then
    perform private.fail('FF342', 'This account has no picture.');
  end if;
  update public.profiles p set avatar_url = null where p.id = account.id;
  perform private.audit(admin, 'account.picture_removed', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('picture', former), 'after', jsonb_build_object('picture', null)
  ));
  return former;
end
$$;
comment on function private.admin_remove_picture(uuid, text) is
  'Takes the picture off a profile; returns the name of its object, to delete. Audited.';

-- @rpc service_role
-- Server: profile pictures to delete now.
create function private.profile_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  where o.bucket_id = 'profile-pictures' and o.name > after and o.created_at < now() - interval '1 hour'
    and not exists (
      select from public.profiles p where p.avatar_url is not null and private.image_name(p.avatar_url) = o.name
    )
  order by o.name
  limit batch
$$;
comment on function private.profile_pictures_to_purge(text, integer) is
  'Pictures older than an hour that no profile shows; by name, after the given one.';

-- profiles/profiles.sql

-- What members see of each other. All columns are visible, so e-mail, payment and document data never go here.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  role text not null default 'student' check (role in ('student', 'mentor', 'admin')),
  onboarding_complete boolean not null default false,
  first_name text constraint profiles_first_name_check
    check (char_length(first_name) <= 100 and first_name !~ '[[:cntrl:]]'),
  last_name text constraint profiles_last_name_check
    check (char_length(last_name) <= 100 and last_name !~ '[[:cntrl:]]'),
  occupation text constraint profiles_occupation_check
    check (char_length(occupation) <= 150 and occupation !~ '[[:cntrl:]]'),
  bio text constraint profiles_bio_check check (char_length(bio) <= 2000),
  updated_at timestamptz not null default now(),
  -- Members see the column of each other. Nothing but set_my_picture and admin_remove_picture writes it.
  avatar_url text,
  constraint profiles_avatar_url_check check (
    char_length(avatar_url) <= 600
    and avatar_url ~ '^(https?://[^/?#\s]+)?/storage/v1/object/public/profile-pictures/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|jpeg|png)$'
  )
);
grant select, insert, update, delete on public.profiles to service_role;
-- The app sends all of these columns. The triggers below decide which of them take effect.
grant select (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at, avatar_url),
  insert (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at),
  update (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at)
  on public.profiles to authenticated;
comment on table public.profiles is
  'Profile of an account. Members see all columns of those they may see at all, so nothing private belongs here.';
comment on column public.profiles.role is 'Set by the server: mentor by the webhook, admin by the operator.';
comment on column public.profiles.onboarding_complete is 'Becomes true once, when all required steps are done.';
comment on column public.profiles.avatar_url is
  'Public URL of an object of the account in the bucket profile-pictures; without the origin when the server''s address was not known.';
create index profiles_role_idx on public.profiles (role) where role <> 'student';
alter table public.profiles enable row level security;

-- Policies call these about the caller. They take no account as argument, so a client cannot ask about another one.
-- plpgsql caches the plan; an SQL function would be planned again by each statement.
create function private.caller_is_admin()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (select from public.profiles p where p.id = auth.uid() and p.role = 'admin')
    and private.caller_has_second_factor();
end
$function$;
comment on function private.caller_is_admin() is 'True when the calling account is an administrator and a code was entered in the session.';
grant execute on function private.caller_is_admin to authenticated;

create function private.caller_is_member()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (
    select from public.profiles p
    where p.id = auth.uid()
      and case p.role
        when 'admin' then private.caller_has_second_factor()
        else p.onboarding_complete and private.has_live_membership(p.id)
      end
  );
end
$function$;
comment on function private.caller_is_member() is 'True when the calling account is onboarded and paying, or an administrator with a second factor.';
grant execute on function private.caller_is_member to authenticated;

create function private.caller_plan_role() returns text
  language sql stable security definer set search_path = '' as $$
  select private.plan_role(auth.uid())
$$;
comment on function private.caller_plan_role() is 'Role the calling account pays for.';
grant execute on function private.caller_plan_role to authenticated;

-- Every function for administrators begins with this.
create function private.require_admin()
returns uuid
language plpgsql
stable
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
begin
  if not exists (select from public.profiles p where p.id = caller and p.role = 'admin') then
    perform private.fail('FF002', 'Only administrators may do this.');
  end if;
  perform private.require_aal2();
  return caller;
end
$function$;
comment on function private.require_admin() is 'The calling administrator with a second factor; FF001, FF002 or FF005 for other callers.';

-- Accounts see themselves. Members see onboarded accounts and administrators. Administrators see all accounts.
create policy select_self_or_member on public.profiles for select to authenticated using (
    id = (select auth.uid())
    or (select private.caller_is_admin())
    or (
      (select private.caller_is_member())
      and (
        role = 'admin'
        or (onboarding_complete and id not in (select private.caller_hidden_members()))
      )
    )
  );

create policy insert_self on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));

create policy update_self on public.profiles for update to authenticated
  using (id = (select auth.uid()));

-- Also runs for the row an upsert proposes, so it must not reset the role and onboarding state of the existing row.
create function private.tg_profiles__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  existing public.profiles;
begin
  new.updated_at := now();
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.id is distinct from auth.uid() then
    return new;
  end if;
  select p.* into existing from public.profiles p where p.id = new.id;
  if not found then
    new.role := private.caller_plan_role();
    new.onboarding_complete := false;
    return new;
  end if;
  new.role := existing.role;
  if existing.onboarding_complete then
    new.onboarding_complete := true;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$$;

create trigger profiles__guard_insert before insert on public.profiles
  for each row execute function private.tg_profiles__guard_insert();

-- Members edit names, occupation and bio. The other columns keep their stored values.
create function private.tg_profiles__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if not private.is_outside_caller() then
    return new;
  end if;
  new.role := old.role;
  if old.onboarding_complete then
    new.onboarding_complete := true;
    -- A name that was given can be changed, not taken away. Profiles without one may stay so.
    if new.first_name is distinct from old.first_name then
      perform private.require_answer(7, 'first_name', new.first_name);
    end if;
    if new.last_name is distinct from old.last_name then
      perform private.require_answer(7, 'last_name', new.last_name);
    end if;
    if new.occupation is distinct from old.occupation then
      perform private.require_answer(7, 'occupation', new.occupation);
    end if;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$$;

create trigger profiles__guard_update before update on public.profiles
  for each row execute function private.tg_profiles__guard_update();

-- Called by the webhook and the reconcile job. Administrators keep their role whatever their plan is.
create function private.set_role_from_plan(member uuid, plan_role text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if plan_role is null or plan_role not in ('student', 'mentor') then
    raise exception 'a plan cannot give the role %', plan_role;
  end if;
  update public.profiles set role = plan_role
  where id = member and role <> 'admin' and role <> plan_role;
end
$$;
comment on function private.set_role_from_plan(uuid, text) is 'Sets student or mentor on an account that is not an administrator.';

-- Called by the operator's command line only.
create function private.make_admin(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, role) values (member, 'admin')
  on conflict (id) do update set role = 'admin';
  perform private.audit(null, 'account.made_admin', member);
end
$$;
comment on function private.make_admin(uuid) is 'Makes an account an administrator, with a profile if it has none; audited.';

-- reports/comment.sql

create function private.lock_reported_comment(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.learning_submission_comments c where c.id = subject for update
$$;
comment on function private.lock_reported_comment(uuid) is 'Locks a comment.';

create function private.remove_reported_comment(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.delete_comment(subject)
$$;
comment on function private.remove_reported_comment(uuid) is 'Deletes a comment, and its reports with it.';

-- reports/decisions.sql

-- What administrators see of reports, and how they decide.

-- Every kind by one function of the same name. Of what is reported several times, the first report says how it was.
-- @rpc authenticated
-- Administrators: what is reported and waits for a decision, of one kind or of all, oldest first.
create function private.report_queue(kind text default null) returns setof jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select jsonb_build_object(
      'report_id', o.report_id, 'kind', o.kind, 'subject_id', o.subject_id, 'author', private.describe_member(o.author_id),
      'snapshot', case when o.snapshot ? 'context' then o.snapshot || jsonb_build_object('context', (
        select coalesce(jsonb_agg(e || jsonb_build_object('author', private.describe_member((e ->> 'author_id')::uuid) ->> 'name')), '[]')
        from jsonb_array_elements(o.snapshot -> 'context') e
      )) else o.snapshot end,
      'place', n.place,
      -- What the copy holds besides, such as what came before, cannot be edited.
      'is_changed', exists (
        select from jsonb_each(n.snapshot) e where coalesce(o.snapshot -> e.key, 'null') <> e.value
      ),
      'reports', o.reports, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.kind, r.subject_id, r.author_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.snapshot order by r.id))[1] as snapshot
      from private.reports r
      where r.resolved_at is null and (report_queue.kind is null or r.kind = report_queue.kind)
      group by r.kind, r.subject_id, r.author_id
    ) o
    cross join lateral private.reported(o.kind, o.subject_id) n
    order by o.first_reported_at, o.report_id;
end
$$;
comment on function private.report_queue(text) is 'What is reported and waits for a decision, oldest report first, as it was reported.';

-- One decision closes all open reports of the same thing: of two at the same time the second finds none, because the thing is locked
-- before its reports. What is removed may take its reports with it; the audit log keeps the decision without the text.
-- @rpc authenticated (report_id, decision)
-- Administrators: keep what was reported, or remove (a profile: clear) it.
create function private.resolve_report(report bigint, decision text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  asked private.reports;
  known record;
begin
  if decision is null or decision not in ('keep', 'remove', 'clear') then
    perform private.fail('FF319', 'The decision must be keep, or remove or clear.');
  end if;
  select r.* into asked from private.reports r where r.id = report;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  select k.* into strict known from private.report_kinds() k where k.kind = asked.kind;
  if decision not in ('keep', known.removal) then
    perform private.fail('FF319', format('The decision must be keep or %s.', known.removal));
  end if;
  execute format('select private.%I($1)', 'lock_reported_' || asked.kind) using asked.subject_id;
  if asked.author_id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.reports r
  set resolved_at = clock_timestamp(), decision = resolve_report.decision,
    snapshot = case when known.is_forgotten then '{}' else r.snapshot end
  where r.kind = asked.kind and r.subject_id = asked.subject_id and r.resolved_at is null;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, asked.kind || '.' || case decision when 'keep' then 'kept' else known.removed end, asked.author_id,
    -- Without the id of what is forgotten; of a profile it stands beside it already.
    case when known.is_forgotten or asked.subject_id = asked.author_id then '{}'
      else jsonb_build_object(asked.kind || '_id', asked.subject_id) end
    || jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision <> 'keep' then
    execute format('select private.%I($1)', 'remove_reported_' || asked.kind) using asked.subject_id;
  end if;
end
$$;
comment on function private.resolve_report(bigint, text) is
  'Keeps or takes away what was reported, and closes all its reports; audited. FF319, FF320 or FF513.';

create function private.report_counts() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(w.kind, w.waiting), '{}') from (
    select r.kind, count(distinct r.subject_id) as waiting from private.reports r where r.resolved_at is null group by r.kind
  ) w
$$;
comment on function private.report_counts() is 'How many things of each kind wait; what is reported several times waits once.';

-- reports/direct-message.sql

create function private.lock_reported_direct_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.direct_messages m where m.id = subject for no key update
$$;
comment on function private.lock_reported_direct_message(uuid) is 'Locks a direct message.';

create function private.remove_reported_direct_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.erase_direct_message(subject)
$$;
comment on function private.remove_reported_direct_message(uuid) is 'Deletes the text of a direct message.';

-- reports/message.sql

create function private.lock_reported_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.chat_messages m where m.id = subject for no key update
$$;
comment on function private.lock_reported_message(uuid) is 'Locks a message.';

create function private.remove_reported_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.delete_message(subject)
$$;
comment on function private.remove_reported_message(uuid) is 'Deletes a message for all.';

reset check_function_bodies;
