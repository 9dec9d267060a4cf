-- Rooms and submissions are indexed like the library. Messages are not.
create function private.index_room(room text) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'room', r.id, null, r.min_level_required, r.is_active, null, r.name, r.description, '', '/chats/' || r.id, null, '{}'
    )::private.search_documents,
    '', r.name || ' ' || r.description
  )
  from public.chat_rooms r where r.id = room
$$;
comment on function private.index_room(text) is 'Updates the search document of a chat room.';

-- Only the words of titles are added to the list of known words, which keeps it short.
create function private.index_submission(submission uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'submission', s.id::text, null, 1, true, s.user_id, s.title, left(regexp_replace(s.content, '\s+', ' ', 'g'), 200),
      s.content, '/learning/submissions#' || s.id, null, '{}'
    )::private.search_documents,
    replace(s.submission_type, '_', ' '), s.title
  )
  from public.learning_submissions s where s.id = submission
$$;
comment on function private.index_submission(uuid) is 'Updates the search document of a submission.';

create function private.tg_chat_rooms__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_room(new.id);
  return null;
end
$$;
create trigger chat_rooms__index
  after insert or update of name, description, min_level_required, is_active on public.chat_rooms
  for each row execute function private.tg_chat_rooms__index();

create function private.tg_chat_rooms__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'room' and d.id = old.id;
  return null;
end
$$;
create trigger chat_rooms__unindex after delete on public.chat_rooms
  for each row execute function private.tg_chat_rooms__unindex();

create function private.tg_learning_submissions__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_submission(new.id);
  return null;
end
$$;
create trigger learning_submissions__index
  after insert or update of submission_type, title, content on public.learning_submissions
  for each row execute function private.tg_learning_submissions__index();

create function private.tg_learning_submissions__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'submission' and d.id = old.id::text;
  return null;
end
$$;
create trigger learning_submissions__unindex after delete on public.learning_submissions
  for each row execute function private.tg_learning_submissions__unindex();
