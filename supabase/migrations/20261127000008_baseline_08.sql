-- Part 8 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- console/figures.sql

-- The figures on a member's dashboard. Earnings that the product does not offer yet are 0.
-- @rpc authenticated
-- The caller's own dashboard figures, one row; money in pence.
create function private.dashboard_figures()
  returns table (
    level integer, effective_level integer, onboarding_complete boolean, member_since timestamptz,
    likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return query
    select
      coalesce((select l.current_level from public.user_levels l where l.user_id = caller), 0),
      private.effective_level(caller),
      coalesce((select p.onboarding_complete from public.profiles p where p.id = caller), false),
      (select u.created_at from auth.users u where u.id = caller),
      private.likes_received(caller),
      (select count(*)::integer from public.module_completions c where c.user_id = caller),
      (select count(*)::integer from private.affiliates a join private.referrals r on r.affiliate_id = a.affiliate_id where a.user_id = caller),
      coalesce((
        select (b.pending_pence + b.payable_pence + b.paid_pence)::integer
        from private.affiliates a join private.affiliate_balances b on b.affiliate_id = a.affiliate_id where a.user_id = caller
      ), 0);
end
$$;
comment on function private.dashboard_figures() is 'One row of figures about the calling account.';

-- What these tables keep about the caller, read with the caller's own rights so that it can never show more than that.
create function private.export_account_data() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', jsonb_build_object('id', caller, 'email', auth.jwt() ->> 'email'),
    'profile', (select to_jsonb(p) from public.profiles p where p.id = caller),
    'customers', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at) from public.stripe_customers c where c.user_id = caller
    ), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at) from public.stripe_subscriptions s
      join public.stripe_customers c on c.customer_id = s.customer_id where c.user_id = caller
    ), '[]'),
    'onboarding_progress', (select to_jsonb(o) from public.onboarding_progress o where o.user_id = caller),
    'onboarding_responses', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.page_number, r.question)
      from public.onboarding_responses r where r.user_id = caller
    ), '[]'),
    'verifications', coalesce((
      select jsonb_agg(to_jsonb(v) order by v.submitted_at) from public.user_verifications v where v.user_id = caller
    ), '[]'),
    'level', (select to_jsonb(l) from public.user_levels l where l.user_id = caller),
    'progress', (select to_jsonb(g) from public.user_progress g where g.user_id = caller)
  );
end
$$;
comment on function private.export_account_data() is 'Account, membership, onboarding, verification and level of the caller.';
grant execute on function private.export_account_data to authenticated;

-- console/levels.sql

-- A member completes a level at their next progress event, as the level engine does not run by itself.
-- @rpc authenticated
-- Administrators with a second factor: what a new figure of a level's requirement would mean.
create function private.preview_level_requirement(level integer, kind text, needed integer) returns table (
  current_needed integer, available integer, members integer, ready_before integer, ready_after integer
)
  language plpgsql security definer set search_path = '' as $$
declare
  stored public.level_requirements;
begin
  perform private.require_verified_admin();
  stored := private.require_requirement(level, kind, needed);
  return query
    with members as (
      -- The next progress event brings the counter of rooms up to the ledger and the new figure.
      select private.progress_count_uncapped(p, stored.kind, stored.category) as done,
        (select bool_and(private.progress_count_uncapped(p, r.kind, r.category) >= r.needed) from public.level_requirements r
          where r.level = stored.level and r.kind <> stored.kind) is not false as has_rest
      from public.user_progress p join public.profiles f on f.id = p.user_id
      where p.current_level = stored.level and f.onboarding_complete and f.role <> 'admin'
        and not exists (select from public.level_completions d where d.user_id = p.user_id and d.level = stored.level)
    )
    select stored.needed,
      (select s.available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind),
      count(*)::integer,
      (count(*) filter (where m.has_rest and m.done >= stored.needed))::integer,
      (count(*) filter (where m.has_rest and m.done >= preview_level_requirement.needed))::integer
    from members m;
end
$$;
comment on function private.preview_level_requirement(integer, text, integer) is
  'What a new figure means: members at the level, and how many of them would complete it with their next progress event.';

