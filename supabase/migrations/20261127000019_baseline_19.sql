-- Part 19 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- selling/bought-courses.sql

-- @rpc authenticated
-- The courses that the caller bought, with their receipts.
create function private.my_courses() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'purchase_id', p.id, 'course_id', p.course_id, 'slug', o.slug, 'title', p.course_title, 'amount_pence', p.amount_pence,
      'bought_at', coalesce(r.happened_at, p.created_at), 'number', c.charge_id, 'refunded_pence', coalesce(c.amount_refunded, 0),
      'card_brand', c.card_brand, 'card_last4', c.card_last4, 'receipt_url', c.receipt_url,
      'state', case
        when c.charge_id is null then 'waiting' when c.is_refunded then 'refunded' when c.dispute in ('open', 'lost') then 'disputed'
        else 'paid' end,
      'lessons', l.lessons, 'completed', l.completed, 'withdraw_until', w.ends_at, 'withdraw_pence', w.amount_pence
    ) order by p.created_at desc)
    from private.course_purchases p
    cross join lateral (
      select count(*) as lessons, count(x.completed_at) as completed
      from private.lessons_of_version(p.course_id, p.course_version, caller) x
    ) l
    left join private.course_offers o on o.course_id = p.course_id
    left join private.course_withdrawal_right(caller) w on w.purchase_id = p.id
    left join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
    left join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
    where p.user_id = caller
      and (c.charge_id is not null or p.state in ('working', 'unknown', 'needs_action') and p.checked_at > now() - interval '1 hour')
  ), '[]');
end
$$;
comment on function private.my_courses() is 'What the caller bought, newest first, with receipt, state and progress.';

create function private.require_bought_course(course uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or not exists (
    select from private.live_course_purchases l where l.user_id = caller and l.course_id = course
  ) then
    perform private.fail('FF856', 'This course is not among those you bought.');
  end if;
  return caller;
end
$$;
comment on function private.require_bought_course(uuid) is 'The caller, who bought the course and was not refunded; raises FF856.';

-- A version that is completed gives way to the newest one, which then has lessons left but is not begun again.
-- @rpc authenticated
-- A course that the caller bought, to read.
create function private.bought_course(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_bought_course(course);
  taken constant integer := private.bought_version(caller, course);
begin
  return (
    select jsonb_build_object(
      'id', c.id, 'slug', c.slug, 'title', c.title, 'description', c.description, 'thumbnail_url', c.thumbnail_url,
      'is_free', c.is_free, 'price', c.price, 'estimated_duration', c.estimated_duration, 'difficulty_level', c.difficulty_level,
      'enrollment_count', c.enrollment_count, 'module_count', c.module_count, 'version', c.version,
      'subcategory', jsonb_build_object('slug', s.slug, 'name', s.name),
      'mentor', (
        select jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name, 'role', p.role)
        from public.profiles p where p.id = c.mentor_id
      ),
      'enrollments', jsonb_build_array(jsonb_build_object(
        'progress_percentage', coalesce(round(100.0 * l.completed / nullif(l.lessons, 0)), 0),
        'completed_at', case when l.completed = l.lessons then l.last_at end, 'course_version', taken
      )),
      'modules', coalesce((
        select jsonb_agg(x.lesson || jsonb_build_object('completions', case when x.completed_at is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('module_id', x.id)) end) order by x.place, x.id)
        from private.lessons_of_version(course, case when l.completed = l.lessons then c.version else taken end, caller) x
      ), '[]')
    )
    from public.courses c
    join public.subcategories s on s.id = c.subcategory_id
    cross join lateral (
      select count(*) as lessons, count(x.completed_at) as completed, max(x.completed_at) as last_at
      from private.lessons_of_version(course, taken, caller) x
    ) l
    where c.id = course
  );
end
$$;
comment on function private.bought_course(uuid) is 'A bought course with its lessons, in the shape in which members read one; raises FF856.';

