-- The export of the studio names covers, so that their pictures are files beside the texts.
create or replace function private.published_work(author uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(w.work order by w.display_order, w.slug), '[]') from (
    select a.display_order, a.slug, jsonb_build_object(
      'kind', 'article', 'subcategory_id', a.subcategory_id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt,
      'content', a.content, 'tags', a.tags, 'difficulty_level', 'beginner', 'price', 0, 'modules', '[]'::jsonb,
      'cover', a.featured_image_url, 'is_featured', a.is_featured, 'display_order', a.display_order,
      'has_published_version', false
    ) as work
    from public.articles a where a.author_id = author and a.is_published
    union all
    select c.display_order, c.slug, jsonb_build_object(
      'kind', 'course', 'subcategory_id', c.subcategory_id, 'slug', c.slug, 'title', c.title, 'excerpt', c.description,
      'content', '', 'tags', '[]'::jsonb, 'difficulty_level', c.difficulty_level, 'price', c.price,
      'cover', c.thumbnail_url, 'is_featured', c.is_featured, 'display_order', c.display_order,
      'has_published_version', false, 'modules', coalesce((
        select jsonb_agg(jsonb_build_object('slug', m.slug, 'title', m.title, 'content', m.content,
          'minutes', m.estimated_duration, 'video_url', m.video_url) order by m.module_order, m.slug)
        from public.course_modules m where m.course_id = c.id and m.is_published
      ), '[]')
    )
    from public.courses c where c.mentor_id = author and c.is_published
  ) w
$$;
