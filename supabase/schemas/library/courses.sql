-- Courses. Counts and progress sent by a client are replaced with the stored values.
create function private.tg_courses__keep_counts() returns trigger
  language plpgsql set search_path = '' as $$
begin
  return case when private.is_outside_caller() then old else new end;
end
$$;
create trigger courses__keep_counts before update on public.courses
  for each row execute function private.tg_courses__keep_counts();

create function private.tg_course_enrollments__keep_progress() returns trigger
  language plpgsql set search_path = '' as $$
begin
  return case when private.is_outside_caller() then old else new end;
end
$$;
create trigger course_enrollments__keep_progress before update on public.course_enrollments
  for each row execute function private.tg_course_enrollments__keep_progress();

create function private.tg_course_enrollments__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id = auth.uid() then
    if not exists (
      select from public.courses c
      where c.id = new.course_id and c.is_published and c.subcategory_id in (select private.caller_subcategories())
    ) then
      perform private.fail('FF404', 'This course is not open to you.');
    end if;
    new.enrolled_from := private.known_source(new.enrolled_from);
  end if;
  return new;
end
$$;
create trigger course_enrollments__guard_insert before insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__guard_insert();

-- Courses are always locked in the same order, which rules out deadlocks.
create function private.tg_course_enrollments__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.courses c where c.id in (select course_id from changed) order by c.id for no key update;
  update public.courses c
  set enrollment_count = greatest(0, c.enrollment_count + case tg_op when 'INSERT' then n.members else -n.members end)
  from (select course_id, count(*)::integer as members from changed group by course_id) n
  where c.id = n.course_id;
  return null;
end
$$;
create trigger course_enrollments__count_added after insert on public.course_enrollments
  referencing new table as changed
  for each statement execute function private.tg_course_enrollments__count();

create trigger course_enrollments__count_gone after delete on public.course_enrollments
  referencing old table as changed
  for each statement execute function private.tg_course_enrollments__count();

-- Progress is a share of the version the member takes.
create function private.refresh_progress(course uuid, member uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  category text := (
    select s.main_category from public.courses c join public.subcategories s on s.id = c.subcategory_id where c.id = course
  );
  mentor constant uuid := (select c.mentor_id from public.courses c where c.id = course);
  taken integer;
  modules uuid[];
  enrolment record;
begin
  -- Counted after the lock is taken.
  perform from public.course_enrollments e
  where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member)
  order by e.user_id for update;
  for taken in
    select distinct e.course_version from public.course_enrollments e
    where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member) order by 1
  loop
    modules := array(select private.modules_of_version(course, taken));
    continue when cardinality(modules) = 0;
    for enrolment in
      select e.user_id, (
        select count(*) from public.module_completions d where d.user_id = e.user_id and d.module_id = any (modules)
      )::integer as done
      from public.course_enrollments e
      where e.course_id = course and e.completed_at is null and e.course_version = taken and (member is null or e.user_id = member)
      order by e.user_id
    loop
      update public.course_enrollments e
      set progress_percentage = round(100.0 * enrolment.done / cardinality(modules)),
        completed_at = case when enrolment.done = cardinality(modules) then clock_timestamp() end
      where e.course_id = course and e.user_id = enrolment.user_id;
      -- Mentors complete their own courses as members do, but nobody rises by their own text.
      if enrolment.done = cardinality(modules) and enrolment.user_id is distinct from mentor then
        perform private.record_progress_event(enrolment.user_id, 'course_completed', course::text, category);
      end if;
    end loop;
  end loop;
end
$$;
comment on function private.refresh_progress(uuid, uuid) is
  'Updates the progress of uncompleted enrolments of one member or of all; completes those with every module done.';

-- A lesson that is gone from the course is still completed by who takes the version it belongs to.
create function private.lock_enrollment(module uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  course uuid;
begin
  select m.course_id into course from public.course_modules m
  where m.id = module and (m.is_published or exists (
    select from public.course_enrollments e
    where e.user_id = caller and e.course_id = m.course_id and e.completed_at is null
      and m.id in (select private.modules_of_version(e.course_id, e.course_version))
  )) for key share;
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  perform from public.course_enrollments e where e.user_id = caller and e.course_id = course for update;
end
$$;
comment on function private.lock_enrollment(uuid) is 'Locks the caller''s enrolment in the course of a module; raises FF405 without one.';
grant execute on function private.lock_enrollment to authenticated;

create function private.tg_module_completions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() and new.user_id = auth.uid() then
    perform private.lock_enrollment(new.module_id);
  end if;
  return new;
end
$$;
create trigger module_completions__guard_insert before insert on public.module_completions
  for each row execute function private.tg_module_completions__guard_insert();

create function private.tg_module_completions__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.refresh_progress(p.course_id, p.user_id)
  from (
    select distinct m.course_id, a.user_id from added a
    join public.course_modules m on m.id = a.module_id order by m.course_id, a.user_id
  ) p;
  return null;
end
$$;
create trigger module_completions__count after insert on public.module_completions
  referencing new table as added
  for each statement execute function private.tg_module_completions__count();

-- Adding or removing a module changes the progress of every member who has not completed the course.
create function private.tg_course_modules__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  course uuid;
begin
  for course in select distinct c.course_id from changed c order by c.course_id loop
    perform from public.courses c where c.id = course for no key update;
    update public.courses c set module_count = m.modules
    from (
      select count(*)::integer as modules from public.course_modules m where m.course_id = course and m.is_published
    ) m
    where c.id = course and c.module_count <> m.modules;
    perform private.refresh_progress(course);
  end loop;
  return null;
end
$$;
create trigger course_modules__count_added after insert on public.course_modules
  referencing new table as changed
  for each statement execute function private.tg_course_modules__count();

create trigger course_modules__count_changed after update on public.course_modules
  referencing new table as changed
  for each statement execute function private.tg_course_modules__count();

create trigger course_modules__count_gone after delete on public.course_modules
  referencing old table as changed
  for each statement execute function private.tg_course_modules__count();
