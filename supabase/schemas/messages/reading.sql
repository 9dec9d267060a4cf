-- Reading direct messages: the list of conversations, one of them, and how many wait. Pages of messages are read from the table.
create function private.unread_direct_count(member uuid, conversation uuid) returns integer
  language sql stable set search_path = '' as $$
  select count(*)::integer from (
    select from public.direct_messages m
    where m.conversation_id = conversation and m.user_id <> member and m.deleted_at is null and m.created_at > coalesce(
      (select r.last_read_at from private.direct_reads r where r.user_id = member and r.conversation_id = conversation), '-infinity'
    )
    limit 99
  ) unread
$$;
comment on function private.unread_direct_count(uuid, uuid) is 'Messages of the other that the member has not read, at most 99.';

create function private.describe_member(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', p.id, 'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'role', p.role, 'occupation', p.occupation,
    'avatar_url', p.avatar_url
  ) from public.profiles p where p.id = member
$$;
comment on function private.describe_member(uuid) is 'What members read of an account beside its name; null without one.';

-- @rpc authenticated
-- The caller's conversations with the beginning of the last message (empty once deleted) and what is unread, newest first.
create function private.my_conversations(before_at timestamptz default null, before_id uuid default null, page_size integer default 30)
  returns table (conversation_id uuid, member jsonb, last_message_at timestamptz, excerpt text, is_own boolean, unread integer)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  return query
    select c.id, private.describe_member(private.other_member(c.id, caller)), c.last_message_at, private.excerpt(m.content), m.user_id = caller,
      private.unread_direct_count(caller, c.id)
    from private.direct_conversations c
    cross join lateral (
      select d.content, d.user_id from public.direct_messages d where d.conversation_id = c.id
      order by d.created_at desc, d.id limit 1
    ) m
    where c.id = any (private.caller_conversation_ids())
      and (before_at is null or (c.last_message_at, c.id) < (before_at, before_id))
    order by c.last_message_at desc, c.id desc
    limit least(greatest(coalesce(page_size, 30), 1), 50);
end
$$;
comment on function private.my_conversations(timestamptz, uuid, integer) is
  'A page of the caller''s conversations, newest message first, without those with members the caller has blocked.';

-- @rpc authenticated
-- How many of the caller's conversations have something unread, at most 99.
create function private.unread_conversations() returns integer
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return (
    select count(*) from (
      select from unnest(private.caller_conversation_ids()) c where exists (
        select from public.direct_messages m
        where m.conversation_id = c and m.user_id <> caller and m.deleted_at is null and m.created_at > coalesce(
          (select r.last_read_at from private.direct_reads r where r.user_id = caller and r.conversation_id = c), '-infinity'
        )
      )
      limit 99
    ) unread
  );
end
$$;
comment on function private.unread_conversations() is 'In how many conversations something is unread for the caller, at most 99.';

-- The address names a member or a conversation. Anyone who was a member has a name here, so that a member who left, who takes
-- no messages or who has blocked the caller is answered alike: closed.
-- @rpc authenticated
-- Whom a conversation is with, whether the caller may write now, and how far the caller has read; null when there is no such member.
create function private.direct_conversation(id uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  other constant uuid := coalesce(private.other_member(direct_conversation.id, caller), direct_conversation.id);
  conversation constant uuid := private.conversation_between(caller, other);
begin
  if other = caller or not exists (
    select from public.profiles p where p.id = other and (p.onboarding_complete or p.role = 'admin')
  ) then
    return null;
  end if;
  return jsonb_build_object(
    'conversation_id', conversation, 'member', private.describe_member(other), 'door', private.direct_message_permission(caller, other),
    'last_read_at', (
      select r.last_read_at from private.direct_reads r where r.user_id = caller and r.conversation_id = conversation
    )
  );
end
$$;
comment on function private.direct_conversation(uuid) is
  'The caller''s conversation with a member, by the id of either; null when there is no such member. door: open, closed, own or blocked.';
