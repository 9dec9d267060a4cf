-- Titles and minutes only: the lessons themselves are for who is enrolled.
-- @rpc authenticated (course_id)
-- What a course holds, also before one enrols: titles and minutes of its modules.
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
comment on function private.course_syllabus(uuid) is 'Titles and minutes of the published modules of a course the caller may see, in order; FF404.';

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
comment on function private.require_own_text(uuid, uuid) is
  'The caller, to whom the article or course belongs, any for administrators; raises FF650 or FF740.';

-- @rpc authenticated (article_id, course_id)
-- Mentors: the ratings of one of their articles or courses with the sentences.
create function private.ratings_of_text(article uuid default null, course uuid default null) returns jsonb
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
comment on function private.ratings_of_text(uuid, uuid) is
  'How many members gave one to five stars to a text of the caller, and a hundred sentences of the newest months. FF650, FF740.';

create function private.described_rating(given private.content_ratings) returns private.reported
  language sql stable set search_path = '' as $$
  select given.user_id, null::jsonb, jsonb_build_object(
    'text', p.place, 'title', p.place -> 'title', 'written_at', given.rated_at, 'words', private.first_words(given.sentence)
  )
  from (select private.text_place(given.article_id, null, given.course_id) as place) p
$$;
comment on function private.described_rating(private.content_ratings) is 'By what its author knows the sentence of a rating again, and its text.';

-- @rpc authenticated
-- Administrators: remove the sentence of a rating, with an explanation for who wrote it.
create function private.remove_rating_comment(rating_id uuid, explanation text default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  changed private.content_ratings;
  why text;
begin
  select r.* into changed from private.content_ratings r where r.id = rating_id and r.sentence is not null for no key update;
  if not found then
    perform private.fail('FF734', 'This sentence is no longer here.');
  end if;
  if changed.user_id <> admin then
    why := private.explain_removal('rating', rating_id, private.described_rating(changed), explanation);
  end if;
  update private.content_ratings r set sentence = null where r.id = rating_id;
  perform private.audit(admin, 'rating.sentence_removed', changed.user_id, jsonb_build_object(
    'rating_id', changed.id, 'article_id', changed.article_id, 'course_id', changed.course_id,
    'before', 'shown', 'after', 'removed'
  ) || case when why is null then '{}' else jsonb_build_object('reason', why) end);
end
$$;
comment on function private.remove_rating_comment(uuid, text) is
  'Removes the sentence of a rating; its stars stay. FF005, FF734, FF344 without an explanation for another member. Audited without its words.';
