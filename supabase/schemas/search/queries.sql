-- What is typed into a search as a query, and the excerpts of what was found.
create function private.typed_words(typed text) returns text[]
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return (
    select coalesce(array_agg(w.word order by w.place), '{}')
    from (
      select m.place, private.fold_text(m.parts[1]) as word
      from regexp_matches(left(typed, 200), '(' || private.word_pattern(false) || ')', 'g') with ordinality as m (parts, place)
      order by m.place limit 10
    ) w
    where w.word <> ''
  );
end $$;
comment on function private.typed_words(text) is 'The first ten folded words that are typed into a search.';

create function private.word_query(word text, is_last boolean) returns tsquery
  language plpgsql immutable set search_path = '' as $$
declare
  pieces constant integer := (select count(*) from private.words_in(word));
  piece text;
  place integer;
  former integer;
  form text;
  stem text;
  term tsquery;
  wanted tsquery;
begin
  for piece, place in select w.word, w.place from private.words_in(word) w order by w.place loop
    form := replace(piece, '''', '');
    stem := (pg_catalog.ts_lexize('pg_catalog.english_stem', form))[1];
    -- A contraction of stop words says as little as they do.
    if stem is null or position('''' in piece) > 0 and not exists (
      select from regexp_split_to_table(piece, '''+') p
      where cardinality(pg_catalog.ts_lexize('pg_catalog.english_stem', p)) > 0 and char_length(p) > 1
    ) then
      continue;
    end if;
    term := quote_literal(stem)::tsquery;
    -- The last word is often unfinished.
    if is_last and pieces = 1 and char_length(form) > 1 then
      term := term || (quote_literal(form) || ':*')::tsquery;
    end if;
    -- What is written without spaces stands in this order.
    wanted := coalesce(tsquery_phrase(wanted, term, place - former), term);
    former := place;
  end loop;
  return wanted;
end $$;
comment on function private.word_query(text,boolean) is 'One typed word in all its forms, the last one also as a beginning; null for stop words.';

create function private.found_places(document tsvector, wanted tsquery) returns table (place integer, lexeme text)
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select distinct p.place::integer, u.lexeme
    from unnest(document) as u (lexeme, places, weights)
    cross join lateral unnest(u.places, u.weights) as p (place, weight)
    where p.weight = 'D'
      -- Lexemes hold no sign of a query, because these stand between words.
      and array_to_tsvector(array[u.lexeme]) @@ regexp_replace(wanted::text, '&|<[^>]*>', '|', 'g')::tsquery;
end $$;
comment on function private.found_places(tsvector,tsquery) is 'Where any word of the query stands in the text of a document, by the numbers of words_in.';

create function private.excerpt(content text, document tsvector, wanted tsquery, opening text, closing text, is_whole boolean) returns text
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return (
    with hits as materialized (select f.place, f.lexeme from private.found_places(document, wanted) f),
    -- The 30 words with most of the query, a few of them before its first.
    start as (
      select coalesce((
        select h.place from hits h join hits near on near.place between h.place and h.place + 20
        group by h.place order by count(distinct near.lexeme) desc, h.place limit 1
      ) - 5, 1) as place
    ),
    words as materialized (
      select m.place, m.parts[1] as between, m.parts[2] as word,
        sum(char_length(m.parts[1]) + char_length(m.parts[2])) over (order by m.place) as reached
      from regexp_matches(
        content, '([' || private.word_characters(true, true, false) || ']*)(' || private.word_pattern(true) || ')', 'g'
      ) with ordinality as m (parts, place)
    ),
    shown as (
      select w.*, row_number() over (order by w.place) as number
      from words w, start s
      where is_whole or w.place >= s.place and w.place < s.place + 30
    ),
    cut as (
      select s.place, s.between, s.number,
        case when is_whole then s.word else left(s.word, 60) end as word
      from shown s
    )
    select replace(
      coalesce(string_agg(
        case when c.number = 1 and not is_whole then '' else translate(c.between, opening || closing, '') end
          || case when h.place is null then c.word else opening || c.word || closing end,
        '' order by c.place
      ), '') || case when is_whole then translate(right(content, -coalesce((select max(w.reached) from words w), 0)::integer), opening || closing, '') else '' end,
      -- Neighbouring ideographs are one mark.
      closing || opening, ''
    )
    from cut c left join (select distinct h.place from hits h) h using (place)
  );
end $$;
comment on function private.excerpt(text,tsvector,tsquery,text,text,boolean) is 'The part of a text around the words of a query, or all of it, with the given characters around each.';

create function private.may_find_word(word text, caller uuid, level integer) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from private.search_documents d
    where d.words @> array[may_find_word.word] and (d.is_public and d.min_level <= level or d.owner_id = caller)
  )
$$;
comment on function private.may_find_word(text,uuid,integer) is 'True when a document that the caller may read has the word.';

create function private.search_term(word text, is_last boolean, caller uuid, level integer) returns tsquery
  language plpgsql stable set search_path = '' as $$
declare
  form constant text := replace(word, '''', '');
  term tsquery := private.word_query(word, is_last);
  near text;
begin
  if term is null or char_length(form) < 4 or private.may_find_word(form, caller, level) then
    return term;
  end if;
  for near in
    select k.word from (
      select w.word from private.search_words w order by w.word operator(extensions.<->) form limit 200
    ) k
    where extensions.levenshtein(left(k.word, 60), left(form, 60)) <= case when char_length(form) < 5 then 1 else 2 end
      and private.may_find_word(k.word, caller, level)
    order by extensions.levenshtein(left(k.word, 60), left(form, 60)), left(k.word, 1) <> left(form, 1), k.word
    limit 3
  loop
    term := term || private.word_query(near, false);
  end loop;
  return term;
end $$;
comment on function private.search_term(text,boolean,uuid,integer) is 'One word of a search with its forms and, when no text the caller may read has it, similar words of these; null for stop words.';

create function private.message_query(words text) returns tsquery
  language plpgsql immutable set search_path = '' as $$
declare
  typed constant text[] := private.typed_words(words);
  wanted tsquery;
  term tsquery;
begin
  for place in 1 .. cardinality(typed) loop
    term := private.word_query(typed[place], place = cardinality(typed));
    if term is not null then
      wanted := coalesce(wanted && term, term);
    end if;
  end loop;
  return wanted;
end $$;
comment on function private.message_query(text) is
  'A search text as a query: every word in all its forms, the last one also as a prefix; null when nothing is left to search for.';
