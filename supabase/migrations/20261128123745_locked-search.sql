create or replace function private.search_locked (
  query text
)
  returns table (
    kind      text,
    title     text,
    category  text,
    min_level integer
  )
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
#variable_conflict use_column
declare
  caller uuid := private.require_caller();
  level integer := private.effective_level(caller);
  words constant text[] := private.typed_words(query);
  term tsquery;
  wanted tsquery;
begin
  -- Without a membership everything is locked, and every page says so.
  if level = 0 then
    return;
  end if;
  for place in 1 .. cardinality(words) loop
    term := private.word_query(words[place], place = cardinality(words));
    if term is not null then
      wanted := coalesce(wanted && term, term);
    end if;
  end loop;
  return query
    select d.kind, d.title, d.category, d.min_level
    from private.search_documents d
    where d.document @@ wanted and ts_filter(d.document, '{a}') @@ wanted
      and d.kind in ('article', 'course', 'room') and d.is_public and d.min_level > level and d.owner_id is distinct from caller
    order by d.min_level, d.title, d.id limit 5;
end
$function$;

create or replace function public.search_locked (
  query text
)
  returns table (
    kind      text,
    title     text,
    category  text,
    min_level integer
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.search_locked(query) $function$;

comment on function "private"."search_locked"(text) is 'Titles of published articles, courses and rooms above the caller''s level, by their titles only, with the level that opens each.';

comment on function "public"."search_locked"(text) is 'Articles, courses and rooms whose title has every word and that a higher level opens, at most 5.';

revoke all on function "private"."search_locked"(text) from public;

grant execute on function "private"."search_locked"(text) to "authenticated", "postgres";

revoke all on function "public"."search_locked"(text) from public;

grant execute on function "public"."search_locked"(text) to "authenticated", "postgres";