-- @rpc authenticated
-- A buyer finished a lesson.
create function private.complete_bought_lesson(module uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  bought constant uuid := (select m.course_id from public.course_modules m where m.id = module);
  caller constant uuid := private.require_bought_course(bought);
begin
  if not exists (select from public.course_modules m where m.id = module and m.is_published)
    and module not in (select private.modules_of_version(bought, private.bought_version(caller, bought))) then
    perform private.fail('FF856', 'This lesson is not in the course you bought.');
  end if;
  insert into private.bought_lessons (user_id, module_id) values (caller, module) on conflict do nothing;
  -- Who was a member before finds it there on coming back.
  perform from public.course_enrollments e where e.user_id = caller and e.course_id = bought for update;
  if found then
    insert into public.module_completions (user_id, module_id) values (caller, module) on conflict do nothing;
  end if;
end
$$;
comment on function private.complete_bought_lesson(uuid) is 'Marks a lesson of a bought course as completed, once; raises FF856.';

-- A buyer who becomes a member goes on where they were.
create function private.tg_course_enrollments__bring_bought() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.module_completions (user_id, module_id)
  select b.user_id, b.module_id from private.bought_lessons b join public.course_modules m on m.id = b.module_id
  where b.user_id = new.user_id and m.course_id = new.course_id
  on conflict do nothing;
  return null;
end
$$;

create function private.export_part_selling(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'course_offers', coalesce((
      select jsonb_agg(to_jsonb(o) order by o.slug) from private.course_offers o join public.courses c on c.id = o.course_id
      where c.mentor_id = member
    ), '[]'),
    'course_addresses', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.slug) from private.course_addresses a join public.courses c on c.id = a.course_id
      where c.mentor_id = member
    ), '[]'),
    'course_purchases', coalesce((
      select jsonb_agg(to_jsonb(p) - 'seller_id' - 'lease_until' order by p.created_at) from private.course_purchases p where p.user_id = member
    ), '[]'),
    'bought_lessons', coalesce((
      select jsonb_agg(to_jsonb(b) order by b.completed_at, b.module_id) from private.bought_lessons b where b.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_selling(uuid) is 'Courses one account sells and bought, and the bought lessons it completed.';

-- selling/bought-versions.sql

create function private.tg_course_purchases__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;

create function private.lessons_of_version(course uuid, wanted integer, member uuid)
  returns table (id uuid, place integer, lesson jsonb, completed_at timestamptz)
  language sql stable set search_path = '' as $$
  select l.id, l.place, l.lesson, least(
    (select b.completed_at from private.bought_lessons b where b.user_id = member and b.module_id = l.id),
    (select d.created_at from public.module_completions d where d.user_id = member and d.module_id = l.id)
  )
  from (
    select m.id, m.module_order as place, jsonb_build_object(
      'id', m.id, 'slug', m.slug, 'title', m.title, 'content', m.content, 'module_order', m.module_order,
      'video_url', m.video_url, 'estimated_duration', m.estimated_duration
    ) as lesson
    from public.courses c join public.course_modules m on m.course_id = c.id
    where c.id = course and c.version = wanted and m.is_published
    union all
    select (m.lesson ->> 'id')::uuid, (m.lesson ->> 'module_order')::integer, m.lesson
    from private.course_versions v cross join lateral jsonb_array_elements(v.modules) m (lesson)
    where v.course_id = course and v.version = wanted
  ) l
$$;
comment on function private.lessons_of_version(uuid, integer, uuid) is
  'The lessons of one version of a course, with when one account completed them as a buyer or as a member.';

create function private.bought_version(member uuid, course uuid) returns integer
  language sql stable set search_path = '' as $$
  select p.course_version from private.live_course_purchases l join private.course_purchases p on p.id = l.id
  where l.user_id = member and l.course_id = course order by p.created_at desc limit 1
$$;
comment on function private.bought_version(uuid, uuid) is 'The version of a course that its buyer takes; null for anybody else.';

-- @rpc authenticated
-- A buyer takes the newest version of a course.
create function private.take_newest_bought_version(course uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_bought_course(course);
begin
  perform from public.courses c where c.id = course for key share;
  update private.course_purchases p set course_version = c.version
  from public.courses c where c.id = course and p.course_id = course and p.user_id = caller;
end
$$;
comment on function private.take_newest_bought_version(uuid) is 'Moves a buyer to the newest version of a course; what was completed stays. FF856.';

-- selling/earnings.sql

-- Without the buyer's account no reading is kept, so this one may be old or come twice: it only ever lowers.
create function private.lower_commissions(charge text, snapshot jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  earned private.commissions;
  booked bigint;
  due bigint;
begin
  for earned in select k.* from private.commissions k where k.charge_id = charge order by k.affiliate_id for update loop
    select coalesce(sum(a.amount_pence), 0) into booked from private.commission_amounts a
    where a.charge_id = charge and a.affiliate_id = earned.affiliate_id;
    due := case when (snapshot ->> 'is_refunded')::boolean or snapshot ->> 'dispute' in ('open', 'lost') then 0
      else ((snapshot ->> 'amount')::bigint - (snapshot ->> 'amount_refunded')::bigint) * earned.rate_basis_points / 10000 end;
    perform private.post_ledger_transaction(
      'commission', earned.affiliate_id, charge, null, 'house',
      case when earned.released_at is null then 'pending' else 'payable' end, least(booked, due) - booked
    );
  end loop;
end
$$;
comment on function private.lower_commissions(text, jsonb) is
  'Takes back what a payment of a deleted account no longer earns after a refund or dispute; never gives.';

-- @rpc authenticated
-- Fifty payments that earned for the caller, newest first.
create function private.my_commissions(before_time timestamptz default null, before_charge text default null) returns table (
  charge_id text, invoice_number text, paid_at timestamptz, payable_at timestamptz, state text, amount_pence bigint, kind text, course_title text
)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return query
    select k.charge_id, i.number, k.paid_at, k.payable_at, private.commission_state(k, coalesce(m.amount_pence, 0)), coalesce(m.amount_pence, 0),
      k.kind, c.title
    from private.affiliates a
    join private.commissions k on k.affiliate_id = a.affiliate_id
    left join public.invoices i on i.invoice_id = k.invoice_id
    left join public.courses c on c.id = k.course_id
    left join lateral (
      select x.amount_pence from private.commission_amounts x where x.charge_id = k.charge_id and x.affiliate_id = k.affiliate_id
    ) m on true
    where a.user_id = caller and (before_time is null or (k.paid_at, k.charge_id) < (before_time, before_charge))
    order by k.paid_at desc, k.charge_id desc limit 50;
end
$$;
comment on function private.my_commissions(timestamptz, text) is 'Fifty payments that earned for the caller, newest first, without who made them.';

-- What a mentor can sell, and what the sales brought.
-- @rpc authenticated
-- Mentors: courses one sells or can sell.
create function private.my_course_offers() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return jsonb_build_object(
    'terms', (select to_jsonb(t) - 'id' from private.selling_terms t),
    'pending_days', (select t.pending_days from private.affiliate_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object(
        'course_id', c.id, 'title', c.title, 'price_pence', (c.price * 100)::integer, 'is_published', c.is_published,
        'suggested_slug', c.slug, 'slug', o.slug, 'outcomes', to_jsonb(coalesce(o.outcomes, '{}')), 'free_module_id', o.free_module_id,
        'is_on_sale', coalesce(o.is_on_sale, false),
        'ended_at', o.ended_at, 'ended_reason', o.ended_reason,
        'is_open', exists (select from private.open_course_offers x where x.course_id = c.id),
        'modules', coalesce((
          select jsonb_agg(jsonb_build_object('id', m.id, 'title', m.title) order by m.module_order)
          from public.course_modules m where m.course_id = c.id and m.is_published
        ), '[]'),
        'sales', f.sales, 'taken_back', f.taken_back, 'earned_pence', f.earned_pence
      ) order by c.title, c.id)
      from public.courses c
      left join private.course_offers o on o.course_id = c.id
      cross join lateral (
        select count(*) as sales, count(*) filter (where coalesce(m.amount_pence, 0) = 0) as taken_back,
          coalesce(sum(m.amount_pence), 0) as earned_pence
        from private.affiliates a
        join private.commissions k on k.affiliate_id = a.affiliate_id and k.kind = 'course_sale' and k.course_id = c.id
        left join private.commission_amounts m on m.charge_id = k.charge_id and m.affiliate_id = k.affiliate_id
        where a.user_id = caller
      ) f
      where c.mentor_id = caller and (c.price > 0 or o.course_id is not null)
    ), '[]')
  );
end
$$;
comment on function private.my_course_offers() is 'Priced courses of the caller, with their sale pages and figures, and the terms.';

-- selling/ended-sales.sql

-- @rpc authenticated
-- Administrators: take a course off sale, with a reason that its mentor reads. Buyers keep it.
create function private.end_course_sale(course uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.require_act_reason(reason);
  was constant private.course_offers := private.lock_course_offer(course);
  becomes private.course_offers;
begin
  if was.course_id is null or was.ended_at is not null then
    perform private.fail('FF858', 'There is no sale of this course to end.');
  end if;
  update private.course_offers o set is_on_sale = false, ended_at = now(), ended_reason = why, changed_at = now()
  where o.course_id = was.course_id returning o.* into becomes;
  perform private.audit(admin, 'course.sale_ended', (select c.mentor_id from public.courses c where c.id = course), jsonb_build_object(
    'course', course, 'reason', why,
    'before', jsonb_build_object('is_on_sale', was.is_on_sale, 'ended_at', was.ended_at),
    'after', jsonb_build_object('is_on_sale', becomes.is_on_sale, 'ended_at', becomes.ended_at)
  ));
end
$$;
comment on function private.end_course_sale(uuid, text) is
  'Administrators with a second factor: takes a course off sale until one allows it again; audited. FF511 without a reason, FF858.';

-- @rpc authenticated
-- Administrators: let the mentor put a course on sale again that an administrator took off. It is not on sale by that.
create function private.allow_course_sale(course uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.require_act_reason(reason);
  was constant private.course_offers := private.lock_course_offer(course);
  seller constant uuid := (select c.mentor_id from public.courses c where c.id = course);
begin
  if was.ended_at is null then
    perform private.fail('FF858', 'No administrator has ended the sale of this course.');
  end if;
  if seller = admin then
    perform private.fail('FF513', 'Another administrator has to do this for your own course.');
  end if;
  update private.course_offers o set ended_at = null, ended_reason = null, changed_at = now() where o.course_id = was.course_id;
  perform private.audit(admin, 'course.sale_allowed', seller, jsonb_build_object(
    'course', course, 'reason', why, 'before', jsonb_build_object('ended_at', was.ended_at),
    'after', jsonb_build_object('ended_at', null)
  ));
end
$$;
comment on function private.allow_course_sale(uuid, text) is
  'Administrators with a second factor: lets the mentor put a course on sale again; audited. FF511, FF513 for one''s own, FF858.';

-- Nothing here that the mentor and the public page do not say, so the role alone may read it, as the rest of the content.
-- @rpc authenticated
-- Administrators: the sale of a course, null when it was never offered.
create function private.content_sale(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'slug', o.slug, 'is_on_sale', o.is_on_sale,
      'is_open', exists (select from private.open_course_offers x where x.course_id = o.course_id),
      'ended_at', o.ended_at, 'ended_reason', o.ended_reason
    )
    from private.course_offers o where o.course_id = course
  );
end
$$;
comment on function private.content_sale(uuid) is 'The sale of a course for administrators; null when it was never offered.';

create function private.tg_course_offers__notify_end() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'sale_ended', new.course_id
  from public.courses c join public.profiles r on r.id = c.mentor_id where c.id = new.course_id
  for key share of r skip locked
  on conflict (user_id, kind, subject_id, actor_id, detail) do update set created_at = now(), read_at = null;
  return null;
end
$$;

create function private.notification_part_selling(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = '' as $$
  select n.id, jsonb_build_object('excerpt', c.title)
  from private.newest_notifications(member, array['sale_ended']) n
  join private.course_offers o on o.course_id = n.subject_id and o.ended_at is not null
  join public.courses c on c.id = o.course_id and c.mentor_id = member
$$;
comment on function private.notification_part_selling(uuid) is 'Sales of the member''s courses that an administrator ended, until they are allowed again.';

-- selling/offers.sql

create table private.selling_terms (
  id boolean primary key default true constraint selling_terms_id_check check (id),
  share_basis_points integer not null constraint selling_terms_share_check check (share_basis_points between 0 and 9000),
  referral_basis_points integer not null constraint selling_terms_referral_check check (referral_basis_points between 0 and 5000),
  refund_days integer not null constraint selling_terms_refund_check check (refund_days between 14 and 60),
  constraint selling_terms_sum_check check (share_basis_points + referral_basis_points <= 10000)
);
comment on table private.selling_terms is 'How the price of a sold course is shared. The owner may change it; what was sold before keeps its rates.';
comment on column private.selling_terms.id is 'Always true, so that there is one row.';
comment on column private.selling_terms.share_basis_points is 'The mentor''s share, in hundredths of a per cent of what was paid.';
comment on column private.selling_terms.referral_basis_points is 'What the member earns whose link brought the buyer, likewise.';
comment on column private.selling_terms.refund_days is 'For how long after a purchase the price is refunded on request.';
alter table private.selling_terms enable row level security;

create function private.tg_course_offers__keep_address() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.course_addresses (slug, course_id) values (new.slug, new.course_id) on conflict do nothing;
  return null;
end
$$;

-- @rpc service_role
-- Server: the public page of a course. Function course-offer gives it to visitors.
create function private.course_offer(slug text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'slug', o.slug, 'title', c.title, 'description', c.description, 'outcomes', to_jsonb(o.outcomes),
    'price_pence', o.price_pence, 'minutes', c.estimated_duration, 'difficulty', c.difficulty_level,
    'thumbnail_url', c.thumbnail_url, 'category', s.main_category, 'topic', s.slug, 'course_slug', c.slug,
    'mentor', btrim(concat_ws(' ', p.first_name, p.last_name)), 'refund_days', t.refund_days,
    'lessons', (
      select jsonb_agg(jsonb_build_object('title', m.title, 'minutes', m.estimated_duration, 'is_free', m.id = o.free_module_id)
        order by m.module_order)
      from public.course_modules m where m.course_id = c.id and m.is_published
    ),
    'free_lesson', (
      select jsonb_build_object('title', m.title, 'content', m.content)
      from public.course_modules m where m.id = o.free_module_id and m.course_id = c.id and m.is_published
    )
  )
  from private.open_course_offers o
  join public.courses c on c.id = o.course_id
  join public.subcategories s on s.id = c.subcategory_id
  join public.profiles p on p.id = c.mentor_id
  cross join private.selling_terms t
  where o.slug = lower(btrim(course_offer.slug))
$$;
comment on function private.course_offer(text) is 'What the public page of a course shows, one lesson in full; null when it is not on sale.';

-- The row of the ledger that a mentor's shares are booked to.
create function private.ensure_affiliate(member uuid) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_id uuid;
begin
  loop
    select a.affiliate_id into found_id from private.affiliates a where a.user_id = member;
    exit when found;
    insert into private.affiliates (user_id, code) values (member, private.new_affiliate_code()) on conflict do nothing;
  end loop;
  return found_id;
end
$$;
comment on function private.ensure_affiliate(uuid) is 'The account''s id in the ledger, made when there is none.';

-- @rpc authenticated
-- Mentors: the sale page of a course of one's own.
create function private.save_course_offer(course uuid, slug text, outcomes text[], free_module uuid, is_on_sale boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  address constant text := lower(btrim(slug));
  lines constant text[] := (
    select array_agg(btrim(l.line) order by l.place) from unnest(outcomes) with ordinality l (line, place) where btrim(l.line) <> ''
  );
  sold public.courses;
begin
  perform private.enforce_rate_limit(caller, 'save_course_offer');
  select c.* into sold from public.courses c where c.id = course and c.mentor_id = caller for update;
  if not found or private.effective_level(caller) < 1
    or not exists (select from public.profiles p where p.id = caller and p.role in ('mentor', 'admin')) then
    perform private.fail('FF850', 'Only the mentor who wrote a course can sell it.');
  end if;
  if is_on_sale and exists (select from private.course_offers o where o.course_id = course and o.ended_at is not null) then
    perform private.fail('FF857', 'An administrator ended this sale. It can''t go on again until they allow it.');
  end if;
  if is_on_sale and (not sold.is_published or sold.price not between 1 and 5000) then
    perform private.fail('FF851', 'Publish the course with a price between £1 and £5,000 first.');
  end if;
  if address is null or address !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or char_length(address) not between 3 and 80 then
    perform private.fail('FF852', 'Use 3 to 80 lower-case letters, digits and hyphens for the address.');
  end if;
  if exists (
    select from private.course_offers o where o.slug = address and o.course_id <> course
    union all
    select from private.course_addresses a where a.slug = address and a.course_id is distinct from course
  ) then
    perform private.fail('FF853', 'Another course has this address. Choose another one.');
  end if;
  if coalesce(cardinality(lines), 0) not between 1 and 8 or exists (select from unnest(lines) l (line) where char_length(l.line) > 160) then
    perform private.fail('FF854', 'Write one to eight lines about what one learns, each at most 160 characters.');
  end if;
  if not exists (select from public.course_modules m where m.id = free_module and m.course_id = course and m.is_published) then
    perform private.fail('FF855', 'Choose a lesson of this course that everyone may read.');
  end if;
  perform private.ensure_affiliate(caller);
  insert into private.course_offers as o (course_id, slug, outcomes, free_module_id, is_on_sale)
  values (course, address, lines, free_module, coalesce(save_course_offer.is_on_sale, false))
  on conflict (course_id) do update set
    slug = excluded.slug, outcomes = excluded.outcomes, free_module_id = excluded.free_module_id,
    is_on_sale = excluded.is_on_sale, changed_at = now();
exception when unique_violation then
  perform private.fail('FF853', 'Another course has this address. Choose another one.');
end
$$;
comment on function private.save_course_offer(uuid, text, text[], uuid, boolean) is
  'A mentor begins, changes or ends the sale of a course. FF850 to FF855, FF857.';

-- For members who recommend courses by their link.
-- @rpc authenticated
-- Members: courses that one's link can bring buyers to.
create function private.courses_on_sale() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if private.effective_level(caller) < 1 then
    perform private.fail('FF630', 'Your link opens with your membership.');
  end if;
  return jsonb_build_object(
    'referral_basis_points', (select t.referral_basis_points from private.selling_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object('slug', o.slug, 'title', o.title, 'price_pence', o.price_pence) order by o.title, o.slug)
      from (
        select x.slug, x.title, x.price_pence from private.open_course_offers x where x.mentor_id <> caller order by x.title, x.slug limit 200
      ) o
    ), '[]')
  );
end
$$;
comment on function private.courses_on_sale() is 'Courses of other mentors that can be bought now, and what a recommendation earns. FF630 for who is no member.';

-- selling/purchases.sql

create function private.note_payment_records(snapshot jsonb, kinds text[]) returns void
  language sql volatile set search_path = '' as $$
  insert into private.payment_records (
    kind, provider_id, status, charge_id, customer_id, subscription_id, amount, currency, reason, happened_at, respond_by
  )
  select r ->> 'kind', r ->> 'id', r ->> 'status', snapshot ->> 'charge_id', snapshot ->> 'customer_id', snapshot ->> 'subscription_id',
    (r ->> 'amount')::bigint, snapshot ->> 'currency', r ->> 'reason', to_timestamp((r ->> 'created')::bigint), to_timestamp((r ->> 'respond_by')::bigint)
  from jsonb_array_elements(snapshot -> 'records') r where r ->> 'kind' = any (kinds)
  on conflict on constraint payment_records_once do nothing
$$;
comment on function private.note_payment_records(jsonb, text[]) is 'Keeps what a reading says of a payment, its refunds and disputes, each state once.';

-- @rpc service_role
-- Server: open an attempt at buying a course.
create function private.billing_begin_course_purchase(member uuid, slug text, expected_pence integer, joining uuid default null) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  offer private.open_course_offers;
  held private.course_purchases;
  joined private.course_purchases;
  begun uuid;
begin
  perform private.lock_billing(member);
  select o.* into offer from private.open_course_offers o where o.slug = lower(btrim(billing_begin_course_purchase.slug));
  if not found then
    return jsonb_build_object('state', 'not_on_sale');
  end if;
  if offer.mentor_id = member then
    return jsonb_build_object('state', 'own_course');
  end if;
  select p.* into held from private.live_course_purchases l join private.course_purchases p on p.id = l.id
  where l.user_id = member and l.course_id = offer.course_id order by p.created_at desc limit 1;
  if found then
    -- The late second of two clicks, or the answer to the first was lost.
    return jsonb_build_object('state', case when held.created_at > clock_timestamp() - interval '15 minutes' then 'paid' else 'owned' end);
  end if;
  -- The bank may decide for the seller, and the buyer would have paid twice.
  if exists (
    select from private.course_purchases p join private.billing_charges b on b.payment_intent_id = p.payment_intent_id
    where p.user_id = member and p.course_id = offer.course_id and b.dispute = 'open' and not b.is_refunded
  ) then
    return jsonb_build_object('state', 'disputed');
  end if;
  if private.has_live_membership(member) or exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    return jsonb_build_object('state', 'included');
  end if;
  select a.* into held from private.course_purchases a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'purchase_id', held.id);
  end if;
  select a.* into joined from private.course_purchases a
  where a.id = joining and a.user_id = member and a.course_id = offer.course_id and a.state = 'needs_action'
    and a.amount_pence = expected_pence;
  if found then
    return jsonb_build_object('state', 'joined', 'payment_intent_id', joined.payment_intent_id);
  end if;
  -- Nobody pays a price that they did not see.
  if offer.price_pence is distinct from expected_pence then
    return jsonb_build_object('state', 'price_changed');
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.course_purchases a
      where a.user_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.course_purchases a set state = 'abandoned', checked_at = clock_timestamp() where a.id = held.id;
  insert into private.course_purchases as a (
    user_id, course_id, course_title, amount_pence, seller_id, share_basis_points, referral_basis_points
  )
  select member, offer.course_id, offer.title, offer.price_pence, private.ensure_affiliate(offer.mentor_id),
    t.share_basis_points, t.referral_basis_points
  from private.selling_terms t returning a.id into begun;
  return jsonb_build_object(
    'state', 'begun', 'purchase_id', begun, 'amount', offer.price_pence, 'title', offer.title,
    'leftovers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'purchase_id', a.id, 'payment_intent_id', a.payment_intent_id, 'is_same', a.course_id = offer.course_id
      )), '[]')
      from private.course_purchases a where a.user_id = member and a.state = 'abandoned'
    )
  );
