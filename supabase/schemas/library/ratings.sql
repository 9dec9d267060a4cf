-- What members thought of an article they read to its end or a course they completed: 1 to 5, and a sentence for its mentor.
-- Nobody has a privilege on the table: what one may see and do is decided by the functions below.
create table private.content_ratings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  article_id uuid references public.articles (id) on delete cascade,
  course_id uuid references public.courses (id) on delete cascade,
  stars integer not null constraint content_ratings_stars_check check (stars between 1 and 5),
  sentence text constraint content_ratings_sentence_check check (char_length(sentence) between 1 and 280),
  rated_at timestamptz not null default clock_timestamp(),
  may_quote boolean not null default false,
  constraint content_ratings_text_check check (num_nonnulls(article_id, course_id) = 1),
  constraint content_ratings_once unique nulls not distinct (user_id, article_id, course_id)
);
comment on table private.content_ratings is 'Ratings of articles and courses, one of each member and text.';
comment on column private.content_ratings.sentence is 'For the mentor alone unless may_quote; null when there is none, or an administrator took it down.';
comment on column private.content_ratings.may_quote is
  'The member agreed that visitors of the course''s sale page read the sentence with the stars and their first name.';
comment on column private.content_ratings.rated_at is 'When it was given or changed last.';
create index content_ratings_article_id_idx on private.content_ratings (article_id, rated_at desc) include (stars);
create index content_ratings_course_id_idx on private.content_ratings (course_id, rated_at desc) include (stars);
alter table private.content_ratings enable row level security;

-- Counted anew after the rows are locked, always in the same order: two ratings at once are both in the sum.
create function private.tg_content_ratings__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.articles a where a.id in (select c.article_id from changed c) order by a.id for no key update;
  perform from public.courses o where o.id in (select c.course_id from changed c) order by o.id for no key update;
  update public.articles a set rating_count = n.amount, rating_sum = n.stars
  from (
    select t.id, count(r.id)::integer as amount, coalesce(sum(r.stars), 0)::integer as stars
    from (select distinct c.article_id as id from changed c) t
    left join private.content_ratings r on r.article_id = t.id group by t.id
  ) n where a.id = n.id;
  update public.courses o set rating_count = n.amount, rating_sum = n.stars
  from (
    select t.id, count(r.id)::integer as amount, coalesce(sum(r.stars), 0)::integer as stars
    from (select distinct c.course_id as id from changed c) t
    left join private.content_ratings r on r.course_id = t.id group by t.id
  ) n where o.id = n.id;
  return null;
end
$$;
create trigger content_ratings__count_added after insert on private.content_ratings
  referencing new table as changed for each statement execute function private.tg_content_ratings__count();

create trigger content_ratings__count_changed after update on private.content_ratings
  referencing new table as changed for each statement execute function private.tg_content_ratings__count();

create trigger content_ratings__count_gone after delete on private.content_ratings
  referencing old table as changed for each statement execute function private.tg_content_ratings__count();

