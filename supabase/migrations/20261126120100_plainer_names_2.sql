-- Plainer names, continued.

create or replace function private.tg_stripe_subscriptions__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  plan constant text := private.plan_name(new.price_id);
  was_live constant boolean := tg_op = 'UPDATE' and old.status in ('active', 'trialing');
  is_live constant boolean := new.status in ('active', 'trialing');
  ends_at constant timestamptz := to_timestamp(new.current_period_end);
  -- Seconds since the epoch; null while it runs at the provider.
  ended constant bigint := (select r.ended_at_provider from private.billing_sync_versions r where r.subscription_id = new.subscription_id);
  -- Judged by when it ended, because another reading may have written the end first. One that ended long ago is not told.
  has_ended constant boolean := new.status = 'canceled' and (
    coalesce(to_timestamp(ended) > now() - interval '30 days', new.hold is not null)
    or tg_op = 'UPDATE' and old.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
  );
  -- The reading that changed the row. Two changes of the same kind are two causes, such as cancelling again.
  reading constant text := coalesce(
    (select r.ticket::text from private.billing_sync_versions r where r.subscription_id = new.subscription_id), pg_current_xact_id()::text
  );
begin
  if plan is null or member is null then
    return null;
  end if;
  if is_live and not was_live then
    perform private.enqueue_email(member, 'welcome', 'welcome:' || member, jsonb_build_object('plan', plan));
  end if;
  -- A subscription that gave way to another one, which ran when it ended, has not ended the membership.
  if has_ended and not exists (
    select from public.stripe_subscriptions s
    join private.plan_prices o on o.price_id = s.price_id
    left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
    where s.customer_id = new.customer_id and s.id <> new.id and case
      when ended is null or r.created_at_provider is null then s.status in ('active', 'trialing')
      else s.status not in ('incomplete', 'incomplete_expired')
        and r.created_at_provider < ended and coalesce(r.ended_at_provider > ended, true)
    end
  ) then
    perform private.enqueue_email(
      member, 'membership_ended', 'membership_ended:' || new.subscription_id, jsonb_build_object(
        'plan', plan,
        'why', coalesce(new.hold, case when tg_op = 'UPDATE' and old.status in ('past_due', 'unpaid') then 'unpaid' end)
      )
    );
  end if;
  if tg_op = 'INSERT' then
    return null;
  end if;
  if new.status = 'past_due' and was_live then
    perform private.enqueue_email(
      member, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.current_period_start),
      jsonb_build_object('plan', plan, 'subscription_id', new.subscription_id, 'card_last4', new.payment_method_last4)
    );
  end if;
  if is_live and new.cancel_at_period_end and not old.cancel_at_period_end then
    perform private.enqueue_email(
      member, 'membership_cancelled', concat_ws(':', 'membership_cancelled', new.subscription_id, reading),
      jsonb_build_object('plan', plan, 'ends_at', ends_at)
    );
  end if;
  if was_live and is_live and private.plan_name(old.price_id) <> plan then
    perform private.enqueue_email(
      member, 'plan_changed', concat_ws(':', 'plan_changed', new.subscription_id, reading),
      jsonb_build_object('from', private.plan_name(old.price_id), 'plan', plan, 'renews_at', ends_at)
    );
  end if;
  return null;
end
$$;

create or replace function private.index_member_for_search(member uuid) returns void
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

create or replace function private.tg_users__list_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_member_for_search(new.id);
  return null;
end
$$;

create or replace function private.tg_profiles__index_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_member_for_search(new.id);
  return null;
end
$$;

create or replace function private.member_page(search text, membership text, level integer, role text, joined_from date, joined_to date, sort text, after_id uuid, page_size integer) returns setof public.member_row
  language plpgsql stable security definer set search_path = '' as $$
declare
  rules text[] := array['true'];
  after private.member_search_index;
  direction text := case when sort in ('newest', 'name_desc') then 'desc' else 'asc' end;
  key text := case when sort in ('name', 'name_desc') then 'd.search_key' else 'd.joined_at' end;