-- @rpc authenticated
-- Administrators with a second factor: change what a level asks for.
create function private.set_level_requirement(level integer, kind text, needed integer) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  stored public.level_requirements := private.require_requirement(level, kind, needed);
  available integer;
begin
  select s.available into available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind;
  if set_level_requirement.needed > available then
    perform private.fail('FF445', 'A level cannot ask for more than there is.', available::text);
  end if;
  update public.level_requirements r set needed = set_level_requirement.needed
  where r.level = stored.level and r.kind = stored.kind;
  perform private.audit_change(
    admin, 'level_requirement.edited', jsonb_build_object('level', stored.level, 'kind', stored.kind),
    jsonb_build_object('needed', stored.needed), jsonb_build_object('needed', needed)
  );
end
$$;
comment on function private.set_level_requirement(integer, text, integer) is
  'Changes what a level asks for, from each member''s next progress event; FF445 above what there is. No level is lowered. Audited.';

-- @rpc authenticated
-- Administrators: the plans on sale and the state of the link to the card provider.
create function private.plan_overview()
  returns table (
    id text, name text, role text, amount_pence integer, currency text, "interval" text, price_id text,
    is_active boolean, members integer, former_price_members integer, last_event_at timestamptz, last_check_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select p.id, p.name, p.role, p.amount_pence, p.currency, p."interval", p.price_id, p.is_active,
      coalesce(sold.all_prices, 0), coalesce(sold.former_prices, 0),
      (select max(e.applied_at) from private.billing_events e), (select max(k.checked_at) from private.billing_checks k)
    from public.plans p
    left join lateral (
      select count(*)::integer as all_prices, (count(*) filter (where s.price_id <> p.price_id))::integer as former_prices
      from public.stripe_subscriptions s join private.plan_prices o on o.price_id = s.price_id
      where o.plan_id = p.id and s.deleted_at is null and s.status in ('active', 'trialing')
    ) sold on true
    order by p.amount_pence, p.id;
end
$$;
comment on function private.plan_overview() is
  'The plans with their members, and when the card provider was last heard from and compared with; null for never.';

-- console/library-items.sql

-- Articles and courses of the console: find them, publish, withdraw, feature. A completion is never taken away.
-- @rpc authenticated
-- Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).
create function private.admin_library_items(shelf text, search text default ''::text, category text default NULL::text, subcategory uuid default NULL::uuid, status text default NULL::text, page_size integer default 50, skip integer default 0)
  returns table(id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone) language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant text := private.search_key(left(coalesce(search, ''), 200));
begin
  perform private.require_admin();
  perform private.require_shelf(shelf);
  return query
    with items as (
      select a.id, a.title, a.slug, a.subcategory_id, a.author_id, a.is_published, a.is_featured, a.created_at,
        (select count(*)::integer from public.article_reads r where r.article_id = a.id) as readers
      from public.articles a where shelf = 'articles'
      union all
      select c.id, c.title, c.slug, c.subcategory_id, c.mentor_id, c.is_published, c.is_featured, c.created_at,
        (select count(*)::integer from public.course_enrollments e where e.course_id = c.id and e.completed_at is not null)
      from public.courses c where shelf = 'courses'
    )
    select i.id, i.title, i.slug, s.main_category, s.id, s.name, s.is_active,
      nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), ''), i.is_published, i.is_featured, i.readers, i.created_at
    from items i
    join public.subcategories s on s.id = i.subcategory_id
    left join public.profiles p on p.id = i.author_id
    where (wanted = '' or position(wanted in private.search_key(i.title)) > 0 or position(wanted in i.slug) > 0)
      and (category is null or s.main_category = category)
      and (subcategory is null or s.id = subcategory)
      and case status
        when 'published' then i.is_published
        when 'withdrawn' then not i.is_published
        when 'featured' then i.is_featured
        else true
      end
    order by private.category_level(s.main_category), s.display_order, s.name, i.created_at desc, i.title, i.id
    limit least(greatest(coalesce(page_size, 50), 1), 200) offset greatest(coalesce(skip, 0), 0);
