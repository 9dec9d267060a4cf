-- The imports of the library, so that a start reads its files only when they have changed.
create table private.content_imports (
  id bigint generated always as identity primary key,
  imported_at timestamptz not null default now(),
  source text not null check (source in ('shipped', 'operator')),
  digest text not null,
  changes integer not null
);
comment on table private.content_imports is 'Imports of the library, oldest first.';
comment on column private.content_imports.source is
  'shipped: the product''s own library, updated at each start. operator: an import by the operator, which a start does not replace.';
comment on column private.content_imports.digest is 'Hash of the files.';
alter table private.content_imports enable row level security;

-- The data export of the library: what the member read, completed and wrote.
create function private.export_part_library(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'article_opens', coalesce((
      select jsonb_agg(to_jsonb(o) order by o.last_opened_on, o.article_id)
      from public.article_opens o where o.user_id = member
    ), '[]'),
    'article_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.created_at, r.article_id)
      from public.article_reads r where r.user_id = member
    ), '[]'),
    'course_enrollments', coalesce((
      select jsonb_agg(to_jsonb(e) order by e.created_at, e.course_id)
      from public.course_enrollments e where e.user_id = member
    ), '[]'),
    'module_completions', coalesce((
      select jsonb_agg(to_jsonb(d) order by d.created_at, d.module_id)
      from public.module_completions d where d.user_id = member
    ), '[]'),
    'articles_written', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.created_at, a.id) from public.articles a where a.author_id = member
    ), '[]'),
    'courses_written', coalesce((
      select jsonb_agg(to_jsonb(c) || jsonb_build_object('modules', (
        select coalesce(jsonb_agg(to_jsonb(m) order by m.module_order), '[]')
        from public.course_modules m where m.course_id = c.id
      )) order by c.created_at, c.id)
      from public.courses c where c.mentor_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_library(uuid) is
  'Opened and read articles, enrolments, completed modules, and articles and courses written by one account.';
