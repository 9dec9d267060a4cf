-- Mentors ask under what is open to all mentors, whatever their level, as the policies of articles and modules let them read it.
create or replace function private.may_read_text(member uuid, article uuid, module uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  level constant integer := private.effective_level(member);
  allowed constant text[] := private.open_categories(level);
  is_mentor constant boolean := level > 0
    and exists (select from public.profiles p where p.id = member and p.role = 'mentor');
begin
  return private.text_author(article, module) = member is true
    or exists (select from public.profiles p where p.id = member and p.role = 'admin')
      and (exists (select from public.articles a where a.id = article)
        or exists (select from public.course_modules m where m.id = module))
    or exists (
      select from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.id = article and a.is_published and s.is_active
        and (s.main_category = any (allowed) or is_mentor and s.open_to_mentors)
    )
    or exists (
      select from public.course_modules m
      join public.courses c on c.id = m.course_id
      join public.subcategories s on s.id = c.subcategory_id
      join public.course_enrollments e on e.course_id = c.id and e.user_id = member
      where m.id = module and m.is_published and c.is_published and s.is_active
        and (s.main_category = any (allowed) or is_mentor and s.open_to_mentors)
    );
end
$$;