end
$$;
comment on function private.admin_library_items(text,text,text,uuid,text,integer,integer) is 'Articles or courses, withdrawn ones too, in the order of the library; at most 200. readers: members who read or completed it.';

-- Drafts are locked before the rows of the library, as publishing locks them.
-- @rpc authenticated (shelf, item_id, is_published, is_featured)
-- Administrators: publish, withdraw or feature an article or a course.
create function private.edit_content_item(
  shelf text, item uuid, is_published boolean default null, is_featured boolean default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  was jsonb;
  becomes jsonb;
begin
  perform private.require_shelf(shelf);
  perform from public.drafts d where d.article_id = item or d.course_id = item for no key update;
  if shelf = 'articles' then
    select jsonb_build_object('is_published', a.is_published, 'is_featured', a.is_featured) into was
    from public.articles a where a.id = item for no key update;
  else
    select jsonb_build_object('is_published', c.is_published, 'is_featured', c.is_featured) into was
    from public.courses c where c.id = item for no key update;
  end if;
  if was is null then
    perform private.fail('FF430', 'There is no such article or course.');
  end if;
  becomes := was || jsonb_strip_nulls(jsonb_build_object('is_published', is_published, 'is_featured', is_featured));
  if not private.audit_change(
    admin, case shelf when 'articles' then 'article.edited' else 'course.edited' end,
    jsonb_build_object(case shelf when 'articles' then 'article' else 'course' end, item), was, becomes
  ) then
    return;
  end if;
  if shelf = 'articles' then
    update public.articles a
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where a.id = item;
  else
    update public.courses c
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where c.id = item;
  end if;
  perform private.keep_console_edits(item, array(
    select o.key from jsonb_each(was) o where o.value is distinct from becomes -> o.key
  ));
  if (was ->> 'is_published')::boolean and not (becomes ->> 'is_published')::boolean then
    perform private.review_withdrawn(item);
  end if;
end
$function$;
comment on function private.edit_content_item(text,uuid,boolean,boolean) is 'Publishes, withdraws or features an article or a course; null keeps a mark. A withdrawal has what is scheduled over it reviewed again. Reads and completions stay. FF005 without a second factor. Audited.';

-- What a level asks for and what there is: a level that asks for more can be completed by no new member.
create function private.level_supply()
  returns table (level integer, kind text, category text, needed integer, available integer)
  language sql stable security definer set search_path = '' as $$
  select r.level, r.kind, r.category, r.needed, case r.kind
    when 'rooms' then (
      select count(*)::integer from public.chat_rooms c where c.is_active and c.min_level_required <= r.level
    )
    when 'articles' then (
      select count(*)::integer from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.is_published and s.is_active and s.main_category = r.category
    )
    when 'courses' then (
      select count(*)::integer from public.courses c join public.subcategories s on s.id = c.subcategory_id
      where c.is_published and s.is_active and s.main_category = r.category and c.module_count > 0
    )
  end
  from public.level_requirements r order by r.level, r.kind
$$;
comment on function private.level_supply() is
  'Every requirement with the number of rooms, articles or courses there are for it; null where members make them.';

-- @rpc authenticated
-- Administrators: what each level asks for, and how much of it there is.
create function private.admin_level_supply()
  returns table (level integer, kind text, category text, needed integer, available integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query select * from private.level_supply();
end
$$;
comment on function private.admin_level_supply() is 'level_supply for administrators.';

-- console/library.sql

-- The library of the console: subcategories, and what of the articles and courses members see.

-- An import of files sets everything it has a file for, except what was decided here.
create table private.console_edits (
  row_id uuid not null,
  column_name text not null,
  primary key (row_id, column_name)
);
comment on table private.console_edits is 'Columns of the library an administrator set in the console. An import keeps them.';
comment on column private.console_edits.row_id is 'Id of a subcategory, an article or a course.';
alter table private.console_edits enable row level security;

create function private.keep_console_edits(id uuid, columns text[]) returns void
  language sql volatile set search_path = '' as $$
  insert into private.console_edits (row_id, column_name) select keep_console_edits.id, c from unnest(columns) c
  on conflict do nothing
$$;
comment on function private.keep_console_edits(uuid, text[]) is 'Remembers that imports have to keep these columns of a row.';

-- @rpc authenticated
-- Administrators: all subcategories of the library.
create function private.admin_subcategories()
  returns table (
    id uuid, main_category text, slug text, name text, description text, color text, icon text, display_order integer,
    is_active boolean, article_count integer, course_count integer
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select s.id, s.main_category, s.slug, s.name, s.description, s.color, s.icon, s.display_order, s.is_active,
      (select count(*)::integer from public.articles a where a.subcategory_id = s.id and a.is_published),
      (select count(*)::integer from public.courses c where c.subcategory_id = s.id and c.is_published)
    from public.subcategories s
    order by private.category_level(s.main_category), s.display_order, s.name, s.id;
end
$$;
comment on function private.admin_subcategories() is 'All subcategories with the number of their published articles and courses.';

-- @rpc authenticated
-- Administrators: create a subcategory; its id.
create function private.create_subcategory(
  main_category text, slug text, name text, description text default '', color text default '#64748b',
  icon text default 'book-open', display_order integer default 0
) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  created public.subcategories;
begin
  insert into public.subcategories (main_category, slug, name, description, color, icon, display_order)
  values (create_subcategory.main_category, create_subcategory.slug, btrim(create_subcategory.name),
    btrim(create_subcategory.description), create_subcategory.color, create_subcategory.icon,
    create_subcategory.display_order)
  returning * into created;
  perform private.keep_console_edits(created.id, '{name,description,color,icon,display_order,is_active}');
  perform private.audit(
    admin, 'subcategory.created', null,
    jsonb_build_object('subcategory', created.id, 'before', null, 'after', to_jsonb(created) - 'id')
  );
  return created.id;
end
$$;
comment on function private.create_subcategory(text, text, text, text, text, text, integer) is 'Creates a subcategory; its id. Audited.';

-- @rpc authenticated (subcategory_id, name, description, color, icon, display_order, is_active)
-- Administrators: change the given fields of a subcategory. One that is not active hides its articles and courses.
create function private.edit_subcategory(
  id uuid, name text default null, description text default null, color text default null,
  icon text default null, display_order integer default null, is_active boolean default null
) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  old_row public.subcategories;
  new_row public.subcategories;
begin
  select s.* into old_row from public.subcategories s where s.id = edit_subcategory.id for no key update;
  if not found then
    perform private.fail('FF430', 'There is no such subcategory.');
  end if;
  update public.subcategories s set
    name = coalesce(btrim(edit_subcategory.name), s.name),
    description = coalesce(btrim(edit_subcategory.description), s.description),
    color = coalesce(edit_subcategory.color, s.color),
    icon = coalesce(edit_subcategory.icon, s.icon),
    display_order = coalesce(edit_subcategory.display_order, s.display_order),
    is_active = coalesce(edit_subcategory.is_active, s.is_active)
  where s.id = old_row.id returning s.* into new_row;
  if private.audit_change(
    admin, 'subcategory.edited', jsonb_build_object('subcategory', old_row.id), to_jsonb(old_row), to_jsonb(new_row)
  ) then
    perform private.keep_console_edits(old_row.id, array(
      select o.key from jsonb_each(to_jsonb(old_row)) o where o.value is distinct from to_jsonb(new_row) -> o.key
    ));
  end if;
end
$$;
comment on function private.edit_subcategory(uuid, text, text, text, text, integer, boolean) is
  'Changes the given fields of a subcategory; null keeps a field. Audited.';

-- console/member-detail.sql

-- Everything administrators see of one member, read with one call. Each function below gives one part of it.

-- Notes are for administrators. The member gets them with the data export, without their authors.
create table private.member_notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  author uuid not null,
  note text not null constraint member_notes_note_check check (char_length(note) between 1 and 2000),
  created_at timestamptz not null default now()
);
comment on table private.member_notes is 'Notes of administrators about members. Rows are only added; they go with their account.';
comment on column private.member_notes.author is 'Administrator who wrote it. Has no foreign key, so that the note survives that account.';
create index member_notes_user_id_idx on private.member_notes (user_id, id desc);
alter table private.member_notes enable row level security;

create function private.tg_member_notes__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'notes about members are only ever added';
end
$$;

create trigger member_notes__append_only before update or delete on private.member_notes
  for each row execute function private.tg_member_notes__append_only();

create function private.require_account(member uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = member and u.deleted_at is null) then
    perform private.fail('FF510', 'There is no such account.');
  end if;
end
$$;
comment on function private.require_account(uuid) is 'Raises FF510 unless the account exists.';

-- @rpc authenticated
-- Administrators: add a note about a member. Notes cannot be changed.
create function private.add_member_note(member uuid, note text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  written text := private.trimmed_message(note);
  added bigint;
begin
  if written is null or private.is_blank(written) or char_length(written) > 2000 then
    perform private.fail('FF518', 'A note has between 1 and 2000 characters.');
  end if;
  perform private.require_account(member);
  insert into private.member_notes (user_id, author, note) values (member, admin, written) returning id into added;
  -- Without the text: the entry outlives the account.
  perform private.audit(admin, 'account.note_added', member, jsonb_build_object('note_id', added));
end
$$;
comment on function private.add_member_note(uuid, text) is 'Adds a note about an account; raises FF510 or FF518. Audited.';

create function private.export_part_notes(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('notes', coalesce((
    select jsonb_agg(to_jsonb(n) - 'author' order by n.id) from private.member_notes n where n.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_notes(uuid) is 'Notes about one account, without who wrote them.';

create function private.account_label(account uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(d.name, ''), d.email) from private.member_search_index d where d.user_id = account
$$;
comment on function private.account_label(uuid) is 'Name of an account, or its address without one; null when it is gone.';

-- As before, and with is_trusted.
create function private.member_account(member uuid) returns jsonb
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
comment on function private.member_account(uuid) is 'Account, profile, level, suspension and trust of a member, for administrators.';

-- Sums of money: of one currency, of refunds in their latest state, and of disputes by the definition of the queue.
create function private.member_billing(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with records as (
    select r.* from private.payment_records r join public.stripe_customers c using (customer_id) where c.user_id = member
  )
  select jsonb_build_object(
    'membership', (select m.status from private.membership_statuses m where m.user_id = member),
    'subscription', (
      select jsonb_build_object(
        'status', s.status, 'hold', s.hold, 'plan', private.plan_name(s.price_id),
        'pending_plan', private.plan_name(s.pending_price_id), 'period_ends_at', to_timestamp(s.current_period_end),
        'ends_with_period', s.cancel_at_period_end, 'card_brand', s.payment_method_brand, 'card_last4', s.payment_method_last4
      )
      from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    ),
    'paid_pence', coalesce((
      select sum(r.amount) from records r where r.kind = 'payment' and r.status = 'succeeded' and r.currency = 'gbp'
    ), 0),
    -- A refund that failed after it had succeeded leaves a record of each.
    'refunded_pence', coalesce((
      select sum(x.amount) from private.refunds_and_disputes x join public.stripe_customers c using (customer_id)
      where c.user_id = member and x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.currency = 'gbp'
    ), 0),
    'records', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.happened_at desc, l.id desc) from (
        select r.id, r.kind, r.status, r.amount, r.currency, r.reason, r.happened_at
        from records r order by r.happened_at desc, r.id desc limit 10
      ) l
    ), '[]')
  )
$$;
comment on function private.member_billing(uuid) is
  'Membership of a member and a summary of the payments, for administrators; totals in pence, of payments in pounds.';

-- The newest events behind each counter, five of each kind and category.
create function private.member_progress(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'completions', coalesce((
      select jsonb_agg(jsonb_build_object('level', c.level, 'completed_at', c.completed_at) order by c.level)
      from public.level_completions c where c.user_id = member
    ), '[]'),
    'requirements', coalesce((
      select jsonb_agg(jsonb_build_object(
        'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed,
        'count', coalesce((
          select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
        ), 0)
      ) order by r.level, r.kind)
      from public.level_requirements r
    ), '[]'),
    'evidence', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'kind', e.counter, 'category', e.category, 'label', s.label, 'path', s.path, 'happened_at', e.happened_at
      ) order by e.id desc)
      from (
        select l.*, k.counter, row_number() over (partition by k.counter, l.category order by l.id desc) as place
        from private.progress_ledger l
        join (values
          ('room_opened', 'rooms'), ('submission', 'submissions'), ('message', 'engagements'), ('like', 'engagements'),
          ('article_read', 'articles'), ('course_completed', 'courses')
        ) k (kind, counter) on k.kind = l.kind
        where l.user_id = member
      ) e
      left join lateral private.progress_event_subject(member, 4, e.kind, e.reference) s on true
      where e.place <= 5
    ), '[]')
  )
$$;
comment on function private.member_progress(uuid) is 'Requirements of each level with a member''s counts and newest events, for administrators.';

create function private.member_conduct(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with reports as (
    select r.id, r.kind, r.subject_id, r.reason, coalesce(r.snapshot ->> 'content', r.snapshot ->> 'bio', '') as content,
      r.decision, r.created_at, r.user_id as reporter, r.author_id as author
    from private.reports r
    where r.user_id = member or r.author_id = member
  )
  select jsonb_build_object(
    'submission_count', (select count(*) from public.learning_submissions s where s.user_id = member),
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.created_at desc) from (
        select s.id, s.submission_type, s.title, s.is_featured, s.like_count, s.comment_count, s.created_at
        from public.learning_submissions s where s.user_id = member order by s.created_at desc, s.id limit 10
      ) n
    ), '[]'),
    'reports_made', (select count(*) from reports r where r.reporter = member),
    'reports_received', (select count(*) from reports r where r.author = member),
    'reports', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'is_about_member', n.author = member, 'other_id', case when n.author = member then n.reporter else n.author end,
        'other_name', private.account_label(case when n.author = member then n.reporter else n.author end),
        'kind', n.kind, 'reason', n.reason, 'content', left(n.content, 300), 'decision', n.decision,
        'room', (private.reported(n.kind, n.subject_id)).place ->> 'room_name', 'created_at', n.created_at
      ) order by n.id desc) from (select r.* from reports r order by r.id desc limit 20) n
    ), '[]')
  )