end
$$;
comment on function private.billing_begin_course_purchase(uuid, text, integer, uuid) is
  'Opens an attempt at the price that the buyer saw and lists earlier ones to clean up; or why there is none.';

-- @rpc service_role
-- Server: claim a payment for an attempt before confirming it.
create function private.billing_record_course_payment(purchase uuid, payment_intent text) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  update private.course_purchases a
  set payment_intent_id = payment_intent, lease_until = clock_timestamp() + interval '60 seconds', checked_at = clock_timestamp()
  where a.id = purchase and a.state = 'working' and coalesce(a.payment_intent_id, payment_intent) = payment_intent
    -- Who became a member meanwhile, or is becoming one now, has the course with the membership.
    and not private.has_live_membership(a.user_id)
    and not exists (
      select from private.billing_attempts m
      where m.user_id = a.user_id and m.state = 'working' and m.lease_until > clock_timestamp()
    );
  return found;
end
$$;
comment on function private.billing_record_course_payment(uuid, text) is 'True when the attempt still counts and may confirm this payment.';

-- @rpc service_role
-- Server: close an attempt at buying a course.
create function private.billing_end_course_purchase(purchase uuid, outcome text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.course_purchases a set state = outcome, checked_at = clock_timestamp()
  where a.id = purchase and outcome in ('unknown', 'needs_action', 'paid', 'failed') and a.state <> 'failed'
    and (a.state in ('working', 'unknown', 'needs_action') or outcome in ('paid', 'failed'))
$$;
comment on function private.billing_end_course_purchase(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';

-- @rpc service_role
-- Server: purchases to finish before the account is deleted.
create function private.billing_open_course_purchases(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', a.id, 'payment_intent_id', a.payment_intent_id) order by a.created_at), '[]')
  from private.course_purchases a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action', 'abandoned')
$$;
comment on function private.billing_open_course_purchases(uuid) is 'Purchases of an account whose payment may still be made.';

-- Unfinished ones after their time, and paid ones once a day for as long as a card payment can be disputed.
-- @rpc service_role
-- Server: purchases of courses to compare with the provider.
create function private.billing_take_course_purchases() returns jsonb
  language sql volatile security definer set search_path = '' as $$
  with due as (
    select a.id from private.course_purchases a
    where a.state = 'working' and a.lease_until < now()
      or a.state = 'abandoned' and a.checked_at < now() - interval '5 minutes'
      or a.state in ('unknown', 'needs_action') and a.checked_at < now() - interval '1 hour'
      or a.state = 'paid' and a.checked_at < now() - interval '1 day' and a.created_at > now() - interval '200 days'
    order by a.checked_at limit 100 for update skip locked
  ), taken as (
    update private.course_purchases a set checked_at = now() from due where a.id = due.id
    returning a.id, a.payment_intent_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', t.id, 'payment_intent_id', t.payment_intent_id)), '[]') from taken t
$$;
comment on function private.billing_take_course_purchases() is 'Purchases of courses to compare with the provider, the longest unchecked first.';

-- studio/analytics-of-articles.sql

-- @rpc authenticated (course_id)
-- Mentors: the analytics of one of their courses as one object.
create function private.my_course_analytics(course uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.course_analytics(course);
end
$$;
comment on function private.my_course_analytics(uuid) is 'The analytics of a course of the caller; FF650, FF740 or FF300.';

-- @rpc authenticated (article_id)
-- Mentors: the analytics of one of their articles as one object.
create function private.my_article_analytics(article uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.article_analytics(article);
end
$$;
comment on function private.my_article_analytics(uuid) is 'The analytics of an article of the caller; FF650, FF740 or FF300.';

-- studio/analytics.sql

-- What mentors read about their own articles and courses. A caller who is not the mentor of a course, nor an administrator, is
-- answered as for a course that does not exist.

-- The variables make plans for the day and the texts at hand: few events are newer than the counted days.
create function private.content_figures(ids uuid[])
  returns table (content_id uuid, event text, day date, amount bigint)
  language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  since constant timestamptz :=
    (select s.counted_until from private.content_days_state s)::timestamp at time zone 'UTC';
begin
  return query
    select v.content_id, v.event, v.day, sum(v.amount)::bigint
    from (
      select d.content_id, d.event, d.day, d.amount::bigint from private.content_days d where d.content_id = any (ids)
      union all
      select r.article_id, 'read', (r.created_at at time zone 'UTC')::date, count(*)
      from public.article_reads r where r.article_id = any (ids) and r.created_at >= since group by 1, 3
      union all
      select e.course_id, 'enrolment', (e.created_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.created_at >= since group by 1, 3
      union all
      select e.course_id, 'completion', (e.completed_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.completed_at >= since group by 1, 3
      union all
      select m.module_id, 'completion', (m.created_at at time zone 'UTC')::date, count(*)
      from public.module_completions m where m.module_id = any (ids) and m.created_at >= since group by 1, 3
      union all
      select coalesce(q.article_id, q.module_id), 'question', (q.created_at at time zone 'UTC')::date, count(*)
      from private.content_questions q
      where (q.article_id = any (ids) or q.module_id = any (ids)) and q.created_at >= since group by 1, 3
    ) v
    group by 1, 2, 3 having sum(v.amount) <> 0;
end
$$;
comment on function private.content_figures(uuid[]) is 'Events of some texts by day (UTC), exact at this moment.';

-- @rpc authenticated
-- Mentors: their articles and courses with readers, reads, enrolments, completions and questions.
create function private.my_content_figures() returns table (
    content_id uuid, kind text, title text, category text, is_published boolean, readers bigint, reads bigint,
    enrolments bigint, completions bigint, questions bigint, open_questions bigint
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
begin
  return query
    with texts as materialized (
      select a.id, 'article' as kind, a.title, a.subcategory_id, a.is_published, a.created_at, 0 as enrolled
      from public.articles a where a.author_id = caller or is_admin
      union all
      select c.id, 'course', c.title, c.subcategory_id, c.is_published, c.created_at, c.enrollment_count
      from public.courses c where c.mentor_id = caller or is_admin
    ),
    -- Questions stand under the lessons of a course.
    parts as materialized (
      select t.id as text_id, t.id as part_id from texts t
      union all
      select m.course_id, m.id from public.course_modules m join texts t on t.id = m.course_id
    ),
    figures as (
      select p.text_id, sum(f.amount) filter (where f.event = 'read') as reads,
        sum(f.amount) filter (where f.event = 'completion' and p.part_id = p.text_id) as completions,
        sum(f.amount) filter (where f.event = 'question') as questions
      from private.content_figures((select array_agg(part_id) from parts)) f
      join parts p on p.part_id = f.content_id group by p.text_id
    ),
    waiting as (
      select p.text_id, count(*) as questions from private.content_questions q
      join parts p on p.part_id = coalesce(q.article_id, q.module_id) where q.answer is null group by p.text_id
    )
    select t.id, t.kind, t.title, s.main_category, t.is_published,
      case t.kind when 'article' then (select count(*) from public.article_opens o where o.article_id = t.id) else 0 end,
      coalesce(f.reads, 0)::bigint, t.enrolled::bigint, coalesce(f.completions, 0)::bigint,
      coalesce(f.questions, 0)::bigint, coalesce(w.questions, 0)
    from texts t
    join public.subcategories s on s.id = t.subcategory_id
    left join figures f on f.text_id = t.id
    left join waiting w on w.text_id = t.id
    order by t.created_at desc, t.id;
end
$$;
comment on function private.my_content_figures() is
  'The caller''s articles and courses with their figures, newest first; everyone''s for administrators. FF650 for other callers.';

create function private.course_analytics(course uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  own constant public.courses := private.require_own_course(course);
  today constant date := (now() at time zone 'UTC')::date;
  first_week constant date := date_trunc('week', today)::date - 77;
begin
  return (
    with lessons as materialized (
      select m.id, m.title, m.module_order, m.is_published from public.course_modules m where m.course_id = course
    ), figures as materialized (
      select f.* from private.content_figures(array(select id from lessons) || course) f
    ), totals as materialized (
      select f.content_id, f.event, sum(f.amount) as amount from figures f group by f.content_id, f.event
    ), days as (
      select f.day, sum(f.amount) filter (where f.event = 'enrolment') as enrolments,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id <> course) as lessons,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id = course) as completions
      from figures f where f.day > today - 90 group by f.day
    )
    select jsonb_build_object(
      'id', own.id, 'title', own.title, 'is_published', own.is_published, 'enrolments', count(*), 'completions', count(e.completed_at),
      'median_days', round((percentile_cont(0.5) within group (
        order by extract(epoch from e.completed_at - e.created_at) / 86400
      ))::numeric, 1),
      'questions', (select coalesce(sum(t.amount), 0) from totals t where t.event = 'question'),
      'open_questions', (
        select count(*) from private.content_questions q where q.module_id in (select id from lessons) and q.answer is null
      ),
      'modules', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', m.id, 'title', m.title, 'is_published', m.is_published, 'completions', coalesce(t.amount, 0)
        ) order by m.module_order, m.id), '[]')
        from lessons m left join totals t on t.content_id = m.id and t.event = 'completion'
      ),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'day', d.day, 'enrolments', coalesce(d.enrolments, 0), 'lessons', coalesce(d.lessons, 0),
          'completions', coalesce(d.completions, 0)
        ) order by d.day), '[]') from days d
      ),
      'cohorts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'week', k.week, 'enrolments', k.members, 'completions', k.completions
        ) order by k.week desc), '[]')
        from (
          select date_trunc('week', n.created_at at time zone 'UTC')::date as week, count(*) as members,
            count(n.completed_at) as completions
          from public.course_enrollments n
          where n.course_id = course and n.created_at >= first_week::timestamp at time zone 'UTC' group by 1
        ) k
      ),
      'today', today,
      'comparison', private.course_comparison(own)
    )
    from public.course_enrollments e where e.course_id = course
  );
