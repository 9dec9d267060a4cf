-- What the caller may read. Policies call each function once a statement; plpgsql caches the plans.
create function private.open_categories(level integer) returns text[]
  language sql immutable set search_path = '' as $$
  select array(
    select c from unnest(array['general', 'business', 'wealth']) c where private.category_level(c) <= level
  )
$$;
comment on function private.open_categories(integer) is 'Main categories a level opens.';

create function private.caller_subcategories() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  level integer := private.caller_effective_level();
  open_to_caller text[] := private.open_categories(level);
  is_mentor boolean := level > 0
    and exists (select from public.profiles p where p.id = auth.uid() and p.role = 'mentor');
begin
  return query
    select s.id from public.subcategories s
    where s.is_active and (s.main_category = any (open_to_caller) or (is_mentor and s.open_to_mentors));
end
$$;
comment on function private.caller_subcategories() is 'Active subcategories in the categories the caller''s level opens, and for mentors those open to all mentors.';
grant execute on function private.caller_subcategories to authenticated;

-- Mentors see their own articles and courses at any level, and the subcategories those belong to.
create function private.caller_studio_subcategories() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select private.caller_subcategories();
  return query select a.subcategory_id from public.articles a where a.author_id = auth.uid();
  return query select c.subcategory_id from public.courses c where c.mentor_id = auth.uid();
end
$$;
comment on function private.caller_studio_subcategories() is 'Subcategories the caller may see: those of the caller''s level and those with the caller''s own work.';
grant execute on function private.caller_studio_subcategories to authenticated;

create function private.caller_enrolled_courses() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select c.id from public.course_enrollments e
    join public.courses c on c.id = e.course_id
    where e.user_id = auth.uid() and c.is_published and c.subcategory_id in (select private.caller_subcategories());
end
$$;
comment on function private.caller_enrolled_courses() is 'Published courses the caller is enrolled in and has the level for.';
grant execute on function private.caller_enrolled_courses to authenticated;

create function private.caller_own_courses() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select c.id from public.courses c where c.mentor_id = auth.uid();
end
$$;
comment on function private.caller_own_courses() is 'Courses the caller wrote.';
grant execute on function private.caller_own_courses to authenticated;

create policy select_level_or_own on public.subcategories for select to authenticated using (
  id in (select private.caller_studio_subcategories()) or (select private.caller_is_admin())
);

create policy select_level_or_own on public.articles for select to authenticated using (
  (is_published and subcategory_id in (select private.caller_subcategories()))
  or author_id = (select auth.uid())
  or (select private.caller_is_admin())
);

create policy update_level on public.articles for update to authenticated using (
  is_published and subcategory_id in (select private.caller_subcategories())
);

create policy select_level_or_own on public.courses for select to authenticated using (
  (is_published and subcategory_id in (select private.caller_subcategories()))
  or mentor_id = (select auth.uid())
  or (select private.caller_is_admin())
);

create policy update_level on public.courses for update to authenticated using (
  is_published and subcategory_id in (select private.caller_subcategories())
);

create policy select_enrolled_or_own on public.course_modules for select to authenticated using (
  (is_published and course_id in (select private.caller_enrolled_courses()))
  or course_id in (select private.caller_own_courses())
  or (select private.caller_is_admin())
);

create policy select_own on public.article_opens for select to authenticated
  using (user_id = (select auth.uid()));

create policy select_own on public.article_reads for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.article_reads for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy select_own on public.course_enrollments for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.course_enrollments for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.course_enrollments for update to authenticated
  using (user_id = (select auth.uid()));

create policy select_own on public.module_completions for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.module_completions for insert to authenticated
  with check (user_id = (select auth.uid()));
