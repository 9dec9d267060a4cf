drop function "private"."rate_text"(uuid, uuid, integer, text);

drop function "public"."rate_text"(integer, text, uuid, uuid);

alter table "private"."content_ratings"
  add column "may_quote" boolean not null default false;

create or replace function private.quoted_reviews (
  course uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('stars', q.stars, 'sentence', q.sentence, 'name', q.first_name)
    order by q.rated_at desc), '[]')
  from (
    select r.stars, r.sentence, r.rated_at, p.first_name
    from private.content_ratings r
    join public.profiles p on p.id = r.user_id
    where r.course_id = course and r.may_quote and r.sentence is not null and p.first_name is not null
      and not exists (select from auth.users u where u.id = r.user_id and (u.banned_until > now() or u.deleted_at is not null))
    order by r.rated_at desc limit 3
  ) q
$function$;

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
      select jsonb_build_object('title', m.title, 'content', m.content)
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

create or replace function private.rate_text (
  article   uuid,
  course    uuid,
  stars     integer,
  sentence  text,
  may_quote boolean
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.rating_of (
  article uuid default null::uuid,
  course  uuid default null::uuid
)
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function public.rate_text (
  stars      integer,
  sentence   text    default null::text,
  article_id uuid    default null::uuid,
  course_id  uuid    default null::uuid,
  may_quote  boolean default false
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.rate_text(article_id, course_id, stars, sentence, may_quote) $function$;

comment on column "private"."content_ratings"."may_quote" is 'The member agreed that visitors of the course''s sale page read the sentence with the stars and their first name.';

comment on column "private"."content_ratings"."sentence" is 'For the mentor alone unless may_quote; null when there is none, or an administrator took it down.';

comment on function "private"."quoted_reviews"(uuid) is 'The three newest sentences about a course whose members agreed to be quoted, with stars and first names.';

comment on function "private"."rate_text"(uuid, uuid, integer, text, boolean) is 'Rates a text the caller has finished; raises FF730, FF731, FF732, FF733 or FF300.';

comment on function "public"."rate_text"(integer, text, uuid, uuid, boolean) is 'Rates an article that one has read to its end, or a course that one has completed.';

revoke all on function "private"."quoted_reviews"(uuid) from public;

grant execute on function "private"."quoted_reviews"(uuid) to "postgres";

revoke all on function "private"."rate_text"(uuid, uuid, integer, text, boolean) from public;

grant execute on function "private"."rate_text"(uuid, uuid, integer, text, boolean) to "authenticated", "postgres";

revoke all on function "public"."rate_text"(integer, text, uuid, uuid, boolean) from public;

grant execute on function "public"."rate_text"(integer, text, uuid, uuid, boolean) to "authenticated", "postgres";