create function private.rated_text_author(article uuid, course uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select a.author_id from public.articles a where a.id = article
  union all
  select c.mentor_id from public.courses c where c.id = course
$$;
comment on function private.rated_text_author(uuid, uuid) is 'Who wrote an article or course; null for those of the house.';

create function private.has_finished_text(member uuid, article uuid, course uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.article_reads r where r.user_id = member and r.article_id = article)
    or exists (
      select from public.course_enrollments e where e.user_id = member and e.course_id = course and e.completed_at is not null
    )
$$;
comment on function private.has_finished_text(uuid, uuid, uuid) is 'True when the member has read the article to its end, or completed the course.';

-- Also for its mentor, whose own text may not be published. A text that is closed and one that does not exist are answered alike.
create function private.require_open_text(article uuid, course uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if num_nonnulls(article, course) <> 1 or not exists (
    select from public.articles a where a.id = article
      and (a.is_published and a.subcategory_id in (select private.caller_subcategories())
        or a.author_id = auth.uid() or private.caller_is_admin())
    union all
    select from public.courses c where c.id = course
      and (c.is_published and c.subcategory_id in (select private.caller_subcategories())
        or c.mentor_id = auth.uid() or private.caller_is_admin())
  ) then
    perform private.fail('FF730', 'This text is not open to you.');
  end if;
end
$$;
comment on function private.require_open_text(uuid, uuid) is 'Raises FF730 unless the caller may read the article or see the course now.';

-- A rating that is given again replaces the one before.
create function private.rate_text(article uuid, course uuid, stars integer, sentence text, may_quote boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  words text := private.trimmed_message(sentence);
begin
  perform private.require_open_text(article, course);
  if private.rated_text_author(article, course) = caller then
    perform private.fail('FF732', 'This is your own text.');
  end if;
  if not private.caller_is_member() or not private.has_finished_text(caller, article, course) then
    perform private.fail('FF731', 'You can rate this once you have finished it.');
  end if;
  if words is not null and (words = '' or private.is_blank(words)) then
    words := null;
  end if;
  if stars is null or stars not between 1 and 5 or char_length(words) > 280 then
    perform private.fail('FF733', 'Give 1 to 5 stars, and a sentence of at most 280 characters.');
  end if;
  perform private.enforce_rate_limit(caller, 'rate_text');
  insert into private.content_ratings as r (user_id, article_id, course_id, stars, sentence, may_quote)
  values (caller, article, course, rate_text.stars, words, coalesce(rate_text.may_quote, false) and course is not null and words is not null)
  on conflict on constraint content_ratings_once
  do update set stars = excluded.stars, sentence = excluded.sentence, may_quote = excluded.may_quote, rated_at = excluded.rated_at;
end
$$;
comment on function private.rate_text(uuid, uuid, integer, text, boolean) is
  'Rates a text the caller has finished; raises FF730, FF731, FF732, FF733 or FF300.';
grant execute on function private.rate_text to authenticated;

create function public.rate_text(
    stars integer, sentence text default null, article_id uuid default null, course_id uuid default null,
    may_quote boolean default false
  ) returns void
  language sql volatile set search_path = '' as $$ select private.rate_text(article_id, course_id, stars, sentence, may_quote) $$;
comment on function public.rate_text(integer, text, uuid, uuid, boolean) is 'Rates an article that one has read to its end, or a course that one has completed.';
grant execute on function public.rate_text to authenticated;

-- @rpc authenticated (article_id, course_id)
-- Takes back one's own rating of an article or a course.
create function private.delete_rating(article uuid default null, course uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  delete from private.content_ratings r
  where r.user_id = caller and (r.article_id = article or r.course_id = course);
end
$$;
comment on function private.delete_rating(uuid, uuid) is 'Takes back the caller''s rating of a text.';

-- @rpc authenticated (article_id, course_id)
-- The ratings of one article or course as its readers see them.
create function private.rating_of(article uuid default null, course uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  perform private.require_open_text(article, course);
  return (
    select jsonb_build_object(
      'count', t.rating_count, 'average', round(t.rating_sum::numeric / nullif(t.rating_count, 0), 1),
      'may_rate', private.caller_is_member() and private.has_finished_text(caller, article, course)
        and t.author is distinct from caller,
      'own', (
        select jsonb_build_object('stars', r.stars, 'sentence', r.sentence, 'may_quote', r.may_quote) from private.content_ratings r
        where r.user_id = caller and (r.article_id = article or r.course_id = course)
      )
    )
    from (
      select a.rating_count, a.rating_sum, a.author_id as author from public.articles a where a.id = article
      union all
      select c.rating_count, c.rating_sum, c.mentor_id from public.courses c where c.id = course
    ) t
  );
end
$$;
comment on function private.rating_of(uuid, uuid) is 'Average and number of ratings of a text, whether the caller may rate it, and the caller''s own. FF730.';

create function private.export_part_ratings(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('content_ratings', coalesce((
    select jsonb_agg(to_jsonb(r) - 'user_id' order by r.rated_at, r.id) from private.content_ratings r where r.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_ratings(uuid) is 'Ratings one account gave, with their sentences.';
