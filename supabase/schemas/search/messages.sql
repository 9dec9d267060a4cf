-- Search over the messages of the rooms one may read. The documents are stored apart from the messages, so that a like does
-- not index a text again and the rows that Realtime reads stay small. Rights are checked at every search.
create table private.message_search_documents (
  message_id uuid primary key references public.chat_messages (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  created_at timestamptz not null,
  document tsvector not null
);
comment on table private.message_search_documents is 'Words of the messages that are not deleted; kept by triggers on chat_messages.';
create index message_search_documents_document_idx on private.message_search_documents using gin (document);
create index message_search_documents_room_idx on private.message_search_documents (chat_room_id, created_at desc, message_id);
alter table private.message_search_documents enable row level security;

create function private.index_message(message public.chat_messages)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into private.message_search_documents (message_id, chat_room_id, created_at, document)
  values (message.id, message.chat_room_id, message.created_at, private.words_vector(message.content, 'D', 900000))
  on conflict (message_id) do update set document = excluded.document;
end
$$;
comment on function private.index_message(public.chat_messages) is 'Updates the search document of a message.';

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
create trigger chat_messages__index_sent after insert on public.chat_messages
  for each row execute function private.tg_chat_messages__index();

create trigger chat_messages__index_changed after update of content, deleted_at on public.chat_messages
  for each row when (new.content is distinct from old.content) execute function private.tg_chat_messages__index();

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
