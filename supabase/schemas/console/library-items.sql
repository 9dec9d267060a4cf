-- Articles and courses of the console: find them, publish, withdraw, feature. A completion is never taken away.
-- @rpc authenticated
-- Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).
create function private.admin_library_items(shelf text, search text default ''::text, category text default NULL::text, subcategory uuid default NULL::uuid, status text default NULL::text, page_size integer default 50, skip integer default 0)
  returns table(id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone) language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant text := private.search_key(left(coalesce(search, ''), 200));
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
    where (wanted = '' or position(wanted in private.search_key(i.title)) > 0 or position(wanted in i.slug) > 0)
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
comment on function private.admin_library_items(text,text,text,uuid,text,integer,integer) is 'Articles or courses, withdrawn ones too, in the order of the library; at most 200. readers: members who read or completed it.';

-- Drafts are locked before the rows of the library, as publishing locks them.
-- @rpc authenticated (shelf, item_id, is_published, is_featured)
-- Administrators: publish, withdraw or feature an article or a course.
create function private.edit_content_item(
  shelf text, item uuid, is_published boolean default null, is_featured boolean default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  was jsonb;
  becomes jsonb;
begin
  perform private.require_shelf(shelf);
  perform from public.drafts d where d.article_id = item or d.course_id = item for no key update;
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
  if (was ->> 'is_published')::boolean and not (becomes ->> 'is_published')::boolean then
    perform private.review_withdrawn(item);
  end if;
end
$function$;
comment on function private.edit_content_item(text,uuid,boolean,boolean) is 'Publishes, withdraws or features an article or a course; null keeps a mark. A withdrawal has what is scheduled over it reviewed again. Reads and completions stay. FF005 without a second factor. Audited.';

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
comment on function private.level_supply() is
  'Every requirement with the number of rooms, articles or courses there are for it; null where members make them.';

-- @rpc authenticated
-- Administrators: what each level asks for, and how much of it there is.
create function private.admin_level_supply()
  returns table (level integer, kind text, category text, needed integer, available integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query select * from private.level_supply();
end
$$;
comment on function private.admin_level_supply() is 'level_supply for administrators.';
