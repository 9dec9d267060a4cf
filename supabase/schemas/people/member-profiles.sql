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
-- Members: who is here, by words that may be misspelt, level, role, occupation and topic; best matches first, then mentors, then by name; the page
-- after the member after_id.
create function private.people_page(
    search text default null, level integer default null, role text default null, occupation text default null,
    topic text default null, after_id uuid default null, page_size integer default 24
  )
  returns table(user_id uuid, name text, role_name text, occupation_name text, avatar_url text, member_level integer, topics text[], bio text) language plpgsql security definer set search_path = '' as $$
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
      rules := rules || format('(d.role_order, d.sort_key, d.user_id) > (%s, %L, %L::uuid)', after.role_order, after.sort_key, after_id);
    else
      execute format('select %s from private.directory_entries d where d.user_id = %L', tier, after_id) into after_tier;
      rules := rules || format('(%s, d.role_order, d.sort_key, d.user_id) > (%s, %s, %L, %L::uuid)',
        tier, after_tier, after.role_order, after.sort_key, after_id);
    end if;
  end if;
  return query execute format(
    'select d.user_id, btrim(concat_ws('' '', p.first_name, p.last_name)), p.role, p.occupation, p.avatar_url,
       coalesce(l.current_level, 1), coalesce(c.topics, ''{}''), left(p.bio, 300)
     from (
       select d.user_id, d.role_order, d.sort_key, %2$s as tier from private.directory_entries d where %1$s
       order by %3$s d.role_order, d.sort_key, d.user_id limit %4$s
     ) d
     join public.profiles p on p.id = d.user_id
     left join public.user_levels l on l.user_id = d.user_id
     left join public.profile_choices c on c.user_id = d.user_id
     order by d.tier, d.role_order, d.sort_key, d.user_id',
    array_to_string(rules, ' and '), tier, case when tier = '0' then '' else tier || ',' end,
    least(greatest(coalesce(page_size, 24), 1), 50)
  );
end
$$;
comment on function private.people_page(text, integer, text, text, text, uuid, integer) is
  'One page of the members who are listed and match every filter that is not null; FF705 for an unknown one. Limited.';
