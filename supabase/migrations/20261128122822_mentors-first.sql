-- squawk-ignore require-concurrent-index-deletion
drop index "private"."directory_entries_order_idx";

drop function "private"."people_page"(text, integer, text, text, text, uuid, integer);

drop function "public"."people_page"(text, integer, text, text, text, uuid, integer);

alter table "private"."directory_entries"
  -- squawk-ignore prefer-bigint-over-smallint
  add column "role_order" smallint not null default 1;

update private.directory_entries d set role_order = 0
from public.profiles p where p.id = d.user_id and p.role = 'mentor';

create or replace function private.people_page (
  search     text    default null::text,
  level      integer default null::integer,
  role       text    default null::text,
  occupation text    default null::text,
  topic      text    default null::text,
  after_id   uuid    default null::uuid,
  page_size  integer default 24
)
  returns table (
    user_id         uuid,
    name            text,
    role_name       text,
    occupation_name text,
    avatar_url      text,
    member_level    integer,
    topics          text[],
    bio             text
  )
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.update_directory_entry (
  member uuid
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function public.people_page (
  search     text    default null::text,
  level      integer default null::integer,
  role       text    default null::text,
  occupation text    default null::text,
  topic      text    default null::text,
  after_id   uuid    default null::uuid,
  page_size  integer default 24
)
  returns table (
    user_id         uuid,
    name            text,
    role_name       text,
    occupation_name text,
    avatar_url      text,
    member_level    integer,
    topics          text[],
    bio             text
  )
  language sql
  set search_path to ''
  AS $function$ select * from private.people_page(search, level, role, occupation, topic, after_id, page_size) $function$;

-- squawk-ignore require-concurrent-index-creation
create index directory_entries_order_idx on private.directory_entries using btree (role_order, sort_key, user_id);

comment on column "private"."directory_entries"."role_order" is '0 of a mentor, who comes first, else 1.';

comment on function "private"."people_page"(text, integer, text, text, text, uuid, integer) is 'One page of the members who are listed and match every filter that is not null; FF705 for an unknown one. Limited.';

comment on function "public"."people_page"(text, integer, text, text, text, uuid, integer) is 'Members: who is here, by words that may be misspelt, level, role, occupation and topic; best matches first, then mentors, then by name; the page after the member after_id.';

revoke all on function "private"."people_page"(text, integer, text, text, text, uuid, integer) from public;

grant execute
  on function "private"."people_page"(text, integer, text, text, text, uuid, integer)
  to "authenticated", "postgres";

revoke all on function "public"."people_page"(text, integer, text, text, text, uuid, integer) from public;

grant execute
  on function "public"."people_page"(text, integer, text, text, text, uuid, integer)
  to "authenticated", "postgres";