$$;
comment on function private.member_conduct(uuid) is 'Submissions of a member, and reports by and about them, for administrators.';

-- @rpc authenticated
-- Administrators: billing, progress, submissions, reports, identity, notes and audit entries of one member.
create function private.member_detail(member uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  perform private.require_account(member);
  return jsonb_build_object(
    'account', private.member_account(member),
    'billing', private.member_billing(member),
    'progress', private.member_progress(member),
    'conduct', private.member_conduct(member),
    'identity', jsonb_build_object(
      'is_flagged', exists (
        select from private.account_flags f where f.user_id = member and f.reason = 'verification_attempts_exhausted'
          and f.closed_at is null
      ),
      'documents', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', v.id, 'document_type', v.document_type, 'status', v.status, 'rejected_reason', v.rejected_reason,
          'submitted_at', v.submitted_at, 'reviewed_at', v.reviewed_at
        ) order by v.submitted_at desc) from public.user_verifications v where v.user_id = member
      ), '[]')
    ),
    'notes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'note', n.note, 'author', private.account_label(n.author), 'created_at', n.created_at
      ) order by n.id desc) from private.member_notes n where n.user_id = member
    ), '[]'),
    'audit', coalesce((
      select jsonb_agg(to_jsonb(e) order by e.happened_at desc, e.id desc)
      from private.audit_rows(null, false, null, member::text, null, null, null, 20) e
    ), '[]')
  );
