-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.search_library(query text, max_results integer default 20) returns table(kind text, id text, title text, excerpt text, category text, path text, rank real)
  language sql stable set search_path = '' as $$ select * from private.search_library(query, max_results) $$;
comment on function public.search_library is 'Articles, courses, rooms and submissions the caller may read, at most 50: titles that read as typed first, then those with the words, submissions last; typing errors are forgiven.';
grant execute on function private.search_library, public.search_library to authenticated;

create function public.search_locked(query text) returns table(kind text, title text, category text, min_level integer)
  language sql stable set search_path = '' as $$ select * from private.search_locked(query) $$;
comment on function public.search_locked is 'Articles, courses and rooms whose title has every word and that a higher level opens, at most 5.';
grant execute on function private.search_locked, public.search_locked to authenticated;

create function public.search_messages(query text, room_id text default NULL::text, before_created_at timestamp with time zone default NULL::timestamp with time zone, before_id uuid default NULL::uuid, page_size integer default 20) returns table(message_id uuid, chat_room_id text, room_name text, user_id uuid, author_first_name text, author_last_name text, author_avatar_url text, excerpt text, created_at timestamp with time zone)
  language sql volatile set search_path = '' as $$ select * from private.search_messages(query, room_id, before_created_at, before_id, page_size) $$;
comment on function public.search_messages is 'Messages of a room, or of every room the caller may read, that have all the words; newest first, the next page starts after the last one.';
grant execute on function private.search_messages, public.search_messages to authenticated;