end
$$;
comment on function private.course_analytics(uuid) is
  'Everything the analytics of one course show: lessons in order, 90 days, cohorts of twelve weeks, comparison. FF650, FF740.';

-- studio/content-days.sql

-- What happened with each article, course and lesson on each finished day. Days that are not finished are counted from the
-- events themselves, so the sum of both is exact at any moment.
create table private.content_days (
  id bigint generated always as identity primary key,
  content_id uuid not null,
  event text not null constraint content_days_event_check check (event in ('read', 'enrolment', 'completion', 'question')),
  day date not null,
  amount integer not null constraint content_days_amount_check check (amount <> 0)
);
comment on table private.content_days is 'Events of finished days by article, course or lesson. Written by count_content_days.';
comment on column private.content_days.content_id is 'An article, a course or a lesson; without a reference, because rows of what is gone are never read.';
comment on column private.content_days.event is 'read: an article marked as read. completion: of a course, or of a lesson.';
comment on column private.content_days.day is 'Day in UTC.';
comment on column private.content_days.amount is 'Number of events; negative for events that were deleted after their day was counted.';
create index content_days_content_id_idx on private.content_days (content_id, event, day) include (amount);
create index content_days_day_idx on private.content_days (day);
alter table private.content_days enable row level security;

-- Until the first run everything is counted from the events.
create table private.content_days_state (
  is_only boolean primary key default true constraint content_days_state_is_only_check check (is_only),
  counted_until date not null
);
comment on table private.content_days_state is 'How far content_days reaches, in one row.';
comment on column private.content_days_state.counted_until is 'The first day that is not in content_days.';
alter table private.content_days_state enable row level security;

reset check_function_bodies;
