-- What buyers read: the courses they bought, by functions of their own, so that no policy of the library opens for them.
create table private.bought_lessons (
  user_id uuid not null references auth.users (id) on delete cascade,
  module_id uuid not null references public.course_modules (id) on delete cascade,
  completed_at timestamptz not null default now(),
  primary key (user_id, module_id)
);
comment on table private.bought_lessons is 'Lessons that buyers completed. They count for levels only once a member enrols in the course.';
create index bought_lessons_module_id_idx on private.bought_lessons (module_id);
alter table private.bought_lessons enable row level security;

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
create trigger course_enrollments__bring_bought after insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__bring_bought();

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
