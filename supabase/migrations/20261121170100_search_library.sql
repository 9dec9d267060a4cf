-- Turns a search text into a query: each word in all its forms, the last one also as a prefix, and unknown words as
-- similar known ones.
create function private.search_term(word text, is_last boolean) returns tsquery
  language plpgsql stable set search_path = '' as $$
declare
  term tsquery := plainto_tsquery('pg_catalog.english', word);
  near text;
begin
  if numnode(term) = 0 then
    return null;
  end if;
  if is_last then
    term := term || (quote_literal(word) || ':*')::tsquery;
  end if;
  if char_length(word) < 4 or exists (select from private.search_words k where k.word = search_term.word) then
    return term;
  end if;
  for near in
    select k.word from (
      select w.word from private.search_words w order by w.word operator(extensions.<->) search_term.word limit 40
    ) k
    where extensions.levenshtein(k.word, search_term.word) <= case when char_length(search_term.word) < 5 then 1 else 2 end
    order by extensions.levenshtein(k.word, search_term.word), left(k.word, 1) <> left(search_term.word, 1), k.word
    limit 3
  loop
    term := term || plainto_tsquery('pg_catalog.english', near);
  end loop;
  return term;
end
$$;
revoke all on function private.search_term from public, anon, authenticated, service_role;
comment on function private.search_term(text, boolean) is
  'One word of a search with its forms and, when unknown, similar words; null for stop words.';

create function private.search_library(query text, max_results integer)
  returns table (kind text, id text, title text, excerpt text, category text, path text, rank real)
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  caller uuid := private.require_caller();
  level integer := private.effective_level(caller);
  words text[] := array(
    select m.parts[1] from regexp_matches(lower(left(query, 200)), '[[:alnum:]]{1,30}', 'g') with ordinality as m (parts, place)
    order by m.place limit 10
  );
  term tsquery;
  every_word tsquery;
  any_word tsquery;
  wanted tsquery;
begin
  for place in 1 .. cardinality(words) loop
    term := private.search_term(words[place], place = cardinality(words));
    if term is not null then
      every_word := coalesce(every_word && term, term);
      any_word := coalesce(any_word || term, term);
    end if;
  end loop;
  foreach wanted in array array[every_word, any_word] loop
    return query
      with hits as (
        select d.kind, d.id, d.title, d.excerpt, d.category, d.path, d.body,
          ts_rank(d.document, wanted, 1) as rank
        from private.search_documents d
        where d.document @@ wanted and (d.is_public and d.min_level <= level or d.owner_id = caller)
        order by rank desc, d.title, d.id
        limit least(greatest(coalesce(max_results, 20), 1), 50)
      )
      select f.kind, f.id, f.title,
        case
          when f.body = '' or to_tsvector('pg_catalog.english', f.title || ' ' || f.excerpt) @@ wanted then f.excerpt
          else ts_headline('pg_catalog.english', f.body, wanted,
            'StartSel="", StopSel="", MaxFragments=1, MinWords=12, MaxWords=30')
        end,
        f.category, f.path, f.rank
      from hits f order by f.rank desc, f.title, f.id;
    exit when found;
  end loop;
end
$$;
revoke all on function private.search_library from public, anon, authenticated, service_role;
comment on function private.search_library(text, integer) is
  'Documents the caller may read with every word; without any result, those with at least one.';
grant execute on function private.search_library(text, integer) to authenticated;

create function public.search_library(query text, max_results integer default 20)
  returns table (kind text, id text, title text, excerpt text, category text, path text, rank real)
  language sql stable set search_path = '' as $$
  select * from private.search_library(query, max_results)
$$;
revoke all on function public.search_library from public, anon, authenticated, service_role;
comment on function public.search_library(text, integer) is
  'Articles, courses, rooms and submissions the caller may read, best first, at most 50; typing errors are forgiven.';
grant execute on function public.search_library(text, integer) to authenticated;
