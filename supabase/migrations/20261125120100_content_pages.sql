-- What a page about a text shows: whose it is, how it is rated, and what a course holds before one enrols.
create or replace function private.article_cards(subcategory uuid) returns jsonb
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

create or replace function private.course_cards(subcategory uuid) returns jsonb
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

-- Titles and minutes only: the lessons themselves are for who is enrolled.
create function private.course_syllabus(course uuid) returns table (title text, minutes integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_caller();
  if not exists (
    select from public.courses c where c.id = course
      and (c.is_published and c.subcategory_id in (select private.caller_subcategories())
        or c.mentor_id = auth.uid() or private.caller_is_admin())
  ) then
    perform private.fail('FF404', 'This course is not open to you.');
  end if;
  return query
    select m.title, m.estimated_duration from public.course_modules m
    where m.course_id = course and m.is_published order by m.module_order, m.id;
end
$$;
revoke all on function private.course_syllabus from public, anon, authenticated, service_role;
comment on function private.course_syllabus(uuid) is 'Titles and minutes of the published modules of a course the caller may see, in order; FF404.';
grant execute on function private.course_syllabus(uuid) to authenticated;
create function public.course_syllabus(course_id uuid) returns table (title text, minutes integer)
  language sql stable set search_path = '' as $$ select * from private.course_syllabus(course_id) $$;
revoke all on function public.course_syllabus from public, anon, authenticated, service_role;
comment on function public.course_syllabus(uuid) is 'What a course holds, also before one enrols: titles and minutes of its modules.';
grant execute on function public.course_syllabus(uuid) to authenticated;

-- The mentor reads the sentences without names. What could tell whose they are is left out: the day, their order within a month,
-- and gaps made by a block.
create function private.require_own_text(article uuid, course uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
begin
  if num_nonnulls(article, course) <> 1 or not exists (
    select from public.articles a where a.id = article and (a.author_id = caller or private.caller_is_admin())
    union all
    select from public.courses c where c.id = course and (c.mentor_id = caller or private.caller_is_admin())
  ) then
    perform private.fail('FF740', 'There is no such text.');
  end if;
  return caller;
end
$$;
revoke all on function private.require_own_text from public, anon, authenticated, service_role;
comment on function private.require_own_text(uuid, uuid) is
  'The caller, to whom the article or course belongs, any for administrators; raises FF650 or FF740.';

create function private.ratings_of_text(article uuid, course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_own_text(article, course);
  return (
    with ratings as materialized (
      select r.* from private.content_ratings r where r.article_id = article or r.course_id = course
    )
    select jsonb_build_object(
      'count', (select count(*) from ratings), 'average', (select round(avg(r.stars), 1) from ratings r),
      'distribution', (
        select jsonb_agg((select count(*) from ratings r where r.stars = s) order by s) from generate_series(1, 5) s
      ),
      'may_take_down', private.caller_is_verified_admin(),
      'sentences', coalesce((
        select jsonb_agg(jsonb_build_object('id', w.id, 'stars', w.stars, 'sentence', w.sentence, 'month', w.month)
          order by w.month desc, w.id)
        from (
          select r.id, r.stars, r.sentence, date_trunc('month', r.rated_at at time zone 'utc')::date as month
          from ratings r where r.sentence is not null order by month desc, r.id limit 100
        ) w
      ), '[]')
    )
  );
end
$$;
revoke all on function private.ratings_of_text from public, anon, authenticated, service_role;
comment on function private.ratings_of_text(uuid, uuid) is
  'How many members gave one to five stars to a text of the caller, and a hundred sentences of the newest months. FF650, FF740.';
grant execute on function private.ratings_of_text(uuid, uuid) to authenticated;
create function public.ratings_of_text(article_id uuid default null, course_id uuid default null) returns jsonb
  language sql stable set search_path = '' as $$ select private.ratings_of_text(article_id, course_id) $$;
revoke all on function public.ratings_of_text from public, anon, authenticated, service_role;
comment on function public.ratings_of_text(uuid, uuid) is 'Mentors: the ratings of one of their articles or courses with the sentences.';
grant execute on function public.ratings_of_text(uuid, uuid) to authenticated;

create function private.remove_rating_comment(rating_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  changed private.content_ratings;
begin
  update private.content_ratings r set sentence = null where r.id = rating_id and r.sentence is not null returning r.* into changed;
  if changed.id is null then
    perform private.fail('FF734', 'This sentence is no longer here.');
  end if;
  perform private.audit(admin, 'rating.sentence_removed', changed.user_id, jsonb_build_object(
    'rating_id', changed.id, 'article_id', changed.article_id, 'course_id', changed.course_id,
    'before', 'shown', 'after', 'removed'
  ));
end
$$;
revoke all on function private.remove_rating_comment from public, anon, authenticated, service_role;
comment on function private.remove_rating_comment(uuid) is 'Removes the sentence of a rating; its stars stay. FF005, FF734. Audited without its words.';
grant execute on function private.remove_rating_comment(uuid) to authenticated;
create function public.remove_rating_comment(rating_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.remove_rating_comment(rating_id) $$;
revoke all on function public.remove_rating_comment from public, anon, authenticated, service_role;
comment on function public.remove_rating_comment(uuid) is 'Administrators: remove the sentence of a rating.';
grant execute on function public.remove_rating_comment(uuid) to authenticated;
