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
create trigger articles__index
  after insert or update of title, excerpt, content, tags, is_published, subcategory_id, author_id on public.articles
  for each row execute function private.tg_articles__index();

create function private.tg_articles__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'article' and d.id = old.id::text;
  return null;
end
$$;
create trigger articles__unindex after delete on public.articles
  for each row execute function private.tg_articles__unindex();

create function private.tg_courses__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_course(new.id);
  return null;
end
$$;
create trigger courses__index
  after insert or update of title, description, difficulty_level, is_published, subcategory_id, mentor_id on public.courses
  for each row execute function private.tg_courses__index();

create function private.tg_courses__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'course' and d.id = old.id::text;
  return null;
end
$$;
create trigger courses__unindex after delete on public.courses
  for each row execute function private.tg_courses__unindex();

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
