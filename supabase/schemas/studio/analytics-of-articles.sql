-- An article's share of readers who read it to the end, beside the mentor's other articles and the category, as courses have it.
-- A median of fewer than five articles would tell too much about each of them.
create function private.article_comparison(own public.articles) returns jsonb
  language sql stable set search_path = '' as $$
  with others as materialized (
    select a.id, a.author_id = own.author_id is true as is_own, s.main_category = o.main_category as is_near, n.readers
    from public.articles a
    join public.subcategories s on s.id = a.subcategory_id
    join public.subcategories o on o.id = own.subcategory_id
    cross join lateral (select count(*) as readers from public.article_opens p where p.article_id = a.id) n
    where a.id <> own.id and a.is_published and n.readers > 0
      and (s.main_category = o.main_category or a.author_id = own.author_id)
  ), finished as (
    select f.content_id, sum(f.amount) as members
    from private.content_figures((select array_agg(id) from others)) f where f.event = 'read' group by f.content_id
  ), rates as (
    select o.is_own, o.is_near, 100.0 * coalesce(d.members, 0) / o.readers as rate
    from others o left join finished d on d.content_id = o.id
  )
  select jsonb_build_object(
    'own_articles', count(*) filter (where r.is_own),
    'own_rate', round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_own))::numeric),
    'category_rate', case when count(*) filter (where r.is_near) >= 5
      then round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_near))::numeric) end
  )
  from rates r
$$;
comment on function private.article_comparison(public.articles) is
  'Median share of readers who read to the end, in per cent: of the mentor''s other articles, and of at least five others of the category.';

-- @rpc authenticated (course_id)
-- Mentors: the analytics of one of their courses as one object.
create function private.my_course_analytics(course uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.course_analytics(course);
end
$$;
comment on function private.my_course_analytics(uuid) is 'The analytics of a course of the caller; FF650, FF740 or FF300.';

-- @rpc authenticated (article_id)
-- Mentors: the analytics of one of their articles as one object.
create function private.my_article_analytics(article uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.article_analytics(article);
end
$$;
comment on function private.my_article_analytics(uuid) is 'The analytics of an article of the caller; FF650, FF740 or FF300.';
