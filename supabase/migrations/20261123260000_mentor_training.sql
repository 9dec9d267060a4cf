-- Subcategories that mentors read from their first day, whatever their level: what they need for teaching is there.
alter table public.subcategories add column open_to_mentors boolean not null default false;
comment on column public.subcategories.open_to_mentors is 'Mentors with a live membership read it at every level. Set by the importer from the front matter of the subcategory.';
grant select (open_to_mentors) on table public.subcategories to authenticated;

create or replace function private.caller_subcategories() returns setof uuid
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
