-- Members named in a message are told of it. The text holds the name and the notification holds who is meant, so that two
-- members of one name are told apart.
insert into private.notification_kinds (kind, topic) values ('mention', 'rooms');

-- Listed members only: those who left the directory are not to be found by typing letters here either.
create function private.may_be_mentioned(member uuid, room text, by_member uuid) returns boolean
  language sql stable set search_path = '' as $$
  select member <> by_member and not private.is_blocked_between(member, by_member)
    and exists (select from private.directory_entries d where d.user_id = member)
    and not exists (select from auth.users u where u.id = member and u.banned_until > now())
    and exists (
      select from public.chat_rooms r
      where r.id = room and r.is_active and r.min_level_required <= private.effective_level(member)
    )
$$;
revoke all on function private.may_be_mentioned from public, anon, authenticated, service_role;
comment on function private.may_be_mentioned(uuid, text, uuid) is
  'True for a listed member who may read the room now and is another than the given one, without a block between them.';

create function private.mentionable_members(room text, typed text) returns table (user_id uuid, name text, avatar_url text)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  start constant text := private.search_key(btrim(left(coalesce(typed, ''), 100)));
begin
  perform private.enforce_rate_limit(caller, 'people');
  if start = '' or not room = any (private.caller_room_ids()) then
    return;
  end if;
  return query
    select p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url
    from private.directory_entries d join public.profiles p on p.id = d.user_id
    where position(' ' || start in ' ' || d.sort_key) > 0 and private.may_be_mentioned(d.user_id, room, caller)
    order by d.sort_key, d.user_id limit 8;
end
$$;
revoke all on function private.mentionable_members from public, anon, authenticated, service_role;
comment on function private.mentionable_members(text, text) is
  'Up to eight members whom the caller may mention in the room and a word of whose name begins as typed. Limited.';
grant execute on function private.mentionable_members(text, text) to authenticated;
create function public.mentionable_members(room text, typed text) returns table (user_id uuid, name text, avatar_url text)
  language sql volatile set search_path = '' as $$ select * from private.mentionable_members(room, typed) $$;
revoke all on function public.mentionable_members from public, anon, authenticated, service_role;
comment on function public.mentionable_members(text, text) is
  'Members whom the caller may mention in a room, by the beginning of a word of their name; at most eight.';
grant execute on function public.mentionable_members(text, text) to authenticated;

-- Repeating it tells nobody twice. Answers nothing, so that nobody learns who is blocked or may not read. The author of
-- the parent message is told of the reply.
create function private.mention_members(message uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  named constant public.chat_messages := private.require_visible_message(message);
  told bigint;
begin
  if named.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  select count(*) into told from public.notifications n
  where n.actor_id = caller and n.kind = 'mention' and n.subject_id = message;
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select p.id, 'mention', caller, message, message
  from public.profiles p
  where p.id = any (members[1:100])
    and position('@' || btrim(concat_ws(' ', p.first_name, p.last_name)) in named.content) > 0
    and private.may_be_mentioned(p.id, named.chat_room_id, caller)
    and not exists (select from public.chat_messages a where a.id = named.parent_message_id and a.user_id = p.id)
    and not exists (
      select from public.notifications n
      where n.user_id = p.id and n.kind = 'mention' and n.subject_id = message and n.actor_id = caller
    )
  limit greatest(10 - told, 0)
  for key share of p skip locked
  on conflict do nothing;
end
$$;
revoke all on function private.mention_members from public, anon, authenticated, service_role;
comment on function private.mention_members(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own message names them: those whose name stands in it after @ and who may read it.';
grant execute on function private.mention_members(uuid, uuid[]) to authenticated;
create function public.mention_members(message uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_members(message, members) $$;
revoke all on function public.mention_members from public, anon, authenticated, service_role;
comment on function public.mention_members(uuid, uuid[]) is
  'Tells members that the caller''s message names them: at most ten, each once, and only who may read it.';
grant execute on function public.mention_members(uuid, uuid[]) to authenticated;
