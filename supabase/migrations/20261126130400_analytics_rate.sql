-- The analytics of a text compare it with the whole category at each call, so that calls are counted.
insert into private.rate_limits (action, max_count, period) values ('analytics', 60, '1 minute');

-- What was computed for any caller before is now computed for the functions below, which count.
alter function private.my_course_analytics(uuid) rename to course_analytics;
alter function private.course_analytics(uuid) security invoker;
revoke all on function private.course_analytics from public, anon, authenticated, service_role;
alter function private.my_article_analytics(uuid) rename to article_analytics;
alter function private.article_analytics(uuid) security invoker;
revoke all on function private.article_analytics from public, anon, authenticated, service_role;

create function private.my_course_analytics(course uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.course_analytics(course);
end
$$;
revoke all on function private.my_course_analytics from public, anon, authenticated, service_role;
comment on function private.my_course_analytics(uuid) is 'The analytics of a course of the caller; FF650, FF740 or FF300.';
grant execute on function private.my_course_analytics(uuid) to authenticated;
create or replace function public.my_course_analytics(course_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_course_analytics(course_id) $$;

create function private.my_article_analytics(article uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.article_analytics(article);
end
$$;
revoke all on function private.my_article_analytics from public, anon, authenticated, service_role;
comment on function private.my_article_analytics(uuid) is 'The analytics of an article of the caller; FF650, FF740 or FF300.';
grant execute on function private.my_article_analytics(uuid) to authenticated;
create or replace function public.my_article_analytics(article_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_article_analytics(article_id) $$;
