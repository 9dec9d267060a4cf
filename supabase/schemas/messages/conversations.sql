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

create table private.direct_conversations (
  id uuid primary key default gen_random_uuid(),
  first_id uuid not null references public.profiles (id) on delete cascade,
  second_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  last_message_at timestamptz not null default clock_timestamp(),
  constraint direct_conversations_pair_key unique (first_id, second_id),
  constraint direct_conversations_order_check check (first_id < second_id)
);
comment on table private.direct_conversations is 'Conversations of two members, one for each pair. Deleting either account deletes it.';
comment on column private.direct_conversations.first_id is 'The smaller id of the two.';
create index direct_conversations_first_idx on private.direct_conversations (first_id, last_message_at desc);
create index direct_conversations_second_idx on private.direct_conversations (second_id, last_message_at desc);
alter table private.direct_conversations enable row level security;

create table private.direct_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null references private.direct_conversations (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (user_id, conversation_id)
);
comment on table private.direct_reads is 'How far each member has read a conversation. The other one is not told.';
create index direct_reads_conversation_id_idx on private.direct_reads (conversation_id);
alter table private.direct_reads enable row level security;

create table public.direct_messages (
  id uuid primary key,
  conversation_id uuid not null references private.direct_conversations (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  content text not null,
  parent_message_id uuid references public.direct_messages (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  deleted_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  constraint direct_messages_content_check check (
    case when deleted_at is null then char_length(content) between 1 and 4000 else content = '' end
  )
);
grant select, insert, update, delete on public.direct_messages to service_role;
grant select (id, conversation_id, user_id, content, parent_message_id, created_at, edited_at, deleted_at, changed_at)
  on public.direct_messages to authenticated;
comment on table public.direct_messages is 'Messages between two members; written by functions only. A deleted message keeps its row without its text. @deletes_reach user_id';
comment on column public.direct_messages.id is 'Chosen by the client, so that sending again cannot create a duplicate.';
comment on column public.direct_messages.changed_at is 'When it was last written, edited or deleted. Clients fetch later changes after a lost connection.';
create index direct_messages_conversation_idx on public.direct_messages (conversation_id, created_at desc, id);
create index direct_messages_changes_idx on public.direct_messages (conversation_id, changed_at, id);
create index direct_messages_parent_message_id_idx on public.direct_messages (parent_message_id);
create index direct_messages_user_id_idx on public.direct_messages (user_id, created_at);
alter table public.direct_messages enable row level security;

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

-- The policy's rule for many accounts at once, for Realtime.
create function private.direct_message_authorized_users(message public.direct_messages, user_ids uuid[]) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select l.user_id from private.direct_conversations c
    join private.effective_levels l on l.user_id in (c.first_id, c.second_id)
    where c.id = message.conversation_id and l.user_id = any (user_ids) and l.level > 0 and not exists (
      select from private.member_blocks b where b.user_id = l.user_id and b.blocked_id in (c.first_id, c.second_id)
    )
  );
end
$$;
comment on function private.direct_message_authorized_users(public.direct_messages, uuid[]) is
  'The given accounts that may read the message now.';

create policy select_open_conversation on public.direct_messages for select to authenticated
  using (conversation_id = any ((select private.caller_conversation_ids())::uuid[]) and (select private.session_is_live()));
comment on policy select_open_conversation on public.direct_messages is
  'The two members of the conversation, while they are members. @authorizer private.direct_message_authorized_users';
alter publication supabase_realtime add table public.direct_messages;

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
      perform private.fail('FF811', 'You have turned direct messages off. Turn them on again to write to members.');
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
