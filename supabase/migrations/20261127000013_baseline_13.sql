-- Part 13 of 25 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- library/tables.sql

-- The library: articles and courses in three categories, each of which opens at its own level.

-- The only definition of which level opens which category.
create function private.category_level(category text) returns integer
  language sql immutable set search_path = '' as $$
  select case category when 'general' then 2 when 'business' then 3 when 'wealth' then 4 end
$$;
comment on function private.category_level(text) is 'Level that opens a main category: general 2, business 3, wealth 4.';
grant execute on function private.category_level to authenticated;

create table public.subcategories (
  id uuid primary key default gen_random_uuid(),
  main_category text not null constraint subcategories_main_category_check
    check (main_category in ('general', 'business', 'wealth')),
  slug text not null constraint subcategories_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  name text not null constraint subcategories_name_check check (char_length(name) between 1 and 80),
  description text not null default '' constraint subcategories_description_check check (char_length(description) <= 300),
  color text not null default '#64748b' constraint subcategories_color_check check (color ~ '^#[0-9a-f]{6}$'),
  icon text not null default 'book-open' constraint subcategories_icon_check check (icon ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  display_order integer not null default 0,
  is_active boolean not null default true,
  -- Subcategories that mentors read from their first day, whatever their level: what they need for teaching is there.
  open_to_mentors boolean not null default false,
  unique (main_category, slug)
);
grant select, insert, update, delete on public.subcategories to service_role;
grant select (id, main_category, slug, name, description, color, icon, display_order, is_active, open_to_mentors)
  on public.subcategories to authenticated;
comment on table public.subcategories is 'Subcategories of the library, each in one main category.';
comment on column public.subcategories.color is 'Colour of the bar on its card, as #rrggbb.';
comment on column public.subcategories.icon is 'Name of an icon of the app; unknown names fall back to one.';
comment on column public.subcategories.is_active is 'False hides the subcategory with its articles and courses.';
alter table public.subcategories enable row level security;
comment on column public.subcategories.open_to_mentors is 'Mentors with a live membership read it at every level. Set by the importer from the front matter of the subcategory.';

-- messages/conversations.sql

-- Direct messages: conversations of two members, who may write to whom, and who may read.
create table public.message_choices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  accepts text not null constraint message_choices_accepts_check check (accepts in ('everyone', 'known', 'nobody')),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.message_choices to service_role;
grant select (user_id, accepts) on public.message_choices to authenticated;
comment on table public.message_choices is 'Who may write to a member; without a row every member. Written by set_message_choice.';
comment on column public.message_choices.accepts is
  'everyone: every member. known: mentors, administrators and members one has written to. nobody: no direct messages at all, in either direction.';
alter table public.message_choices enable row level security;

create policy select_own on public.message_choices for select to authenticated using (user_id = (select auth.uid()));

-- Administrators are members like others here: they read their own conversations only. A conversation with a member one
-- has blocked is closed for the one who blocked, and stays as it was for the blocked one, who must not learn of it.
create function private.caller_conversation_ids() returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.caller_is_member() then
    return '{}';
  end if;
  return array(
    select c.id from private.direct_conversations c
    where auth.uid() in (c.first_id, c.second_id) and not exists (
      select from private.member_blocks b where b.user_id = auth.uid() and b.blocked_id in (c.first_id, c.second_id)
    )
  );
end
$$;
comment on function private.caller_conversation_ids() is 'Conversations the calling member may read now; none without a live membership.';
grant execute on function private.caller_conversation_ids to authenticated;

-- The private channel direct:<conversation> says who is typing. Only the database sends on it.
create function private.caller_may_use_conversation_channel(topic text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return starts_with(topic, 'direct:') and substr(topic, 8) = any (private.caller_conversation_ids()::text[]);
end
$$;
comment on function private.caller_may_use_conversation_channel(text) is
  'True when the topic is that of a conversation the calling member may read now.';
grant execute on function private.caller_may_use_conversation_channel to authenticated;

create policy select_open_conversation on realtime.messages for select to authenticated using (
  extension = 'broadcast' and (select private.caller_may_use_conversation_channel((select realtime.topic())))
);

create function private.conversation_between(one uuid, other uuid) returns uuid
  language sql stable set search_path = '' as $$
  select c.id from private.direct_conversations c where c.first_id = least(one, other) and c.second_id = greatest(one, other)
$$;
comment on function private.conversation_between(uuid, uuid) is 'The conversation of two accounts; null when there is none.';

create function private.accepted_messages(member uuid) returns text
  language sql stable set search_path = '' as $$
  select coalesce((select m.accepts from public.message_choices m where m.user_id = member), 'everyone')
$$;
comment on function private.accepted_messages(uuid) is 'What the account chose about who may write to it.';

-- One answer to everything the other's side may be about, so that a block looks like a choice or a lapse. Who takes no
-- messages cannot write either, because an answer could not come back.
create function private.direct_message_permission(sender uuid, recipient uuid) returns text
  language plpgsql stable set search_path = '' as $$
begin
  if exists (select from private.member_blocks b where b.user_id = sender and b.blocked_id = recipient) then
    return 'blocked';
  end if;
  if private.accepted_messages(sender) = 'nobody' then
    return 'own';
  end if;
  if sender = recipient or private.effective_level(recipient) = 0
    or exists (select from auth.users u where u.id = recipient and (u.banned_until > now() or u.deleted_at is not null))
    or private.is_blocked_between(sender, recipient)
  then
    return 'closed';
  end if;
  return case private.accepted_messages(recipient)
    when 'everyone' then 'open'
    when 'known' then case when exists (
      select from public.profiles p where p.id = sender and p.role in ('mentor', 'admin')
    ) or exists (
      select from public.direct_messages m
      where m.conversation_id = private.conversation_between(sender, recipient) and m.user_id = recipient
    ) then 'open' else 'closed' end
    else 'closed'
  end;
end
$$;
comment on function private.direct_message_permission(uuid, uuid) is
  'open when the sender may write to the recipient now; own when the sender takes no messages, blocked when the sender has blocked the recipient, else closed.';

create function private.require_direct_message_permission(sender uuid, recipient uuid) returns void
  language plpgsql stable set search_path = '' as $$
begin
  case private.direct_message_permission(sender, recipient)
    when 'open' then
      return;
    when 'own' then
      perform private.fail('FF811', 'You take no messages at the moment, so you cannot send any.');
    when 'blocked' then
      perform private.fail('FF812', 'You have blocked this member.');
    else
      perform private.fail('FF810', 'This member is not taking messages from you.');
  end case;
end
$$;
comment on function private.require_direct_message_permission(uuid, uuid) is 'Raises FF810, FF811 or FF812 unless the sender may write to the recipient now.';

-- @rpc authenticated
-- Sets who may write to the caller: everyone, known (mentors, administrators and members the caller has written to) or nobody.
create function private.set_message_choice(accepts text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  if accepts is null or accepts not in ('everyone', 'known', 'nobody') then
    perform private.fail('FF813', 'The choice must be everyone, known or nobody.');
  end if;
  perform private.enforce_rate_limit(caller, 'message_choice');
  insert into public.message_choices as c (user_id, accepts) values (caller, set_message_choice.accepts)
  on conflict (user_id) do update set accepts = excluded.accepts, updated_at = now();
end
$$;
comment on function private.set_message_choice(text) is 'Stores who may write to the caller; FF813 for an unknown choice.';

-- messages/messages.sql

-- Writing direct messages, and where one has read to. They are no progress events: levels move by rooms alone.
create function private.other_member(conversation uuid, member uuid) returns uuid
  language sql stable set search_path = '' as $$
  select case when c.first_id = member then c.second_id else c.first_id end
  from private.direct_conversations c where c.id = conversation and member in (c.first_id, c.second_id)
$$;
comment on function private.other_member(uuid, uuid) is 'The other account of a conversation; null for who is not in it.';

create function private.require_conversation(conversation uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  if conversation is null or conversation <> all (private.caller_conversation_ids()) then
    perform private.fail('FF814', 'There is no such conversation of yours.');
  end if;
  return caller;
end
$$;
comment on function private.require_conversation(uuid) is 'The calling member, if the conversation is open to them; FF700 or FF814 otherwise.';

-- @rpc authenticated (conversation_id, up_to)
-- Saves how far the caller has read in a conversation.
create function private.mark_conversation_read(conversation uuid, up_to timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_conversation(conversation);
  read_at constant timestamptz := least(up_to, clock_timestamp());
begin
  if up_to is null then
    return;
  end if;
  insert into private.direct_reads as r (user_id, conversation_id, last_read_at) values (caller, conversation, read_at)
  on conflict (user_id, conversation_id) do update set last_read_at = excluded.last_read_at
  where r.last_read_at < excluded.last_read_at;
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = caller and n.kind = 'direct_message' and n.group_id = conversation and n.read_at is null
    and n.created_at <= mark_conversation_read.up_to;
end
$$;
comment on function private.mark_conversation_read(uuid, timestamptz) is
  'Moves how far the caller has read forward, never beyond now, and marks what the bell says of it as read.';

-- @rpc authenticated (message_id, recipient_id, content, parent_id)
-- Sends a message to another member. The id is the client's: sending it again stores nothing more.
create function private.send_direct_message(message uuid, recipient uuid, content text, parent uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  kept constant text := private.require_message_text(content);
  conversation uuid;
  sent public.direct_messages;
begin
  -- An id is stored once. What an earlier attempt stored is the answer, also when the door closed since.
  select m.* into sent from public.direct_messages m where m.id = message and m.user_id = caller;
  if found then
    return to_jsonb(sent);
  end if;
  -- The profiles first, as a deletion of the account does; then the pair, so that there is one conversation.
  perform from public.profiles p where p.id in (caller, recipient) order by p.id for key share;
  perform pg_advisory_xact_lock(hashtextextended('direct:' || least(caller, recipient) || greatest(caller, recipient), 0));
  perform private.require_direct_message_permission(caller, recipient);
  conversation := private.conversation_between(caller, recipient);
  if parent is not null and not exists (
    select from public.direct_messages m where m.id = parent and m.conversation_id = conversation and m.deleted_at is null
  ) then
    perform private.fail('FF315', 'The message you are answering is no longer there.');
  end if;
  perform private.enforce_rate_limit(caller, 'direct_message');
  if conversation is null then
    perform private.enforce_rate_limit(caller, 'conversation');
    insert into private.direct_conversations (first_id, second_id)
    values (least(caller, recipient), greatest(caller, recipient)) returning id into conversation;
  end if;
  insert into public.direct_messages (id, conversation_id, user_id, content, parent_message_id)
  values (coalesce(message, gen_random_uuid()), conversation, caller, kept, parent)
  on conflict (id) do nothing returning * into sent;
  if not found then
    select m.* into sent from public.direct_messages m where m.id = message and m.user_id = caller;
    if not found then
      perform private.fail('FF316', 'This message is not there.');
    end if;
    return to_jsonb(sent);
  end if;
  update private.direct_conversations c set last_message_at = sent.created_at where c.id = conversation;
  perform private.mark_conversation_read(conversation, sent.created_at);
  return to_jsonb(sent);
end
$$;
comment on function private.send_direct_message(uuid, uuid, text, uuid) is
  'Stores a message of the caller to another member, once for each id, and answers with its row; FF300, FF312, FF313, FF315, FF700 or FF810 to FF812.';

-- Changed words reach the other as new ones do, so they need the same open door.
-- @rpc authenticated (message_id, new_content)
-- Changes the text of the caller's own direct message.
create function private.edit_direct_message(message uuid, new_content text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  kept constant text := private.require_message_text(new_content);
  edited public.direct_messages;
begin
  select m.* into edited from public.direct_messages m
  where m.id = message and m.user_id = caller and m.deleted_at is null for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.require_direct_message_permission(caller, private.other_member(edited.conversation_id, caller));
  if edited.content <> kept then
    perform private.enforce_rate_limit(caller, 'direct_message');
    update public.direct_messages m set content = kept, edited_at = clock_timestamp(), changed_at = clock_timestamp()
    where m.id = message;
  end if;
end
$$;
comment on function private.edit_direct_message(uuid, text) is 'Changes the text of the caller''s own message while the caller may write to the other; FF316 for any other.';

create function private.erase_direct_message(message uuid) returns void
  language sql volatile set search_path = '' as $$
  update public.direct_messages m set content = '', deleted_at = clock_timestamp(), changed_at = clock_timestamp()
  where m.id = message and m.deleted_at is null
$$;
comment on function private.erase_direct_message(uuid) is 'Deletes the text of a message.';

-- Taking back one's own words needs neither a membership nor an open door.
-- @rpc authenticated (message_id)
-- Deletes the caller's own direct message for both members.
create function private.delete_direct_message(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  perform from public.direct_messages m where m.id = message and m.user_id = caller for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.erase_direct_message(message);
end
$$;
comment on function private.delete_direct_message(uuid) is 'Deletes the text of the caller''s own message. Repeating it does nothing.';

-- Says nothing behind a closed door, and does not tell the caller so.
-- @rpc authenticated (conversation_id)
-- The caller is typing to the other member. Call it every few seconds while typing.
create function private.notify_direct_typing(conversation uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_conversation(conversation);
begin
  perform private.enforce_rate_limit(caller, 'typing');
  if private.direct_message_permission(caller, private.other_member(conversation, caller)) = 'open' then
    perform realtime.send(jsonb_build_object('user_id', caller), 'typing', 'direct:' || conversation, true);
  end if;
end
$$;
comment on function private.notify_direct_typing(uuid) is 'Broadcasts that the caller is typing in the conversation; FF300, FF700 or FF814.';

-- messages/notifications.sql

create function private.tg_direct_messages__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  reader constant uuid := private.other_member(new.conversation_id, new.user_id);
begin
  delete from public.notifications n
  where n.user_id = reader and n.kind = 'direct_message' and n.group_id = new.conversation_id;
  -- Who is being deleted is not waited for.
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select r.id, 'direct_message', new.user_id, new.id, new.conversation_id, new.created_at
  from public.profiles r where r.id = reader
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

-- A deleted message gives its place to the newest one before it that stands.
create function private.notification_part_direct(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('member_id', n.actor_id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['direct_message']) n
  cross join lateral (
    select d.content from public.direct_messages d
    where d.conversation_id = n.group_id and d.user_id = n.actor_id and d.deleted_at is null
    order by d.created_at desc, d.id limit 1
  ) m
  -- The other direction stays in the bell, as in the list of conversations: the blocked member must not learn of it.
  where not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = n.actor_id);
end
$$;
comment on function private.notification_part_direct(uuid) is
  'Conversations in which a message to the member stands, while the member is one and has not blocked the sender.';

-- messages/reading.sql

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

-- messages/reports.sql

create function private.require_report_reason(reason text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why constant text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  return why;
end
$$;
comment on function private.require_report_reason(text) is 'The trimmed reason of a report; raises FF317 when it is empty or too long.';

-- A block by the caller does not matter: one may block first and report then.
-- @rpc authenticated (message_id, reason)
-- Reports a direct message to the administrators, who then read it and up to five before it.
create function private.report_direct_message(message uuid, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  open_report bigint;
  caller constant uuid := private.require_member();
  why constant text := private.require_report_reason(reason);
  reported public.direct_messages;
begin
  select m.* into reported from public.direct_messages m
  where m.id = message and m.deleted_at is null and exists (
    select from private.direct_conversations c where c.id = m.conversation_id and caller in (c.first_id, c.second_id)
  );
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if reported.user_id = caller then
    perform private.fail('FF318', 'You can delete your own message; there is no need to report it.');
  end if;
  select r.id into open_report from private.text_reports r
  where r.message_id = message and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.text_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.text_reports (message_id, user_id, reason, content, context)
  values (message, caller, why, reported.content, coalesce((
    select jsonb_agg(jsonb_build_object(
      'author_id', e.user_id, 'content', e.content, 'created_at', e.created_at
    ) order by e.created_at, e.id desc)
    from (
      select m.* from public.direct_messages m
      where m.conversation_id = reported.conversation_id and m.deleted_at is null
        and (m.created_at < reported.created_at or (m.created_at = reported.created_at and m.id > reported.id))
      order by m.created_at desc, m.id limit 5
    ) e
  ), '[]'))
  on conflict do nothing;
end
$$;
comment on function private.report_direct_message(uuid, text) is
  'Reports a message to the caller, with up to five messages before it, also after blocking its author. Repeating it while it is open adds what it did not say yet.';

-- @rpc authenticated (post_id, reason)
-- Reports an offer or a request to the administrators.
create function private.report_collaboration_post(post uuid, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  open_report bigint;
  caller constant uuid := private.require_member();
  why constant text := private.require_report_reason(reason);
  reported private.collaboration_posts;
begin
  select p.* into reported from private.collaboration_posts p
  where p.id = post and private.is_open_post(p.created_at, p.closed_at) and private.effective_level(p.user_id) > 0
    and not exists (select from private.member_blocks b where b.user_id = p.user_id and b.blocked_id = caller)
    and not exists (select from auth.users u where u.id = p.user_id and u.banned_until > now());
  if not found then
    perform private.fail('FF833', 'This post is no longer there.');
  end if;
  if reported.user_id = caller then
    perform private.fail('FF834', 'You can close your own post; there is no need to report it.');
  end if;
  select r.id into open_report from private.text_reports r
  where r.post_id = post and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.text_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.text_reports (post_id, user_id, reason, content)
  values (post, caller, why, reported.title || E'\n\n' || reported.details) on conflict do nothing;
end
$$;
comment on function private.report_collaboration_post(uuid, text) is
  'Reports an open post of another member, also after blocking them. Repeating it while it is open adds what it did not say yet.';

-- @rpc authenticated
-- Administrators: reported direct messages (with up to five before each) and posts, oldest first.
create function private.text_report_queue() returns setof jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select jsonb_build_object(
      'report_id', o.report_id, 'subject', case when o.message_id is null then 'post' else 'message' end,
      'author', private.describe_member(coalesce(m.user_id, p.user_id)), 'content', o.content,
      'context', (
        select coalesce(jsonb_agg(e || jsonb_build_object('author', private.describe_member((e ->> 'author_id')::uuid) ->> 'name')), '[]')
        from jsonb_array_elements(o.context) e
      ),
      'is_changed', o.content is distinct from coalesce(m.content, p.title || E'\n\n' || p.details),
      'reports', o.reports, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.message_id, r.post_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.content order by r.id))[1] as content, (array_agg(r.context order by r.id))[1] as context
      from private.text_reports r where r.resolved_at is null group by r.message_id, r.post_id
    ) o
    left join public.direct_messages m on m.id = o.message_id
    left join private.collaboration_posts p on p.id = o.post_id
    order by o.first_reported_at, o.report_id;
end
$$;
comment on function private.text_report_queue() is 'Reported direct messages and posts that wait for a decision, oldest report first.';

-- One decision closes all reports of the same text, and what was copied of it and around it is forgotten.
-- @rpc authenticated (report_id, decision)
-- Administrators: keep or remove a reported direct message or post.
create function private.resolve_text_report(report bigint, decision text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  reported private.text_reports;
  author uuid;
begin
  if decision is null or decision not in ('keep', 'remove') then
    perform private.fail('FF319', 'The decision must be keep or remove.');
  end if;
  select r.* into reported from private.text_reports r where r.id = report;
  -- The text first, so that two decisions about it wait for each other.
  select m.user_id into author from public.direct_messages m where m.id = reported.message_id for no key update;
  if reported.post_id is not null then
    select p.user_id into author from private.collaboration_posts p where p.id = reported.post_id for no key update;
  end if;
  if author = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.text_reports r
  set resolved_at = clock_timestamp(), decision = resolve_text_report.decision, context = '[]', content = ''
  where r.resolved_at is null and (r.message_id = reported.message_id or r.post_id = reported.post_id);
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, case when reported.message_id is null then 'post.' else 'direct_message.' end
      || case decision when 'keep' then 'kept' else 'removed' end, author,
    jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision = 'remove' then
    perform private.erase_direct_message(reported.message_id);
    delete from private.collaboration_posts p where p.id = reported.post_id;
  end if;
end
$$;
comment on function private.resolve_text_report(bigint, text) is
  'Keeps a reported text, or deletes the message''s text or the post, and closes its reports; audited. FF319, FF320 or FF513.';

-- A conversation has two members, so that a report of a message in it names who reported it. The export holds one's own alone.
-- Own words only: whom they wrote to, what the other wrote, what was copied around a report and who reported them
-- are not theirs.
create function private.export_part_direct(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'direct_messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.direct_messages m where m.user_id = member
    ), '[]'),
    'direct_conversations', coalesce((
      select jsonb_agg(to_jsonb(c) - 'first_id' - 'second_id' order by c.created_at, c.id)
      from private.direct_conversations c where member in (c.first_id, c.second_id)
    ), '[]'),
    'direct_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.conversation_id) from private.direct_reads r where r.user_id = member
    ), '[]'),
    'message_choices', (select to_jsonb(c) from public.message_choices c where c.user_id = member),
    'collaboration_posts', coalesce((
      select jsonb_agg(to_jsonb(p) - 'search_key' - 'topic_keys' order by p.created_at, p.id)
      from private.collaboration_posts p where p.user_id = member
    ), '[]'),
    'text_reports', coalesce((
      select jsonb_agg(
        to_jsonb(r) - 'user_id' - 'context' - case when r.user_id = member then 'content' else 'reason' end order by r.id
      )
      from private.text_reports r
      left join private.collaboration_posts p on p.id = r.post_id
      where member in (r.user_id, p.user_id)
    ), '[]')
  )
$$;
comment on function private.export_part_direct(uuid) is
  'Direct messages, read positions, posts and the choice of one account, its own reports and those about its posts, without what others wrote.';

-- notifications/channels.sql

create table public.digest_choices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  frequency text not null constraint digest_choices_frequency_check check (frequency in ('off', 'daily', 'weekly')),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.digest_choices to service_role;
grant select (user_id, frequency),
  insert (user_id, frequency),
  update (user_id, frequency)
  on public.digest_choices to authenticated;
comment on table public.digest_choices is 'How often a member wants the digest of unread notifications by e-mail. Without a row it is weekly.';
alter table public.digest_choices enable row level security;

create policy select_own on public.digest_choices for select to authenticated using (user_id = (select auth.uid()));

create policy insert_own on public.digest_choices for insert to authenticated with check (user_id = (select auth.uid()));

create policy update_own on public.digest_choices for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create function private.tg_digest_choices__stamp() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create trigger digest_choices__stamp before update on public.digest_choices
  for each row execute function private.tg_digest_choices__stamp();

-- The bell, and all that shows or counts what is in it, asks visible_notifications, which follows the choices from now on. The
-- digest and push start from what may be read, because each channel has its own choice.
create function private.readable_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  part text;
begin
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'notification\_part\_%' order by 1
  loop
    return query execute format(
      'select n.id, n.kind, n.actor_id, n.group_id, n.detail, n.created_at, n.read_at, p.place
       from private.%I($1) p join public.notifications n using (id)', part
    ) using member;
  end loop;
  return query
    select e.id, e.kind, e.actor_id, e.subject_id, null::text, e.created_at, null::timestamptz, e.place
    from private.unread_for_everyone(member) e;
end
$$;
comment on function private.readable_notifications(uuid) is
  'The newest notifications of an account whose place it may read now and whose content still stands, whatever its choices.';

-- What leaves the product. Nobody is told there who is no member now or suspended, and nobody of the acts of a suspended member.
create function private.unsent_notifications(member uuid, channel text)
  returns table (
    id bigint, kind text, topic text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  if private.effective_level(member) < 1 or exists (select from auth.users u where u.id = member and u.banned_until > now()) then
    return;
  end if;
  return query
  select r.id, r.kind, k.topic, r.actor_id, r.group_id, r.detail, r.created_at, r.place
  from private.readable_notifications(member) r
  join private.notification_kinds k on k.kind = r.kind
  left join public.notification_preferences p on p.user_id = member and p.kind = k.topic
  where r.read_at is null
    and case channel
      when 'email' then k.topic <> 'account' and coalesce(p.email, true)
      when 'push' then coalesce(p.push, true)
      else false
    end
    and not exists (select from auth.users a where a.id = r.actor_id and a.banned_until > now());
end
$$;
comment on function private.unsent_notifications(uuid, text) is
  'The unread notifications that an account may read and wants by ''email'' or ''push'' now. Notices about the account have e-mails of their own.';

create function private.notification_line(
  kind text, topic text, detail text, actor_id uuid, others bigint, place jsonb
) returns jsonb
  language sql stable set search_path = '' as $$
  select (place - 'excerpt') || jsonb_build_object(
    'kind', kind, 'topic', topic, 'detail', case kind when 'level_up' then detail end, 'others', others,
    'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = actor_id)
  )
$$;
comment on function private.notification_line(text, text, text, uuid, bigint, jsonb) is
  'What a digest or push says of a notification: who and where, without what was written.';

create function private.export_part_notification_choices(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('digest_choice', (select to_jsonb(c) from public.digest_choices c where c.user_id = member))
$$;
comment on function private.export_part_notification_choices(uuid) is 'How often one account wants the digest.';

-- notifications/money.sql

-- What causes the e-mail causes the line, once each. `detail` names the subscription or the refund.
create function private.tg_email_outbox__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, case new.template when 'course_refunded' then 'payment_refunded' else new.template end,
    split_part(new.cause_key, ':', 2)
  from public.profiles r where r.id = new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$$;

create trigger email_outbox__notify
  after insert on private.email_outbox for each row
  when (new.template in ('membership_ended', 'payment_refunded', 'course_refunded'))
  execute function private.tg_email_outbox__notify();

create function private.notification_part_money(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = ''
as $$
declare
  is_live constant boolean := private.has_live_membership(member);
begin
  return query
  select n.id, case n.kind
    when 'membership_ended' then jsonb_build_object('why', (
      select s.hold from public.stripe_subscriptions s where s.subscription_id = n.detail
    ))
    else coalesce((
      select jsonb_build_object('amount_pence', r.amount, 'currency', upper(r.currency))
      from private.payment_records r where r.kind = 'refund' and r.provider_id = n.detail
      order by r.status = 'succeeded' desc limit 1
    ), '{}') end
  from private.newest_notifications(member, array['membership_ended', 'payment_refunded']) n
  where n.kind = 'payment_refunded' or not is_live;
end
$$;
comment on function private.notification_part_money(uuid) is
  'Refunds, and the end of a membership until the next one begins, with the reason a payment gave for it.';

-- notifications/notifications.sql

-- Every trigger below locks its reader's profile, as the foreign key does, but never waits for it: an account that is being
-- deleted is not told, and its deletion cannot deadlock with an act on its content.

-- Runs for replies only, so that other messages pay nothing.
create function private.tg_chat_messages__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select p.user_id, 'reply', new.user_id, new.id, p.id, new.created_at
  from public.chat_messages p join public.profiles r on r.id = p.user_id
  where p.id = new.parent_message_id and p.user_id <> new.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

-- A like that is taken back and given again is the same notification.
create function private.tg_message_likes__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select m.user_id, 'message_like', c.user_id, m.id, m.id, c.created_at
  from changed c join public.chat_messages m on m.id = c.message_id
  join public.profiles r on r.id = m.user_id
  where m.user_id <> c.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

create function private.tg_learning_submission_likes__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select s.user_id, 'submission_like', c.user_id, s.id, s.id, c.created_at
  from changed c join public.learning_submissions s on s.id = c.submission_id
  join public.profiles r on r.id = s.user_id
  where s.user_id <> c.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

create function private.tg_learning_submission_comments__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select s.user_id, 'submission_comment', c.user_id, c.id, s.id, c.created_at
  from changed c join public.learning_submissions s on s.id = c.submission_id
  join public.profiles r on r.id = s.user_id
  where s.user_id <> c.user_id
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

create function private.tg_user_levels__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'level_up', new.current_level::text from public.profiles r where r.id = new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$$;

create trigger user_levels__notify after update of current_level on public.user_levels
  for each row when (new.current_level > old.current_level) execute function private.tg_user_levels__notify();

create function private.tg_user_verifications__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'identity_' || new.status, new.id from public.profiles r where r.id = new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$$;

reset check_function_bodies;