end
$$;
comment on function private.member_detail(uuid) is 'All parts of the administrators'' view of one account; raises FF510.';

-- console/members.sql

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

-- As before, but one who paid for another product alone has never paid here.
create or replace view private.membership_statuses with (security_invoker = true) as
  select d.user_id, case
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
    ) then 'paying'
    when exists (select from private.live_memberships m where m.user_id = d.user_id) then 'complimentary'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status = 'past_due'
    ) then 'past_due'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
        and (s.price_id is null or exists (select from private.plan_prices o where o.price_id = s.price_id))
    ) then 'lapsed'
    else 'never_paid'
  end as status
  from private.member_search_index d;
comment on view private.membership_statuses is
  'paying (active or trialing), complimentary, past_due, lapsed (paid once, not now) or never_paid, for every account.';

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
    or membership not in ('paying', 'complimentary', 'past_due', 'lapsed', 'never_paid', 'suspended')
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

-- console/overview.sql

-- Read from private.membership_statuses, as the list of members is, so that the two never contradict each other.
create function private.member_figures() returns jsonb
  language sql stable set search_path = '' as $$
  with members as materialized (
    select u.id, u.created_at, coalesce(p.onboarding_complete, false) as onboarded, l.current_level,
      coalesce(s.status, 'none') as status, coalesce(s.cancel_at_period_end, false) as cancels, n.role, n.amount_pence,
      coalesce(d.status, 'never_paid') as membership
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join public.user_levels l on l.user_id = u.id
    left join private.membership_statuses d on d.user_id = u.id
    left join public.stripe_customers c on c.user_id = u.id and c.deleted_at is null
    left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null and s.status <> 'not_started'
    left join private.plan_prices o on o.price_id = s.price_id
    left join public.plans n on n.id = o.plan_id
    where u.deleted_at is null and p.role is distinct from 'admin'
  ), live as (
    select * from members m where m.status in ('active', 'trialing') and m.role is not null
  ), periods as (
    select q.user_id, min(q.started_at) as first_started_at,
      max(q.ended_at) filter (where q.ended_at > now() - interval '30 days') as recently_ended_at,
      bool_or(q.ended_at is null) as is_live,
      bool_or(q.started_at <= now() - interval '30 days'
        and (q.ended_at is null or q.ended_at > now() - interval '30 days')) as was_live
    from private.membership_periods q join members m on m.id = q.user_id group by q.user_id
  ), joined as (
    select m.created_at > now() - interval '30 days' as is_recent, q.user_id is not null as has_joined,
      q.user_id is not null and m.onboarded as has_onboarded
    from members m left join periods q on q.user_id = m.id
  )
  select jsonb_build_object(
    'accounts', (select count(*) from members),
    'by_status', (
      select coalesce(jsonb_object_agg(t.membership, t.n), '{}')
      from (select m.membership, count(*) as n from members m group by m.membership) t
    ),
    'by_level', (
      select jsonb_agg((
        select count(*) from members v where v.membership in ('paying', 'complimentary')
          and case when v.onboarded then coalesce(v.current_level, 1) else 0 end = g.level
      ) order by g.level)
      from generate_series(0, 4) as g (level)
    ),
    'paying_students', (select count(*) from live v where v.role = 'student' and v.status = 'active'),
    'paying_mentors', (select count(*) from live v where v.role = 'mentor' and v.status = 'active'),
    'on_trial', (select count(*) from live v where v.status = 'trialing'),
    'cancelling', (select count(*) from live v where v.cancels),
    'new_30_days', (select count(*) from periods q where q.first_started_at > now() - interval '30 days'),
    'lost_30_days', (select count(*) from periods q where q.recently_ended_at is not null and not q.is_live),
    -- Those who were members thirty days ago, and how many of them are not any more.
    'churn', (
      select jsonb_build_object('members', count(*), 'lost', count(*) filter (where not q.is_live)) from periods q where q.was_live
    ),
    'funnel', (
      select jsonb_build_object(
        'all', jsonb_build_array(count(*), count(*) filter (where j.has_joined), count(*) filter (where j.has_onboarded)),
        'recent', jsonb_build_array(
          count(*) filter (where j.is_recent), count(*) filter (where j.is_recent and j.has_joined),
          count(*) filter (where j.is_recent and j.has_onboarded)
        )
      ) from joined j
    ),
    'monthly_revenue_pence', (select coalesce(sum(v.amount_pence), 0) from live v where v.status = 'active')
  )
$$;
comment on function private.member_figures() is
  'Figures about all accounts but the administrators; status and level are those of the list of members (private.membership_statuses), complimentary members included; the funnel counts signed up, joined a plan at least once (trials included), and joined and onboarded.';

reset check_function_bodies;
