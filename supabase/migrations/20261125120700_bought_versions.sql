-- Buyers read the version that they bought and move on by choice, as members do. What they complete counts wherever it was completed.
alter table private.course_purchases add column course_version integer not null default 1;
comment on column private.course_purchases.course_version is 'The version the buyer takes; older than the course''s own when a newer one has come out.';

create function private.tg_course_purchases__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;
revoke all on function private.tg_course_purchases__begin_version from public, anon, authenticated, service_role;
create trigger course_purchases__begin_version before insert on private.course_purchases
  for each row execute function private.tg_course_purchases__begin_version();

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
revoke all on function private.lessons_of_version from public, anon, authenticated, service_role;
comment on function private.lessons_of_version(uuid, integer, uuid) is
  'The lessons of one version of a course, with when one account completed them as a buyer or as a member.';

create function private.bought_version(member uuid, course uuid) returns integer
  language sql stable set search_path = '' as $$
  select p.course_version from private.live_course_purchases l join private.course_purchases p on p.id = l.id
  where l.user_id = member and l.course_id = course order by p.created_at desc limit 1
$$;
revoke all on function private.bought_version from public, anon, authenticated, service_role;
comment on function private.bought_version(uuid, uuid) is 'The version of a course that its buyer takes; null for anybody else.';

create or replace function private.my_courses() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'purchase_id', p.id, 'course_id', p.course_id, 'slug', o.slug, 'title', p.course_title, 'amount_pence', p.amount_pence,
      'bought_at', coalesce(r.happened_at, p.created_at), 'number', c.charge_id, 'refunded_pence', coalesce(c.amount_refunded, 0),
      'card_brand', c.card_brand, 'card_last4', c.card_last4,
      'state', case
        when c.charge_id is null then 'waiting' when c.is_refunded then 'refunded' when c.dispute in ('open', 'lost') then 'disputed'
        else 'paid' end,
      'lessons', l.lessons, 'completed', l.completed
    ) order by p.created_at desc)
    from private.course_purchases p
    cross join lateral (
      select count(*) as lessons, count(x.completed_at) as completed
      from private.lessons_of_version(p.course_id, p.course_version, caller) x
    ) l
    left join private.course_offers o on o.course_id = p.course_id
    left join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
    left join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
    where p.user_id = caller
      and (c.charge_id is not null or p.state in ('working', 'unknown', 'needs_action') and p.checked_at > now() - interval '1 hour')
  ), '[]');
end
$$;

-- A version that is completed gives way to the newest one, which then has lessons left but is not begun again.
create or replace function private.bought_course(course uuid) returns jsonb
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

create or replace function private.complete_bought_lesson(module uuid) returns void
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
revoke all on function private.take_newest_bought_version from public, anon, authenticated, service_role;
comment on function private.take_newest_bought_version(uuid) is 'Moves a buyer to the newest version of a course; what was completed stays. FF856.';
grant execute on function private.take_newest_bought_version(uuid) to authenticated;
create function public.take_newest_bought_version(course uuid) returns void
  language sql volatile set search_path = '' as $$ select private.take_newest_bought_version(course) $$;
revoke all on function public.take_newest_bought_version from public, anon, authenticated, service_role;
comment on function public.take_newest_bought_version(uuid) is 'A buyer takes the newest version of a course.';
grant execute on function public.take_newest_bought_version(uuid) to authenticated;
