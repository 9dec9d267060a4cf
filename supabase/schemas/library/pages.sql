-- One request for each page. These functions run with the caller's rights, so the policies apply.
create function private.category_access(category text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  needed integer := private.category_level(category);
  level integer := private.caller_effective_level();
begin
  if needed is null then
    perform private.fail('FF406', 'There is no such category.');
  end if;
  return jsonb_build_object(
    'category', category, 'required_level', needed, 'level', level, 'is_open', level >= needed
  );
end
$$;
comment on function private.category_access(text) is 'The category with its level, the caller''s level and whether it is open, for every page of the library.';
grant execute on function private.category_access to authenticated;

create function private.require_shelf(shelf text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if shelf is null or shelf not in ('articles', 'courses') then
    perform private.fail('FF407', 'A shelf holds articles or courses.');
  end if;
end
$$;
comment on function private.require_shelf(text) is 'Raises FF407 for anything but articles and courses.';
grant execute on function private.require_shelf to authenticated;

create function public.category_home(category text, shelf text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  gate jsonb := private.category_access(category);
  cards jsonb;
begin
  perform private.require_shelf(shelf);
  with items as (
    select a.subcategory_id, r.article_id is not null as done, false as free, false as begun
    from public.articles a
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where shelf = 'articles' and a.is_published
    union all
    select c.subcategory_id, e.completed_at is not null, c.is_free, e.course_id is not null
    from public.courses c
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where shelf = 'courses' and c.is_published
  ),
  counts as (
    select i.subcategory_id, count(*)::integer as items, (count(*) filter (where i.done))::integer as done,
      (count(*) filter (where i.free))::integer as free, (count(*) filter (where i.begun))::integer as begun
    from items i group by i.subcategory_id
  )
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'slug', s.slug, 'name', s.name, 'description', s.description, 'color', s.color, 'icon', s.icon,
      'item_count', coalesce(n.items, 0), 'done_count', coalesce(n.done, 0),
      'free_count', coalesce(n.free, 0), 'enrolled_count', coalesce(n.begun, 0),
      'progress', coalesce(round(100.0 * n.done / n.items), 0), 'is_complete', coalesce(n.done = n.items, false)
    ) order by s.display_order, s.name), '[]')
    into cards
  from public.subcategories s left join counts n on n.subcategory_id = s.id
  where s.main_category = category and s.is_active;
  return gate || jsonb_build_object('shelf', shelf, 'subcategories', cards);
end
$$;
comment on function public.category_home(text, text) is
  'The page of a category as one object: the category and a card for each subcategory with the caller''s counts.';
grant execute on function public.category_home to authenticated;

-- What a page about a text shows: whose it is, how it is rated, and what a course holds before one enrols.
create function private.article_cards(subcategory uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', a.id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt, 'featured_image_url', a.featured_image_url,
      'is_featured', a.is_featured, 'estimated_read_time', a.estimated_read_time, 'tags', a.tags,
      'read_count', a.read_count, 'created_at', a.created_at,
      'author_id', a.author_id, 'author_first_name', p.first_name, 'author_role', p.role,
      'rating_count', a.rating_count, 'rating', round(a.rating_sum::numeric / nullif(a.rating_count, 0), 1),
      'is_read', r.article_id is not null
    ) order by a.is_featured desc, a.created_at desc, a.display_order)
    from public.articles a
    left join public.profiles p on p.id = a.author_id
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where a.subcategory_id = subcategory and a.is_published
  ), '[]');
end
$$;
comment on function private.article_cards(uuid) is 'Cards of the published articles of a subcategory, featured first, then newest.';
grant execute on function private.article_cards to authenticated;

create function private.course_cards(subcategory uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'slug', c.slug, 'title', c.title, 'description', c.description, 'thumbnail_url', c.thumbnail_url,
      'is_featured', c.is_featured, 'is_free', c.is_free, 'price', c.price, 'estimated_duration', c.estimated_duration,
      'difficulty_level', c.difficulty_level, 'enrollment_count', c.enrollment_count, 'module_count', c.module_count,
      'created_at', c.created_at, 'mentor_id', c.mentor_id, 'mentor_first_name', p.first_name, 'mentor_role', p.role,
      'rating_count', c.rating_count, 'rating', round(c.rating_sum::numeric / nullif(c.rating_count, 0), 1),
      'is_enrolled', e.course_id is not null, 'progress_percentage', coalesce(e.progress_percentage, 0),
      'completed_at', e.completed_at
    ) order by c.is_featured desc, c.created_at desc, c.display_order)
    from public.courses c
    left join public.profiles p on p.id = c.mentor_id
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where c.subcategory_id = subcategory and c.is_published
  ), '[]');
end
$$;
comment on function private.course_cards(uuid) is 'Cards of the published courses of a subcategory, featured first, then newest.';
grant execute on function private.course_cards to authenticated;

create function public.subcategory_page(category text, slug text, shelf text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  gate jsonb := private.category_access(category);
  found_shelf public.subcategories;
begin
  perform private.require_shelf(shelf);
  select s.* into found_shelf from public.subcategories s
  where s.main_category = category and s.slug = subcategory_page.slug and s.is_active;
  if not found then
    return gate || jsonb_build_object('shelf', shelf, 'subcategory', null, 'items', '[]'::jsonb);
  end if;
  return gate || jsonb_build_object(
    'shelf', shelf,
    'subcategory', jsonb_build_object(
      'id', found_shelf.id, 'slug', found_shelf.slug, 'name', found_shelf.name,
      'description', found_shelf.description, 'color', found_shelf.color, 'icon', found_shelf.icon
    ),
    'items', case shelf when 'articles' then private.article_cards(found_shelf.id) else private.course_cards(found_shelf.id) end
  );
end
$$;
comment on function public.subcategory_page(text, text, text) is
  'The page of a subcategory as one object: the category, the subcategory (null when the caller sees none) and its cards.';
grant execute on function public.subcategory_page to authenticated;
