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
