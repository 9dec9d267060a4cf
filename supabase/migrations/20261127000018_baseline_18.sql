-- Part 18 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- search/library.sql

-- @rpc authenticated
-- Articles, courses, rooms and submissions the caller may read, best first, at most 50; typing errors are forgiven.
create function private.search_library(query text, max_results integer default 20)
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
comment on function private.search_library(text, integer) is
  'Documents the caller may read with every word; without any result, those with at least one.';

-- search/messages.sql

create function private.tg_chat_messages__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is null then
    perform private.index_message(new);
  else
    delete from private.message_search_documents d where d.message_id = new.id;
  end if;
  return null;
end
$$;

-- Newest first. The page is limited before the excerpts are cut. Messages of members whom the caller has blocked are left out.
-- @rpc authenticated (query, room_id, before_created_at, before_id, page_size)
-- Messages of a room, or of every room the caller may read, that have all the words; newest first, the next page starts after the last
-- one.
create function private.search_messages(
  query text, room text default null, before_created_at timestamptz default null, before_id uuid default null,
  page_size integer default 20
)
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
comment on function private.search_messages(text, text, timestamptz, uuid, integer) is
  'Messages with every word, of one room or of all the caller may read now; raises FF700, FF310, FF311 or FF300.';

-- search/queries.sql

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

-- search/search.sql

-- Search over everything a member may read. Search documents are stored apart from their tables, so that counting a
-- read does not index an article again. Rights are checked at every search.
create table private.search_documents (
  kind text not null check (kind in ('article', 'course', 'room', 'submission')),
  id text not null,
  category text,
  min_level integer not null,
  is_public boolean not null,
  owner_id uuid,
  title text not null,
  excerpt text not null,
  body text not null,
  path text not null,
  document tsvector not null,
  words text[] not null,
  primary key (kind, id)
);
comment on table private.search_documents is 'The search index; kept by triggers on the indexed tables.';
comment on column private.search_documents.min_level is 'Level a member needs to find the document.';
comment on column private.search_documents.is_public is 'False for drafts and hidden content, which only the owner finds.';
comment on column private.search_documents.body is 'Plain text, from which excerpts are cut.';
comment on column private.search_documents.words is 'Words this document added to search_words, for deleting them with it.';
create index search_documents_words_idx on private.search_documents using gin (words);
create index search_documents_document_idx on private.search_documents using gin (document);
alter table private.search_documents enable row level security;

create table private.search_words (word text primary key);
comment on table private.search_words is 'Words of the documents, for recognising misspelt words. Not readable by clients.';
create index search_words_near_idx on private.search_words using gist (word extensions.gist_trgm_ops);
alter table private.search_words enable row level security;

-- Markdown without its syntax.
create function private.plain_text(markdown text) returns text
  language sql immutable set search_path = '' as $$
  select btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    markdown,
    '!?\[([^\]]*)\]\([^)]*\)', '\1', 'g'),
    '(^|\n)[ \t]*(#{1,6}|>|[-*+]( \[[ xX]\])?|[0-9]+[.)]|[|:-]{3,})[ \t]*', '\1', 'g'),
    '[*`]+', '', 'g'),
    '[|\s]+', ' ', 'g'))
$$;
comment on function private.plain_text(text) is 'Markdown without links, headings, lists, tables and emphasis.';

-- A word is deleted with the last document that contains it: a name in a title must not outlive the member's account.
create function private.delete_unused_search_words(candidates text[]) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  -- Always locked in the same order, which rules out deadlocks.
  perform from private.search_words k where k.word = any (candidates) order by k.word for update;
  delete from private.search_words k
  where k.word = any (candidates) and not exists (
    select from private.search_documents d where d.words @> array[k.word]
  );
end
$$;
comment on function private.delete_unused_search_words(text[]) is 'Deletes those of the words that no document contains any more.';

create function private.tg_search_documents__delete_unused_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.delete_unused_search_words(old.words);
  return null;
end
$$;

create trigger search_documents__delete_unused_words after delete on private.search_documents
  for each row execute function private.tg_search_documents__delete_unused_words();

