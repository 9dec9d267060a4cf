create or replace function private.course_offer (
  slug text
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'slug', o.slug, 'title', c.title, 'description', c.description, 'outcomes', to_jsonb(o.outcomes),
    'price_pence', o.price_pence, 'minutes', c.estimated_duration, 'difficulty', c.difficulty_level,
    'thumbnail_url', c.thumbnail_url, 'category', s.main_category, 'topic', s.slug, 'course_slug', c.slug,
    'mentor', btrim(concat_ws(' ', p.first_name, p.last_name)), 'mentor_picture', p.avatar_url,
    'mentor_occupation', p.occupation, 'rating_count', c.rating_count, 'rating_sum', c.rating_sum,
    'subject', s.name, 'refund_days', t.refund_days,
    'reviews', private.quoted_reviews(c.id),
    'lessons', (
      select jsonb_agg(jsonb_build_object('title', m.title, 'minutes', m.estimated_duration, 'is_free', m.id = o.free_module_id)
        order by m.module_order)
      from public.course_modules m where m.course_id = c.id and m.is_published
    ),
    'free_lesson', (
      select jsonb_build_object('title', m.title, 'content', m.content, 'has_film', m.video_url is not null)
      from public.course_modules m where m.id = o.free_module_id and m.course_id = c.id and m.is_published
    )
  )
  from private.open_course_offers o
  join public.courses c on c.id = o.course_id
  join public.subcategories s on s.id = c.subcategory_id
  join public.profiles p on p.id = c.mentor_id
  cross join private.selling_terms t
  where o.slug = lower(btrim(course_offer.slug))
$function$;
