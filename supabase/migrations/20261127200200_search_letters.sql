-- Library and messages are indexed and searched by folded words.

create or replace function private.index_document(document private.search_documents, extra text, words text)
  returns void language plpgsql set search_path = '' as $$
declare
  former text[];
begin
  document.document :=
    -- The text first, because its positions are the numbers of its words. Together less than a tsvector holds.
    private.words_vector(document.body, 'D', 900000)
    || private.words_vector(document.title, 'A', 50000)
    || private.words_vector(document.excerpt || ' ' || extra, 'B', 50000);
  document.words := array(
    select distinct f.form
    from private.words_in(words) w
    cross join lateral (
      select replace(w.word, '''', '') union select p from regexp_split_to_table(w.word, '''+') p
    ) as f (form)
    where char_length(f.form) between 4 and 30 and f.form !~ '[0-9]'
    order by 1
  );
  former := coalesce(
    (select d.words from private.search_documents d where d.kind = document.kind and d.id = document.id for update), '{}'
  );
  insert into private.search_documents select document.*
  on conflict (kind, id) do update set
    category = excluded.category, min_level = excluded.min_level, is_public = excluded.is_public,
    owner_id = excluded.owner_id, title = excluded.title, excerpt = excluded.excerpt, body = excluded.body,
    path = excluded.path, document = excluded.document, words = excluded.words;
  -- Always inserted in the same order, which rules out deadlocks between texts with the same new words.
  insert into private.search_words (word)
  select w.word from unnest(document.words) as w (word)
  where not exists (select from private.search_words k where k.word = w.word)
  order by 1
  on conflict do nothing;
  perform private.delete_unused_search_words(array(select unnest(former) except select unnest(document.words)));
end
$$;

create or replace function private.index_message(message public.chat_messages)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into private.message_search_documents (message_id, chat_room_id, created_at, document)
  values (message.id, message.chat_room_id, message.created_at, private.words_vector(message.content, 'D', 900000))
  on conflict (message_id) do update set document = excluded.document;
end
$$;

create function private.may_find_word(word text, caller uuid, level integer) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from private.search_documents d
    where d.words @> array[may_find_word.word] and (d.is_public and d.min_level <= level or d.owner_id = caller)
  )
$$;
comment on function private.may_find_word(text,uuid,integer) is 'True when a document that the caller may read has the word.';
revoke all on function private.may_find_word(text,uuid,integer) from public, anon, authenticated, service_role;

-- A word counts as known, and is suggested, only where the caller may read it: the answers tell nothing of other texts.
drop function private.search_term(text, boolean);
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
revoke all on function private.search_term(text,boolean,uuid,integer) from public, anon, authenticated, service_role;

create or replace function private.search_library(query text, max_results integer)
  returns table(kind text, id text, title text, excerpt text, category text, path text, rank real) language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  caller uuid := private.require_caller();
  level integer := private.effective_level(caller);
  words constant text[] := private.typed_words(query);
  term tsquery;
  every_word tsquery;
  any_word tsquery;
  wanted tsquery;
begin
  for place in 1 .. cardinality(words) loop
    term := private.search_term(words[place], place = cardinality(words), caller, level);
    if term is not null then
      every_word := coalesce(every_word && term, term);
      any_word := coalesce(any_word || term, term);
    end if;
  end loop;
  foreach wanted in array array[every_word, any_word] loop
    return query
      with hits as (
        select d.kind, d.id, d.title, d.excerpt, d.category, d.path, d.body, d.document,
          ts_rank(d.document, wanted, 1) as rank
        from private.search_documents d
        where d.document @@ wanted and (d.is_public and d.min_level <= level or d.owner_id = caller)
        order by rank desc, d.title, d.id
        limit least(greatest(coalesce(max_results, 20), 1), 50)
      )
      select f.kind, f.id, f.title,
        case
          when f.body = '' or ts_filter(f.document, '{a,b}') @@ wanted then f.excerpt
          else private.excerpt(f.body, f.document, wanted, '', '', false)
        end,
        f.category, f.path, f.rank
      from hits f order by f.rank desc, f.title, f.id;
    exit when found;
  end loop;
end
$$;

create or replace function private.search_messages(query text, room text, before_created_at timestamp with time zone, before_id uuid, page_size integer)
  returns table(message_id uuid, chat_room_id text, room_name text, user_id uuid, author_first_name text, author_last_name text, author_avatar_url text, excerpt text, created_at timestamp with time zone) language plpgsql security definer set search_path = '' as $$
declare
  caller uuid;
  rooms text[] := private.caller_room_ids();
  wanted tsquery := private.message_query(query);
begin
  if room is null then
    caller := private.require_member();
  else
    caller := private.require_room(room);
    rooms := array[room];
  end if;
  perform private.enforce_rate_limit(caller, 'message_search');
  if wanted is null then
    return;
  end if;
  return query
    with hits as (
      select m.id, m.chat_room_id, m.user_id, m.content, m.created_at, d.document
      from private.message_search_documents d
      join public.chat_messages m on m.id = d.message_id
      where d.document @@ wanted and d.chat_room_id = any (rooms) and m.deleted_at is null
        and (before_created_at is null or d.created_at <= before_created_at
          and (d.created_at < before_created_at or d.message_id > before_id))
        and not exists (
          select from private.member_blocks b where b.user_id = caller and b.blocked_id = m.user_id
        )
      order by d.created_at desc, d.message_id
      limit least(greatest(coalesce(page_size, 20), 1), 50)
    )
    select h.id, h.chat_room_id, r.name, h.user_id, p.first_name, p.last_name, p.avatar_url,
      -- The words found stand between two control characters, which the screen turns into marks.
      private.excerpt(h.content, h.document, wanted, chr(2), chr(3), char_length(h.content) <= 200),
      h.created_at
    from hits h
    join public.chat_rooms r on r.id = h.chat_room_id
    join public.profiles p on p.id = h.user_id
    order by h.created_at desc, h.id;
end
$$;