create function private.index_document(document private.search_documents, extra text, words text)
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
comment on function private.index_document(private.search_documents, text, text) is
  'Replaces a search document and adds the given words to search_words.';

create function private.index_article(article uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'article', a.id::text, s.main_category, private.category_level(s.main_category), a.is_published and s.is_active,
      a.author_id, a.title, a.excerpt, private.plain_text(a.content),
      private.shelf_path(s.main_category, 'foundations', s.slug) || '/' || a.id, null, '{}'
    )::private.search_documents,
    array_to_string(a.tags, ' ') || ' ' || s.name,
    concat_ws(' ', a.title, a.excerpt, array_to_string(a.tags, ' '), s.name, a.content)
  )
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.id = article
$$;
comment on function private.index_article(uuid) is 'Updates the search document of an article.';

-- Leaves the modules out: only enrolled members may read them.
create function private.index_course(course uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'course', c.id::text, s.main_category, private.category_level(s.main_category), c.is_published and s.is_active,
      c.mentor_id, c.title, c.description, '',
      private.shelf_path(s.main_category, 'courses', s.slug) || '/' || c.id, null, '{}'
    )::private.search_documents,
    s.name || ' ' || c.difficulty_level,
    concat_ws(' ', c.title, c.description, s.name)
  )
  from public.courses c join public.subcategories s on s.id = c.subcategory_id
  where c.id = course
$$;
comment on function private.index_course(uuid) is 'Updates the search document of a course.';

create function private.tg_articles__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_article(new.id);
  return null;
end
$$;

create function private.tg_articles__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'article' and d.id = old.id::text;
  return null;
end
$$;

create function private.tg_courses__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_course(new.id);
  return null;
end
$$;

create function private.tg_courses__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'course' and d.id = old.id::text;
  return null;
end
$$;

create function private.tg_subcategories__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_article(a.id) from public.articles a where a.subcategory_id = new.id;
  perform private.index_course(c.id) from public.courses c where c.subcategory_id = new.id;
  return null;
end
$$;

create trigger subcategories__index after update of main_category, slug, name, is_active on public.subcategories
  for each row execute function private.tg_subcategories__index();

-- selling/bought-courses.sql

-- @rpc authenticated
-- The courses that the caller bought, with their receipts.
create function private.my_courses() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'purchase_id', p.id, 'course_id', p.course_id, 'slug', o.slug, 'title', p.course_title, 'amount_pence', p.amount_pence,
      'bought_at', coalesce(r.happened_at, p.created_at), 'number', c.charge_id, 'refunded_pence', coalesce(c.amount_refunded, 0),
      'card_brand', c.card_brand, 'card_last4', c.card_last4, 'receipt_url', c.receipt_url,
      'state', case
        when c.charge_id is null then 'waiting' when c.is_refunded then 'refunded' when c.dispute in ('open', 'lost') then 'disputed'
        else 'paid' end,
      'lessons', l.lessons, 'completed', l.completed, 'withdraw_until', w.ends_at, 'withdraw_pence', w.amount_pence
    ) order by p.created_at desc)
    from private.course_purchases p
    cross join lateral (
      select count(*) as lessons, count(x.completed_at) as completed
      from private.lessons_of_version(p.course_id, p.course_version, caller) x
    ) l
    left join private.course_offers o on o.course_id = p.course_id
    left join private.course_withdrawal_right(caller) w on w.purchase_id = p.id
    left join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
    left join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
    where p.user_id = caller
      and (c.charge_id is not null or p.state in ('working', 'unknown', 'needs_action') and p.checked_at > now() - interval '1 hour')
  ), '[]');
end
$$;
comment on function private.my_courses() is 'What the caller bought, newest first, with receipt, state and progress.';

