-- Mentors choose among all subcategories, also of levels they have not reached themselves.

create function private.studio_subcategories() returns table (id uuid, main_category text, slug text, name text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_mentor();
  return query
    select s.id, s.main_category, s.slug, s.name from public.subcategories s where s.is_active
    order by s.main_category, s.display_order, s.name;
end
$$;
revoke all on function private.studio_subcategories from public, anon, authenticated, service_role;
comment on function private.studio_subcategories() is 'The subcategories something can be published in; FF650 for other callers than mentors.';
grant execute on function private.studio_subcategories() to authenticated;

create function public.studio_subcategories() returns table (id uuid, main_category text, slug text, name text)
  language sql stable set search_path = '' as $$ select * from private.studio_subcategories() $$;
revoke all on function public.studio_subcategories from public, anon, authenticated, service_role;
comment on function public.studio_subcategories() is 'Mentors: the subcategories something can be published in.';
grant execute on function public.studio_subcategories() to authenticated;