begin
  perform private.require_verified_admin();
  if sort is null or sort not in ('newest', 'oldest', 'name', 'name_desc')
    or membership not in ('paying', 'complimentary', 'past_due', 'lapsed', 'never_paid', 'suspended')
    or role not in ('student', 'mentor', 'admin') or level not between 0 and 4 or char_length(search) > 200 then
    perform private.fail('FF519', 'There is no such filter.');
  end if;
  -- Each word has to be part of the name or the address. Wildcards are ordinary characters.
  rules := rules || array(
    select format('d.search_key like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    from regexp_split_to_table(private.search_key(btrim(coalesce(search, ''))), '\s+') word
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

create or replace function private.account_label(account uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(d.name, ''), d.email) from private.member_search_index d where d.user_id = account
$$;

create or replace function private.member_account(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'email', d.email, 'name', d.name, 'occupation', p.occupation, 'role', coalesce(p.role, 'student'),
    'level', coalesce(l.current_level, 0), 'joined_at', d.joined_at, 'last_sign_in_at', u.last_sign_in_at,
    'is_confirmed', u.email_confirmed_at is not null, 'is_onboarded', coalesce(p.onboarding_complete, false),
    'is_trusted', exists (select from private.trusted_mentors t where t.user_id = u.id),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())
    ),
    'suspension', case when u.banned_until > now() then jsonb_build_object(
      -- Without a limit, a suspension is stored as one of a hundred years.
      'until', case when u.banned_until < now() + interval '50 years' then u.banned_until end,
      'reason', (
        select a.detail ->> 'reason' from private.audit_log a
        where a.subject = u.id and a.action = 'account.suspended' order by a.happened_at desc, a.id desc limit 1
      )
    ) end
  )
  from auth.users u
  join private.member_search_index d on d.user_id = u.id
  left join public.profiles p on p.id = u.id
  left join public.user_levels l on l.user_id = u.id
  where u.id = member
$$;

create or replace function private.audit_rows(actor uuid, by_system boolean, action text, about text, since date, until date, after_id bigint, max_rows integer) returns setof public.audit_entry
  language plpgsql stable set search_path = '' as $$
declare
  rules text[] := array['true'];
  wanted text := btrim(coalesce(about, ''));
  after private.audit_log;
begin
  if by_system then
    rules := rules || 'a.actor is null'::text;
  elsif actor is not null then
    rules := rules || format('a.actor = %L', actor);
  end if;
  if action is not null then
    rules := rules || format('a.action = %L', action);
  end if;
  if private.is_uuid(wanted) then
    rules := rules || format('a.subject = %L', wanted);
  elsif wanted <> '' then
    rules := rules || format('a.subject = any (%L::uuid[])', array(
      select d.user_id from private.member_search_index d
      where d.search_key like '%' || regexp_replace(private.search_key(left(wanted, 200)), '([\\%_])', '\\\1', 'g') || '%'
      limit 1000
    ));
  end if;
  if since is not null then
    rules := rules || format('a.happened_at >= %L', since::timestamp at time zone 'utc');
  end if;
  if until is not null then
    rules := rules || format('a.happened_at < %L', (until + 1)::timestamp at time zone 'utc');
  end if;
  if after_id is not null then
    select a.* into after from private.audit_log a where a.id = after_id;
    if not found then
      return;
    end if;
    rules := rules || format('(a.happened_at, a.id) < (%L, %L)', after.happened_at, after.id);
  end if;
  return query execute format(
    'select a.id, a.happened_at, a.actor, private.account_label(a.actor), a.action, a.subject,
       private.account_label(a.subject), a.detail
     from (select a.* from private.audit_log a where %s order by a.happened_at desc, a.id desc limit %s) a
     order by a.happened_at desc, a.id desc',
    array_to_string(rules, ' and '), max_rows
  );
end
$$;

comment on function private.admin_rooms() is 'All rooms, those that are not active too.';

create or replace function public.admin_rooms() returns table (id text, name text, description text, min_level_required integer, display_order integer, is_active boolean, participant_count integer)
  language sql stable set search_path = '' as $$ select * from private.admin_rooms() $$;

comment on function public.admin_rooms() is 'Administrators: all rooms, those that are not active too.';

comment on function private.admin_subcategories() is 'All subcategories with the number of their published articles and courses.';

create or replace function public.admin_subcategories() returns table (id uuid, main_category text, slug text, name text, description text, color text, icon text, display_order integer, is_active boolean, article_count integer, course_count integer)
  language sql stable set search_path = '' as $$ select * from private.admin_subcategories() $$;

comment on function public.admin_subcategories() is 'Administrators: all subcategories of the library.';

comment on function private.admin_library_items(text,text,text,uuid,text,integer,integer) is 'Articles or courses, withdrawn ones too, in the order of the library; at most 200. readers: members who read or completed it.';

comment on function private.admin_level_supply() is 'level_supply for administrators.';

create or replace function public.admin_library_items(shelf text, search text default ''::text, category text default NULL::text, subcategory uuid default NULL::uuid, status text default NULL::text, page_size integer default 50, skip integer default 0) returns table (id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$
  select * from private.admin_library_items(shelf, search, category, subcategory, status, page_size, skip)
$$;
