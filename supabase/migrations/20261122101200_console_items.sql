-- Articles and courses of the console: find them, publish, withdraw, feature. A completion is never taken away.

create function private.content_items(
  shelf text, search text, category text, subcategory uuid, status text, page_size integer, skip integer
)
  returns table (
    id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text,
    subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer,
    created_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  wanted text := lower(btrim(coalesce(search, '')));
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
    where (wanted = '' or position(wanted in lower(i.title)) > 0 or position(wanted in i.slug) > 0)
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
revoke all on function private.content_items from public, anon, authenticated, service_role;
comment on function private.content_items(text, text, text, uuid, text, integer, integer) is
  'Articles or courses, withdrawn ones too, in the order of the library; at most 200. readers: members who read or completed it.';
grant execute on function private.content_items(text, text, text, uuid, text, integer, integer) to authenticated;

create function private.edit_content_item(shelf text, item uuid, is_published boolean, is_featured boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  was jsonb;
  becomes jsonb;
begin
  perform private.require_shelf(shelf);
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
end
$$;
revoke all on function private.edit_content_item from public, anon, authenticated, service_role;
comment on function private.edit_content_item(text, uuid, boolean, boolean) is
  'Publishes, withdraws or features an article or a course; null keeps a mark. Reads and completions stay. Audited.';
grant execute on function private.edit_content_item(text, uuid, boolean, boolean) to authenticated;

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
revoke all on function private.level_supply from public, anon, authenticated, service_role;
comment on function private.level_supply() is
  'Every requirement with the number of rooms, articles or courses there are for it; null where members make them.';

create function private.content_supply()
  returns table (level integer, kind text, category text, needed integer, available integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query select * from private.level_supply();
end
$$;
revoke all on function private.content_supply from public, anon, authenticated, service_role;
comment on function private.content_supply() is 'level_supply for administrators.';
grant execute on function private.content_supply() to authenticated;

-- The API functions.
create function public.content_items(
  shelf text, search text default '', category text default null, subcategory uuid default null,
  status text default null, page_size integer default 50, skip integer default 0
)
  returns table (
    id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text,
    subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer,
    created_at timestamptz
  )
  language sql stable set search_path = '' as $$
  select * from private.content_items(shelf, search, category, subcategory, status, page_size, skip)
$$;
revoke all on function public.content_items from public, anon, authenticated, service_role;
create function public.edit_content_item(
  shelf text, item_id uuid, is_published boolean default null, is_featured boolean default null
) returns void
  language sql volatile set search_path = '' as $$
  select private.edit_content_item(shelf, item_id, is_published, is_featured)
$$;
revoke all on function public.edit_content_item from public, anon, authenticated, service_role;
create function public.content_supply()
  returns table (level integer, kind text, category text, needed integer, available integer)
  language sql stable set search_path = '' as $$ select * from private.content_supply() $$;
revoke all on function public.content_supply from public, anon, authenticated, service_role;
comment on function public.content_items(text, text, text, uuid, text, integer, integer) is
  'Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).';
comment on function public.edit_content_item(text, uuid, boolean, boolean) is
  'Administrators: publish, withdraw or feature an article or a course.';
comment on function public.content_supply() is 'Administrators: what each level asks for, and how much of it there is.';
grant execute on function public.content_items(text, text, text, uuid, text, integer, integer),
  public.edit_content_item(text, uuid, boolean, boolean), public.content_supply()
  to authenticated;
