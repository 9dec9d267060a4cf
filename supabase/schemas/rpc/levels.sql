-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.engagement_rank() returns table(engagements integer, percentile numeric, members integer, label text)
  language sql stable set search_path = '' as $$ select * from private.engagement_rank() $$;
comment on function public.engagement_rank is 'The caller''s engagements, the percentage of all members with fewer, the number of members, and the rank''s name.';
grant execute on function private.engagement_rank, public.engagement_rank to authenticated;

create function public.progress_history(days integer default 90) returns table(day date, rooms integer, submissions integer, engagements integer, articles integer, courses integer)
  language sql stable set search_path = '' as $$ select * from private.progress_history(days) $$;
comment on function public.progress_history is 'Number of the caller''s progress events on each of the last days (UTC, at most 366), oldest first.';
grant execute on function private.progress_history, public.progress_history to authenticated;

create function public.progress_evidence(kind text, category text default NULL::text, before_id bigint default NULL::bigint, page_size integer default 30) returns setof public.progress_event
  language sql stable set search_path = '' as $$ select * from private.progress_evidence(kind, category, before_id, page_size) $$;
comment on function public.progress_evidence is 'The progress events behind one of the caller''s counters (rooms, submissions, engagements, articles, courses), newest first, paged by id.';
grant execute on function private.progress_evidence, public.progress_evidence to authenticated;

create function public.my_today() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_today() $$;
comment on function public.my_today is 'What stands first on the caller''s dashboard, in one answer.';
grant execute on function private.my_today, public.my_today to authenticated;
