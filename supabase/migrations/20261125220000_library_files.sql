-- Texts of the library's files may carry a mentor's name and stay the files' own. docs/subsystems/library.md.

alter table public.articles add column from_files boolean not null default false;
alter table public.courses add column from_files boolean not null default false;
comment on column public.articles.from_files is 'Brought by an import of files, which keeps it up to date whoever is named as its author.';
comment on column public.courses.from_files is 'Brought by an import of files, which keeps it up to date whoever is named as its mentor.';
comment on column public.articles.author_id is 'Whose name it carries; null for the product''s own.';
comment on column public.courses.mentor_id is 'Whose name it carries; null for the product''s own.';

-- Until now every text with a name came from the studio.
update public.articles set from_files = true where author_id is null;
update public.courses set from_files = true where mentor_id is null;

grant select (from_files) on table public.articles to authenticated;
grant select (from_files) on table public.courses to authenticated;