create function private.require_bought_course(course uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or not exists (
    select from private.live_course_purchases l where l.user_id = caller and l.course_id = course
  ) then
    perform private.fail('FF856', 'This course is not among those you bought.');
  end if;
  return caller;
end
$$;
comment on function private.require_bought_course(uuid) is 'The caller, who bought the course and was not refunded; raises FF856.';

-- A version that is completed gives way to the newest one, which then has lessons left but is not begun again.
-- @rpc authenticated
-- A course that the caller bought, to read.
create function private.bought_course(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_bought_course(course);
  taken constant integer := private.bought_version(caller, course);
begin
  return (
    select jsonb_build_object(
      'id', c.id, 'slug', c.slug, 'title', c.title, 'description', c.description, 'thumbnail_url', c.thumbnail_url,
      'is_free', c.is_free, 'price', c.price, 'estimated_duration', c.estimated_duration, 'difficulty_level', c.difficulty_level,
      'enrollment_count', c.enrollment_count, 'module_count', c.module_count, 'version', c.version,
      'subcategory', jsonb_build_object('slug', s.slug, 'name', s.name),
      'mentor', (
        select jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name, 'role', p.role)
        from public.profiles p where p.id = c.mentor_id
      ),
      'enrollments', jsonb_build_array(jsonb_build_object(
        'progress_percentage', coalesce(round(100.0 * l.completed / nullif(l.lessons, 0)), 0),
        'completed_at', case when l.completed = l.lessons then l.last_at end, 'course_version', taken
      )),
      'modules', coalesce((
        select jsonb_agg(x.lesson || jsonb_build_object('completions', case when x.completed_at is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('module_id', x.id)) end) order by x.place, x.id)
        from private.lessons_of_version(course, case when l.completed = l.lessons then c.version else taken end, caller) x
      ), '[]')
    )
    from public.courses c
    join public.subcategories s on s.id = c.subcategory_id
    cross join lateral (
      select count(*) as lessons, count(x.completed_at) as completed, max(x.completed_at) as last_at
      from private.lessons_of_version(course, taken, caller) x
    ) l
    where c.id = course
  );
end
$$;
comment on function private.bought_course(uuid) is 'A bought course with its lessons, in the shape in which members read one; raises FF856.';

