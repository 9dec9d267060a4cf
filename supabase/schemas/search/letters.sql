-- How texts are compared in every search: one folding, and one way to cut words, which give the same on every cluster.
-- Nothing here asks the locale of the database what a letter is: code points are written out, and the one collation is named.
-- web/src/lib/fold-text.ts folds alike; both are tested over the same table.
create function private.fold_text(label text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  -- Accents and points that people leave out, and characters that cannot be seen.
  marks constant text := '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640'
    '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f'
    '\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U000e0100-\U000e01ef]+';
  spaces constant text := '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+';
  -- Marks in their wrong order take the square of their number to put in order, so the given ones go first.
  folded text := regexp_replace(
    translate(label, U&'\2018\2019\201B\2032\02B9\02BB\02BC\02BD\0060\00B4\0384\1FBD\1FBF\1FEF\1FFD\055A\05F3\A78C\FF07', repeat('''', 19)),
    marks, '', 'g'
  );
begin
  folded := case
    when char_length(folded) <= 200 then normalize(folded, nfkd)
    else (
      select string_agg(normalize(m.parts[1], nfkd), '' order by m.place)
      from regexp_matches(folded, '.{1,200}', 'g') with ordinality as m (parts, place)
    )
  end;
  folded := lower(regexp_replace(folded, marks, '', 'g') collate pg_catalog."und-x-icu");
  -- Letters with a stroke or a hook have no accent to leave out; the final sigma is a sigma, every dash a hyphen.
  folded := translate(
    regexp_replace(folded, marks, '', 'g'),
    U&'\00F8\0142\0111\0127\0131\0167\00F0\014B\0138\0180\0199\0253\0257\0260\0268\0289\01B6\01E5\0491\03C2\02BC\02B9\2032\0060\A78C\2010\2011\2012\2013\2014\2015\2212',
    'oldhitdnkbkbdgiuzg' || U&'\0433\03C3' || '''''''''''-------'
  );
  -- Georgian capitals are newer than some releases of ICU.
  if folded ~ '[\u1c90-\u1cbf]' then
    folded := translate(
      folded,
      U&'\1C90\1C91\1C92\1C93\1C94\1C95\1C96\1C97\1C98\1C99\1C9A\1C9B\1C9C\1C9D\1C9E\1C9F\1CA0\1CA1\1CA2\1CA3\1CA4\1CA5\1CA6\1CA7\1CA8\1CA9\1CAA\1CAB\1CAC\1CAD\1CAE\1CAF\1CB0\1CB1\1CB2\1CB3\1CB4\1CB5\1CB6\1CB7\1CB8\1CB9\1CBA\1CBD\1CBE\1CBF',
      U&'\10D0\10D1\10D2\10D3\10D4\10D5\10D6\10D7\10D8\10D9\10DA\10DB\10DC\10DD\10DE\10DF\10E0\10E1\10E2\10E3\10E4\10E5\10E6\10E7\10E8\10E9\10EA\10EB\10EC\10ED\10EE\10EF\10F0\10F1\10F2\10F3\10F4\10F5\10F6\10F7\10F8\10F9\10FA\10FD\10FE\10FF'
    );
  end if;
  folded := replace(replace(replace(replace(
    folded, U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th');
  return btrim(regexp_replace(folded, spaces, ' ', 'g'), ' ');
end $$;
comment on function private.fold_text(text) is 'A text as searches compare it: no case, accents, ligatures or invisible characters, one apostrophe, single spaces.';

-- Words
create function private.word_characters(separators boolean, apostrophes boolean, ideographs boolean) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select case when separators then
    '\u0001-\u0026\u0028-\u002f\u003a-\u0040\u005b-\u005f\u007b-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7'
    '\u02c2-\u02df\u037e\u0387\u055b-\u055f\u0589\u058a\u058d-\u058f\u05be\u05c0\u05c3\u05c6\u05f4\u060b-\u060f\u061b\u061d-\u061f'
    '\u066a-\u066d\u06d4\u0700-\u070d\u0964\u0965\u0970\u0df4\u0e3f\u0e4f\u0e5a\u0e5b\u0f04-\u0f14\u0f3a-\u0f3d\u104a-\u104f\u10fb'
    '\u1360-\u1368\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u1735\u1736\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u1944\u1945'
    '\u1c3b-\u1c3f\u1c7e\u1c7f\u2000-\u200a\u2010-\u2017\u201a\u201c-\u2029\u202f-\u2031\u2033-\u205f\u207a-\u207e\u208a-\u208e'
    '\u20a0-\u20cf\u2120\u2122\u2190-\u245f\u24eb-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u3036\u3037\u303d-\u303f\u30a0\u30fb'
    '\ua4fe\ua4ff\ua60d-\ua60f\ua92e\ua92f\ua9c1-\ua9cd\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff06\uff08-\uff0f'
    '\uff1a-\uff20\uff3b-\uff3f\uff5b-\uff65\uffe0-\uffee\ufff0-\uffff\U0001d000-\U0001d3ff\U0001f000-\U0001faff\U000e0000-\U000e007f'
    '\U000f0000-\U0010ffff' else '' end
  || case when apostrophes then '\u0027\u0060\u00b4\u02b9\u02bb-\u02bd\u0384\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd\u2018\u2019\u201b\u2032\ua78c\uff07' else '' end
  || case when ideographs then
    '\u3005-\u3007\u3021-\u3029\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff'
    '\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff' else '' end
$$;
comment on function private.word_characters(boolean,boolean,boolean) is 'Ranges of code points for a regular expression: what stands between words (spaces, controls, punctuation, symbols, emoji), apostrophes, and characters that are words by themselves. Everything else is a letter of a word.';

create function private.word_pattern(of_text boolean) returns text
  language sql immutable parallel safe set search_path = '' as $$
  -- Chinese and Japanese put no spaces between words, so in a text each of their characters counts as one.
  select case when of_text then '[' || private.word_characters(false, false, true) || '][\u3099\u309a\uff9e\uff9f]?|' else '' end
    || replace('[^ ]+(?:[' || private.word_characters(false, true, false) || ']+[^ ]+)*',
      ' ', private.word_characters(true, true, of_text))
$$;
comment on function private.word_pattern(boolean) is 'The regular expression of one word: of a text, in which ideographs stand for themselves, or of what is typed.';

create function private.words_in(content text) returns table (place integer, word text)
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    with written as materialized (
      select m.place, left(m.parts[1], 100) as word
      from regexp_matches(content, '(' || private.word_pattern(true) || ')', 'g') with ordinality as m (parts, place)
    ),
    -- Each once, and all at once: folding one by one takes many times as long. The separator stays as it is.
    apart as (select array_agg(distinct w.word) as words from written w),
    known as (
      select k.word, f.folded
      from apart a
      cross join unnest(a.words, string_to_array(private.fold_text(array_to_string(a.words, U&'\001F')), U&'\001F')) as k (word, folded)
      cross join lateral (
        -- What one character stands for may be several words: ½, ㍿.
        select left(p.parts[1], 200) as folded from regexp_matches(k.folded, '(' || private.word_pattern(true) || ')', 'g') as p (parts)
      ) f
    )
    select w.place::integer, k.folded from written w join known k using (word);
end $$;
comment on function private.words_in(text) is 'The folded words of a text and where each stands, counted from 1. They keep their apostrophes.';

create function private.lexemes(word text) returns text[]
  language plpgsql immutable set search_path = '' as $$
begin
  if position('''' in word) = 0 then
    return pg_catalog.ts_lexize('pg_catalog.english_stem', word);
  end if;
  -- O'Brien is found as obrien and by its parts, l'école by école.
  return array(
    select distinct s.stem
    from unnest(replace(word, '''', '') || regexp_split_to_array(word, '''+')) as f (form)
    cross join lateral unnest(pg_catalog.ts_lexize('pg_catalog.english_stem', f.form)) as s (stem)
    where f.form <> ''
  );
end $$;
comment on function private.lexemes(text) is 'What a folded word is found by: its English stem, and those of the parts between apostrophes. Nothing for stop words.';

create function private.words_vector(content text, weight text, max_bytes integer) returns tsvector
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return (
    with words as materialized (select w.place, w.word from private.words_in(content) w),
    found as (
      select l.lexeme, min(w.place) as first_seen,
        -- A tsvector keeps no more of each, and counts no further.
        (array_agg(distinct least(w.place, 16383)))[1:250] as places
      from (select distinct w.word from words w) d
      cross join lateral unnest(private.lexemes(d.word)) as l (lexeme)
      join words w on w.word = d.word
      group by l.lexeme
    ),
    kept as (
      select f.lexeme, f.places,
        sum(octet_length(f.lexeme) + 2 * cardinality(f.places) + 4) over (order by f.first_seen, f.lexeme collate "C") as bytes
      from found f
    )
    select coalesce(string_agg(
      '''' || k.lexeme || ''':' || array_to_string(k.places, weight || ',') || weight, ' '
    ), '')::tsvector
    from kept k where k.bytes <= max_bytes
  );
end $$;
comment on function private.words_vector(text,text,integer) is 'The words of a text for the search, with one weight; as many as fit in the given bytes.';
