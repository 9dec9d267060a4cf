-- The list of members that administrators search. Names and addresses are in two tables, one of which the platform owns
-- on hosted projects, so a searchable copy is kept here by triggers.
create table private.member_search_index (
  user_id uuid primary key references auth.users (id) on delete cascade,
  email text not null,
  name text not null,
  search_key text collate "C" not null,
  joined_at timestamptz not null
);
comment on table private.member_search_index is 'Name and address of every account that was not deleted, for the administrators'' search. Kept by triggers.';
comment on column private.member_search_index.name is 'First and last name; empty without a profile.';
comment on column private.member_search_index.search_key is 'Result of search_key for name and address; also the order by name.';
create index member_search_index_search_key_idx on private.member_search_index using gin (search_key extensions.gin_trgm_ops);
create index member_search_index_joined_at_idx on private.member_search_index (joined_at, user_id);
create index member_search_index_order_idx on private.member_search_index (search_key, user_id);
alter table private.member_search_index enable row level security;

create function private.search_key(label text) returns text
  language sql immutable set search_path = '' as $$ select replace(private.fold_text(label), '''', '') $$;
comment on function private.search_key(text) is 'A name as searches compare it: folded, without apostrophes, so that jose finds José and O''Brien finds O’Brien.';

create function private.index_member_for_search(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.member_search_index as d (user_id, email, name, search_key, joined_at)
  select u.id, coalesce(u.email, ''), l.name, private.search_key(btrim(l.name || ' ' || coalesce(u.email, ''))),
    coalesce(u.created_at, now())
  from auth.users u
  left join public.profiles p on p.id = u.id
  cross join lateral (select btrim(concat_ws(' ', p.first_name, p.last_name)) as name) l
  where u.id = member and u.deleted_at is null
  on conflict (user_id) do update set
    email = excluded.email, name = excluded.name, search_key = excluded.search_key, joined_at = excluded.joined_at;
  if not found then
    delete from private.member_search_index d where d.user_id = member;
  end if;
end
$$;
comment on function private.index_member_for_search(uuid) is 'Writes the entry of one account in the member directory.';

-- As SECURITY DEFINER, because the auth service has no rights on the product's tables.
create function private.tg_users__list_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_member_for_search(new.id);
  return null;
end
$$;
create trigger users__list_member after insert or update of email, created_at, deleted_at on auth.users
  for each row execute function private.tg_users__list_member();

create function private.tg_profiles__index_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_member_for_search(new.id);
  return null;
end
$$;
create trigger profiles__index_member after insert or update of first_name, last_name on public.profiles
  for each row execute function private.tg_profiles__index_member();

-- As before, but one who paid for another product alone has never paid here.
create or replace view private.membership_statuses with (security_invoker = true) as
  select d.user_id, case
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
    ) then 'paying'
    when exists (select from private.current_complimentary_memberships m where m.user_id = d.user_id) then 'complimentary'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status = 'past_due'
    ) then 'past_due'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.hold = 'paused'
    ) then 'paused'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
        and (s.price_id is null or exists (select from private.plan_prices o where o.price_id = s.price_id))
    ) then 'lapsed'
    else 'never_paid'
  end as status
  from private.member_search_index d;
comment on view private.membership_statuses is
  'paying (active or trialing), complimentary, past_due, paused (by the member), lapsed (paid once, not now) or never_paid, for every account.';

create type public.member_row as (
  user_id uuid, email text, name text, role text, level integer, membership text, is_suspended boolean,
  joined_at timestamptz
);
comment on type public.member_row is 'One line of the administrators'' list of members. level is the one reached, 0 before onboarding.';

-- Written as text, so that each combination of filters gets its own plan. Every value is quoted.
create function private.member_page(search text, membership text, level integer, role text, joined_from date, joined_to date, sort text, after_id uuid, page_size integer)
  returns setof public.member_row language plpgsql stable security definer set search_path = '' as $$
declare
  rules text[] := array['true'];
  after private.member_search_index;
  direction text := case when sort in ('newest', 'name_desc') then 'desc' else 'asc' end;
  key text := case when sort in ('name', 'name_desc') then 'd.search_key' else 'd.joined_at' end;
begin
  perform private.require_verified_admin();
  if sort is null or sort not in ('newest', 'oldest', 'name', 'name_desc')
    or membership not in ('paying', 'complimentary', 'past_due', 'paused', 'lapsed', 'never_paid', 'suspended')
    or role not in ('student', 'mentor', 'admin') or level not between 0 and 4 then
    perform private.fail('FF519', 'There is no such filter.');
  end if;
  -- What is longer than any name or address finds nobody.
  if char_length(search) > 200 then
    return;
  end if;
  -- Each word has to be part of the name or the address. Wildcards are ordinary characters.
  rules := rules || array(
    select format('d.search_key like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    from string_to_table(private.search_key(coalesce(search, '')), ' ') word
    where word <> '' limit 8
  );
  if membership = 'suspended' then
    rules := rules || 'exists (select from auth.users u where u.id = d.user_id and u.banned_until > now())'::text;
  elsif membership is not null then
    rules := rules || format(
      '(select m.status from private.membership_statuses m where m.user_id = d.user_id) = %L', membership
    );
  end if;
  if membership = 'past_due' then
    -- The few of them are found by an index, instead of asking about every member.
    rules := rules || 'd.user_id in (select c.user_id from public.stripe_customers c
      join public.stripe_subscriptions s using (customer_id) where s.deleted_at is null and s.status = ''past_due'')'::text;
  end if;
  if level is not null then
    rules := rules || format(
      'coalesce((select l.current_level from public.user_levels l where l.user_id = d.user_id), 0) = %s', level
    );
  end if;
  if role is not null then
    rules := rules || format(
      'coalesce((select p.role from public.profiles p where p.id = d.user_id), ''student'') = %L', role
    );
  end if;
  if joined_from is not null then
    rules := rules || format('d.joined_at >= %L', joined_from::timestamp at time zone 'utc');
  end if;
  if joined_to is not null then
    rules := rules || format('d.joined_at < %L', (joined_to + 1)::timestamp at time zone 'utc');
  end if;
  if after_id is not null then
    select d.* into after from private.member_search_index d where d.user_id = after_id;
    if not found then
      return;
    end if;
    rules := rules || format(
      '(%s, d.user_id) %s (%L, %L)', key, case direction when 'desc' then '<' else '>' end,
      case when sort in ('name', 'name_desc') then after.search_key else after.joined_at::text end, after_id
    );
  end if;
  return query execute format(
    'select d.user_id, d.email, d.name, coalesce(p.role, ''student''), coalesce(l.current_level, 0), m.status,
       coalesce(u.banned_until > now(), false), d.joined_at
     from (select d.* from private.member_search_index d where %1$s order by %2$s %3$s, d.user_id %3$s limit %4$s) d
     join auth.users u on u.id = d.user_id
     join private.membership_statuses m on m.user_id = d.user_id
     left join public.profiles p on p.id = d.user_id
     left join public.user_levels l on l.user_id = d.user_id
     order by %2$s %3$s, d.user_id %3$s',
    array_to_string(rules, ' and '), key, direction, least(greatest(coalesce(page_size, 50), 1), 100)
  );
end
$$;
comment on function private.member_page(text, text, integer, text, date, date, text, uuid, integer) is
  'One page of the members that match every filter that is not null; raises FF519 for an unknown one.';
grant execute on function private.member_page to authenticated;

create function public.member_page(
  search text default null, membership text default null, level integer default null, role text default null,
  joined_from date default null, joined_to date default null, sort text default 'newest', after_id uuid default null,
  page_size integer default 50
) returns setof public.member_row
  language sql stable set search_path = '' as $$
  select * from private.member_page(search, membership, level, role,
    private.calendar_date(joined_from), private.calendar_date(joined_to), sort, after_id, page_size)
$$;
comment on function public.member_page(text, text, integer, text, date, date, text, uuid, integer) is
  'Administrators: members by part of name or address, membership, level, role and day of joining (UTC); the page after the account after_id.';
grant execute on function public.member_page to authenticated;