-- @rpc authenticated
-- A buyer finished a lesson.
create function private.complete_bought_lesson(module uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  bought constant uuid := (select m.course_id from public.course_modules m where m.id = module);
  caller constant uuid := private.require_bought_course(bought);
begin
  if not exists (select from public.course_modules m where m.id = module and m.is_published)
    and module not in (select private.modules_of_version(bought, private.bought_version(caller, bought))) then
    perform private.fail('FF856', 'This lesson is not in the course you bought.');
  end if;
  insert into private.bought_lessons (user_id, module_id) values (caller, module) on conflict do nothing;
  -- Who was a member before finds it there on coming back.
  perform from public.course_enrollments e where e.user_id = caller and e.course_id = bought for update;
  if found then
    insert into public.module_completions (user_id, module_id) values (caller, module) on conflict do nothing;
  end if;
end
$$;
comment on function private.complete_bought_lesson(uuid) is 'Marks a lesson of a bought course as completed, once; raises FF856.';

-- A buyer who becomes a member goes on where they were.
create function private.tg_course_enrollments__bring_bought() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.module_completions (user_id, module_id)
  select b.user_id, b.module_id from private.bought_lessons b join public.course_modules m on m.id = b.module_id
  where b.user_id = new.user_id and m.course_id = new.course_id
  on conflict do nothing;
  return null;
end
$$;

create function private.export_part_selling(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'course_offers', coalesce((
      select jsonb_agg(to_jsonb(o) order by o.slug) from private.course_offers o join public.courses c on c.id = o.course_id
      where c.mentor_id = member
    ), '[]'),
    'course_addresses', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.slug) from private.course_addresses a join public.courses c on c.id = a.course_id
      where c.mentor_id = member
    ), '[]'),
    'course_purchases', coalesce((
      select jsonb_agg(to_jsonb(p) - 'seller_id' - 'lease_until' order by p.created_at) from private.course_purchases p where p.user_id = member
    ), '[]'),
    'bought_lessons', coalesce((
      select jsonb_agg(to_jsonb(b) order by b.completed_at, b.module_id) from private.bought_lessons b where b.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_selling(uuid) is 'Courses one account sells and bought, and the bought lessons it completed.';

-- selling/bought-versions.sql

create function private.tg_course_purchases__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;

create function private.lessons_of_version(course uuid, wanted integer, member uuid)
  returns table (id uuid, place integer, lesson jsonb, completed_at timestamptz)
  language sql stable set search_path = '' as $$
  select l.id, l.place, l.lesson, least(
    (select b.completed_at from private.bought_lessons b where b.user_id = member and b.module_id = l.id),
    (select d.created_at from public.module_completions d where d.user_id = member and d.module_id = l.id)
  )
  from (
    select m.id, m.module_order as place, jsonb_build_object(
      'id', m.id, 'slug', m.slug, 'title', m.title, 'content', m.content, 'module_order', m.module_order,
      'video_url', m.video_url, 'estimated_duration', m.estimated_duration
    ) as lesson
    from public.courses c join public.course_modules m on m.course_id = c.id
    where c.id = course and c.version = wanted and m.is_published
    union all
    select (m.lesson ->> 'id')::uuid, (m.lesson ->> 'module_order')::integer, m.lesson
    from private.course_versions v cross join lateral jsonb_array_elements(v.modules) m (lesson)
    where v.course_id = course and v.version = wanted
  ) l
$$;
comment on function private.lessons_of_version(uuid, integer, uuid) is
  'The lessons of one version of a course, with when one account completed them as a buyer or as a member.';

create function private.bought_version(member uuid, course uuid) returns integer
  language sql stable set search_path = '' as $$
  select p.course_version from private.live_course_purchases l join private.course_purchases p on p.id = l.id
  where l.user_id = member and l.course_id = course order by p.created_at desc limit 1
$$;
comment on function private.bought_version(uuid, uuid) is 'The version of a course that its buyer takes; null for anybody else.';

-- @rpc authenticated
-- A buyer takes the newest version of a course.
create function private.take_newest_bought_version(course uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_bought_course(course);
begin
  perform from public.courses c where c.id = course for key share;
  update private.course_purchases p set course_version = c.version
  from public.courses c where c.id = course and p.course_id = course and p.user_id = caller;
end
$$;
comment on function private.take_newest_bought_version(uuid) is 'Moves a buyer to the newest version of a course; what was completed stays. FF856.';

-- selling/earnings.sql

-- Without the buyer's account no reading is kept, so this one may be old or come twice: it only ever lowers.
create function private.lower_commissions(charge text, snapshot jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  earned private.commissions;
  booked bigint;
  due bigint;
begin
  for earned in select k.* from private.commissions k where k.charge_id = charge order by k.affiliate_id for update loop
    select coalesce(sum(a.amount_pence), 0) into booked from private.commission_amounts a
    where a.charge_id = charge and a.affiliate_id = earned.affiliate_id;
    due := case when (snapshot ->> 'is_refunded')::boolean or snapshot ->> 'dispute' in ('open', 'lost') then 0
      else ((snapshot ->> 'amount')::bigint - (snapshot ->> 'amount_refunded')::bigint) * earned.rate_basis_points / 10000 end;
    perform private.post_ledger_transaction(
      'commission', earned.affiliate_id, charge, null, 'house',
      case when earned.released_at is null then 'pending' else 'payable' end, least(booked, due) - booked
    );
  end loop;
end
$$;
comment on function private.lower_commissions(text, jsonb) is
  'Takes back what a payment of a deleted account no longer earns after a refund or dispute; never gives.';

-- @rpc authenticated
-- Fifty payments that earned for the caller, newest first.
create function private.my_commissions(before_time timestamptz default null, before_charge text default null) returns table (
  charge_id text, invoice_number text, paid_at timestamptz, payable_at timestamptz, state text, amount_pence bigint, kind text, course_title text
)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return query
    select k.charge_id, i.number, k.paid_at, k.payable_at, private.commission_state(k, coalesce(m.amount_pence, 0)), coalesce(m.amount_pence, 0),
      k.kind, c.title
    from private.affiliates a
    join private.commissions k on k.affiliate_id = a.affiliate_id
    left join public.invoices i on i.invoice_id = k.invoice_id
    left join public.courses c on c.id = k.course_id
    left join lateral (
      select x.amount_pence from private.commission_amounts x where x.charge_id = k.charge_id and x.affiliate_id = k.affiliate_id
    ) m on true
    where a.user_id = caller and (before_time is null or (k.paid_at, k.charge_id) < (before_time, before_charge))
    order by k.paid_at desc, k.charge_id desc limit 50;
end
$$;
comment on function private.my_commissions(timestamptz, text) is 'Fifty payments that earned for the caller, newest first, without who made them.';

-- What a mentor can sell, and what the sales brought.
-- @rpc authenticated
-- Mentors: courses one sells or can sell.
create function private.my_course_offers() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return jsonb_build_object(
    'terms', (select to_jsonb(t) - 'id' from private.selling_terms t),
    'pending_days', (select t.pending_days from private.affiliate_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object(
        'course_id', c.id, 'title', c.title, 'price_pence', (c.price * 100)::integer, 'is_published', c.is_published,
        'suggested_slug', c.slug, 'slug', o.slug, 'outcomes', to_jsonb(coalesce(o.outcomes, '{}')), 'free_module_id', o.free_module_id,
        'is_on_sale', coalesce(o.is_on_sale, false),
        'ended_at', o.ended_at, 'ended_reason', o.ended_reason,
        'is_open', exists (select from private.open_course_offers x where x.course_id = c.id),
        'modules', coalesce((
          select jsonb_agg(jsonb_build_object('id', m.id, 'title', m.title) order by m.module_order)
          from public.course_modules m where m.course_id = c.id and m.is_published
        ), '[]'),
        'sales', f.sales, 'taken_back', f.taken_back, 'earned_pence', f.earned_pence
      ) order by c.title, c.id)
      from public.courses c
      left join private.course_offers o on o.course_id = c.id
      cross join lateral (
        select count(*) as sales, count(*) filter (where coalesce(m.amount_pence, 0) = 0) as taken_back,
          coalesce(sum(m.amount_pence), 0) as earned_pence
        from private.affiliates a
        join private.commissions k on k.affiliate_id = a.affiliate_id and k.kind = 'course_sale' and k.course_id = c.id
        left join private.commission_amounts m on m.charge_id = k.charge_id and m.affiliate_id = k.affiliate_id
        where a.user_id = caller
      ) f
      where c.mentor_id = caller and (c.price > 0 or o.course_id is not null)
    ), '[]')
  );
end
$$;
comment on function private.my_course_offers() is 'Priced courses of the caller, with their sale pages and figures, and the terms.';

-- selling/ended-sales.sql

-- @rpc authenticated
-- Administrators: take a course off sale, with a reason that its mentor reads. Buyers keep it.
create function private.end_course_sale(course uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.require_act_reason(reason);
  was constant private.course_offers := private.lock_course_offer(course);
  becomes private.course_offers;
begin
  if was.course_id is null or was.ended_at is not null then
    perform private.fail('FF858', 'There is no sale of this course to end.');
  end if;
  update private.course_offers o set is_on_sale = false, ended_at = now(), ended_reason = why, changed_at = now()
  where o.course_id = was.course_id returning o.* into becomes;
  perform private.audit(admin, 'course.sale_ended', (select c.mentor_id from public.courses c where c.id = course), jsonb_build_object(
    'course', course, 'reason', why,
    'before', jsonb_build_object('is_on_sale', was.is_on_sale, 'ended_at', was.ended_at),
    'after', jsonb_build_object('is_on_sale', becomes.is_on_sale, 'ended_at', becomes.ended_at)
  ));
end
$$;
comment on function private.end_course_sale(uuid, text) is
  'Administrators with a second factor: takes a course off sale until one allows it again; audited. FF511 without a reason, FF858.';

-- @rpc authenticated
-- Administrators: let the mentor put a course on sale again that an administrator took off. It is not on sale by that.
create function private.allow_course_sale(course uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.require_act_reason(reason);
  was constant private.course_offers := private.lock_course_offer(course);
  seller constant uuid := (select c.mentor_id from public.courses c where c.id = course);
begin
  if was.ended_at is null then
    perform private.fail('FF858', 'No administrator has ended the sale of this course.');
  end if;
  if seller = admin then
    perform private.fail('FF513', 'Another administrator has to do this for your own course.');
  end if;
  update private.course_offers o set ended_at = null, ended_reason = null, changed_at = now() where o.course_id = was.course_id;
  perform private.audit(admin, 'course.sale_allowed', seller, jsonb_build_object(
    'course', course, 'reason', why, 'before', jsonb_build_object('ended_at', was.ended_at),
    'after', jsonb_build_object('ended_at', null)
  ));
end
$$;
comment on function private.allow_course_sale(uuid, text) is
  'Administrators with a second factor: lets the mentor put a course on sale again; audited. FF511, FF513 for one''s own, FF858.';

-- Nothing here that the mentor and the public page do not say, so the role alone may read it, as the rest of the content.
-- @rpc authenticated
-- Administrators: the sale of a course, null when it was never offered.
create function private.content_sale(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'slug', o.slug, 'is_on_sale', o.is_on_sale,
      'is_open', exists (select from private.open_course_offers x where x.course_id = o.course_id),
      'ended_at', o.ended_at, 'ended_reason', o.ended_reason
    )
    from private.course_offers o where o.course_id = course
  );
end
$$;
comment on function private.content_sale(uuid) is 'The sale of a course for administrators; null when it was never offered.';

create function private.tg_course_offers__notify_end() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'sale_ended', new.course_id
  from public.courses c join public.profiles r on r.id = c.mentor_id where c.id = new.course_id
  for key share of r skip locked
  on conflict (user_id, kind, subject_id, actor_id, detail) do update set created_at = now(), read_at = null;
  return null;
end
$$;

create function private.notification_part_selling(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = '' as $$
  select n.id, jsonb_build_object('excerpt', c.title)
  from private.newest_notifications(member, array['sale_ended']) n
  join private.course_offers o on o.course_id = n.subject_id and o.ended_at is not null
  join public.courses c on c.id = o.course_id and c.mentor_id = member
$$;
comment on function private.notification_part_selling(uuid) is 'Sales of the member''s courses that an administrator ended, until they are allowed again.';

-- selling/offers.sql

create table private.selling_terms (
  id boolean primary key default true constraint selling_terms_id_check check (id),
  share_basis_points integer not null constraint selling_terms_share_check check (share_basis_points between 0 and 9000),
  referral_basis_points integer not null constraint selling_terms_referral_check check (referral_basis_points between 0 and 5000),
  refund_days integer not null constraint selling_terms_refund_check check (refund_days between 14 and 60),
  constraint selling_terms_sum_check check (share_basis_points + referral_basis_points <= 10000)
);
comment on table private.selling_terms is 'How the price of a sold course is shared. The owner may change it; what was sold before keeps its rates.';
comment on column private.selling_terms.id is 'Always true, so that there is one row.';
comment on column private.selling_terms.share_basis_points is 'The mentor''s share, in hundredths of a per cent of what was paid.';
comment on column private.selling_terms.referral_basis_points is 'What the member earns whose link brought the buyer, likewise.';
comment on column private.selling_terms.refund_days is 'For how long after a purchase the price is refunded on request.';
alter table private.selling_terms enable row level security;

create function private.tg_course_offers__keep_address() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.course_addresses (slug, course_id) values (new.slug, new.course_id) on conflict do nothing;
  return null;
end
$$;

-- @rpc service_role
-- Server: the public page of a course. Function course-offer gives it to visitors.
create function private.course_offer(slug text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'slug', o.slug, 'title', c.title, 'description', c.description, 'outcomes', to_jsonb(o.outcomes),
    'price_pence', o.price_pence, 'minutes', c.estimated_duration, 'difficulty', c.difficulty_level,
    'thumbnail_url', c.thumbnail_url, 'category', s.main_category, 'topic', s.slug, 'course_slug', c.slug,
    'mentor', btrim(concat_ws(' ', p.first_name, p.last_name)), 'refund_days', t.refund_days,
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
$$;
comment on function private.course_offer(text) is 'What the public page of a course shows, one lesson in full; null when it is not on sale.';

reset check_function_bodies;
