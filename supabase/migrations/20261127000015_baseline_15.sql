-- Part 15 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- messages/messages.sql

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

create function private.tg_stripe_subscriptions__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select c.user_id, 'payment_failed', concat_ws(':', new.subscription_id, new.current_period_start)
  from public.stripe_customers c join public.profiles r on r.id = c.user_id
  where c.customer_id = new.customer_id and private.plan_name(new.price_id) is not null
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

create trigger stripe_subscriptions__notify after update of status on public.stripe_subscriptions
  for each row when (new.status = 'past_due' and old.status in ('active', 'trialing'))
  execute function private.tg_stripe_subscriptions__notify();

-- notifications/parts.sql

-- Each area of the product has its own kinds of notifications and its own rule of what may be seen. An area adds its kinds to
-- private.notification_kinds and one function private.notification_part_<area>(member); nothing that exists is changed for it.
create table private.notification_kinds (
  kind text primary key,
  topic text not null constraint notification_kinds_topic_check check (
    topic in ('rooms', 'messages', 'submissions', 'pacts', 'learning', 'progress', 'people', 'account')
  ),
  -- Which kinds ask something of the member is said where the kinds are, so that a new one changes no function.
  asks boolean not null default false
);
comment on table private.notification_kinds is 'What members can be told of, by topic.';
comment on column private.notification_kinds.topic is 'What members choose by: kinds of one topic are turned on and off together.';
comment on column private.notification_kinds.asks is
  'Whether the dashboard lists it under "Waiting for you". Likes, a new level and an approved document are news.';
alter table private.notification_kinds enable row level security;

create function private.excerpt(content text) returns text
  language sql immutable set search_path = '' as $$
  select case when char_length(content) > 140 then left(content, 139) || '…' else content end
$$;
comment on function private.excerpt(text) is 'The beginning of a text for a list or a notification: at most 140 characters, with an ellipsis where it was cut.';

-- As before, and with the message, where the line leads.
create function private.notification_part_rooms(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['reply', 'message_like']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed
  where n.kind = 'reply' or exists (
    select from public.message_likes l where l.user_id = n.actor_id and l.message_id = n.subject_id
  );
end
$$;
comment on function private.notification_part_rooms(uuid) is
  'Replies and likes in rooms that are open to the member, as long as message and like stand.';

create function private.notification_part_submissions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('submission_id', s.id, 'excerpt', s.title)
  from private.newest_notifications(member, array['submission_like', 'submission_comment']) n
  join public.learning_submissions s on s.id = n.group_id
  where case n.kind
    when 'submission_like' then exists (
      select from public.learning_submission_likes l where l.user_id = n.actor_id and l.submission_id = s.id)
    else exists (select from public.learning_submission_comments c where c.id = n.subject_id)
  end;
end
$$;
comment on function private.notification_part_submissions(uuid) is
  'Likes of and comments on the submissions of a member, as long as they stand.';

-- A new level says which rooms it opened: up to two by name, and how many there are now.
create function private.notification_part_account(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  owes constant boolean := exists (
    select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
    where c.user_id = member and s.status in ('past_due', 'unpaid')
  );
begin
  return query
  select n.id, case when n.kind = 'level_up' then (
    select jsonb_build_object(
      'rooms', coalesce((array_agg(r.name order by r.display_order, r.name))[1:2], '{}'), 'room_count', count(*)
    )
    from public.chat_rooms r
    where r.is_active and r.min_level_required <= allowed and r.min_level_required::text = n.detail
  ) else '{}' end
  from private.newest_notifications(member, array['level_up', 'identity_approved', 'identity_rejected', 'payment_failed']) n
  where owes or n.kind <> 'payment_failed';
end
$$;
comment on function private.notification_part_account(uuid) is
  'Levels, decisions about documents, and failed payments while something is owed.';

create function private.visible_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  hidden constant text[] := array(
    select k.kind from public.notification_preferences p join private.notification_kinds k on k.topic = p.kind
    where p.user_id = member and not p.bell
  );
begin
  return query select r.* from private.readable_notifications(member) r where r.kind <> all (hidden);
end
$$;
comment on function private.visible_notifications(uuid) is
  'What the bell of an account holds now: the newest notifications it may read, without topics it turned off.';

-- notifications/preferences.sql

-- Which e-mails a member wants. E-mails about money, identity and security are always sent and have no row here.
create table public.notification_preferences (
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  email boolean not null default true,
  updated_at timestamptz not null default now(),
  bell boolean not null default true,
  push boolean not null default true,
  primary key (user_id, kind),
  constraint notification_preferences_kind_check check (kind in (
      'tips', 'reminders', 'rooms', 'messages', 'submissions', 'pacts', 'learning', 'progress', 'people', 'account'
    )),
  -- E-mails have no bell. Notices about the account stay in the bell, and have e-mails of their own.
  constraint notification_preferences_channels_check check (
      case kind when 'account' then bell and email when 'tips' then bell and push when 'reminders' then bell and push else true end
    )
);
grant select, insert, update, delete on public.notification_preferences to service_role;
-- Members read and write their own rows. An upsert of the API also sets the key columns, to what they are.
grant select (user_id, kind, email, updated_at, bell, push),
  insert (user_id, kind, email, bell, push),
  update (user_id, kind, email, bell, push)
  on public.notification_preferences to authenticated;
comment on table public.notification_preferences is 'What a member switched on or off, by kind of e-mail or topic of notifications. Without a row all is on.';
comment on column public.notification_preferences.kind is
  'tips and reminders: kinds of e-mail, others cannot be switched off. All others: topics of private.notification_kinds.';
comment on column public.notification_preferences.email is 'Whether e-mails of this kind are sent, or the digest has this topic.';
comment on column public.notification_preferences.bell is 'Whether the bell shows and counts this topic.';
comment on column public.notification_preferences.push is 'Whether this topic is pushed to the member''s devices.';
alter table public.notification_preferences enable row level security;

create policy select_own on public.notification_preferences for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.notification_preferences for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.notification_preferences for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create function private.tg_notification_preferences__stamp() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create trigger notification_preferences__stamp before update on public.notification_preferences
  for each row execute function private.tg_notification_preferences__stamp();

-- notifications/push-sending.sql

-- Never waits for a browser that is being signed out. What is read already, as an announcement is when it gets its row, is not sent.
create function private.tg_notifications__push() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.push_outbox (notification_id, subscription_id)
  select n.id, s.id from made n join public.push_subscriptions s on s.user_id = n.user_id where n.read_at is null
  for key share of s skip locked;
  return null;
end
$$;

-- Takes a batch, throws away what may not be sent, and answers the rest. A restored copy sends nothing while e-mails are paused.
-- @rpc service_role
-- Server: take the push messages to send.
create function private.claim_pushes(batch_size integer default 50, lease interval default '5 minutes')
  returns table (
    notification_id bigint, subscription_id uuid, claim uuid, endpoint text, p256dh text, auth_key text, line jsonb
  )
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  batch uuid;
begin
  if exists (select from private.email_pauses) then
    return;
  end if;
  loop
    batch := gen_random_uuid();
    update private.push_outbox o set attempts = o.attempts + 1, claim = batch, next_attempt_at = clock_timestamp() + lease
    from (
      select d.notification_id, d.subscription_id from private.push_outbox d where d.next_attempt_at <= clock_timestamp()
      order by d.next_attempt_at, d.notification_id limit least(greatest(batch_size, 1), 100) for update skip locked
    ) d
    where o.notification_id = d.notification_id and o.subscription_id = d.subscription_id;
    exit when not found;
    return query
    with taken as materialized (
      select o.notification_id, o.subscription_id, o.attempts, o.created_at, s.user_id, s.session_id, s.endpoint, s.p256dh, s.auth_key
      from private.push_outbox o join public.push_subscriptions s on s.id = o.subscription_id
      where o.claim = batch
    ), told as materialized (
      select v.id, private.notification_line(v.kind, v.topic, v.detail, v.actor_id, 0, v.place)
        || jsonb_build_object('tag', concat_ws(':', v.kind, coalesce(v.group_id::text, v.id::text))) as line
      from (select distinct t.user_id from taken t) m cross join lateral private.unsent_notifications(m.user_id, 'push') v
    ), wanted as materialized (
      select t.notification_id, t.subscription_id, t.endpoint, t.p256dh, t.auth_key, v.line
      from taken t join told v on v.id = t.notification_id
      where t.attempts <= 10 and t.created_at > now() - interval '6 hours' and private.is_push_endpoint(t.endpoint)
        and exists (
          select from auth.sessions e where e.id = t.session_id and (e.not_after is null or e.not_after > now())
        )
    ), dropped as (
      delete from private.push_outbox o
      where o.claim = batch and not exists (
        select from wanted w where w.notification_id = o.notification_id and w.subscription_id = o.subscription_id
      )
    )
    select w.notification_id, w.subscription_id, batch, w.endpoint, w.p256dh, w.auth_key, w.line from wanted w
    order by w.notification_id;
    exit when found;
  end loop;
end
$$;
comment on function private.claim_pushes(integer, interval) is
  'Takes up to 100 push messages that are due, for the length of the lease, and says what each may say now. Drops those of ended sessions, unreadable, read, unwanted or over six hours old.';

-- A browser that is gone takes its messages with it: it is locked before them, as by the end of its session. The pause doubles from a
-- minute on.
-- @rpc service_role
-- Server: a push message was sent, or could not be.
create function private.record_push_result(notification_id bigint, subscription_id uuid, claim uuid, outcome text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if outcome = 'gone' then
    perform from public.push_subscriptions s where s.id = record_push_result.subscription_id for update;
  end if;
  perform from private.push_outbox o
  where o.notification_id = record_push_result.notification_id and o.subscription_id = record_push_result.subscription_id
    and o.claim = record_push_result.claim
  for update;
  if not found then
    return false;
  elsif outcome = 'gone' then
    delete from public.push_subscriptions s where s.id = record_push_result.subscription_id;
  elsif outcome = 'sent' then
    delete from private.push_outbox o
    where o.notification_id = record_push_result.notification_id and o.subscription_id = record_push_result.subscription_id;
  else
    update private.push_outbox o
    set claim = null, next_attempt_at = clock_timestamp() + least(interval '1 hour', interval '1 minute' * 2 ^ least(o.attempts - 1, 10))
    where o.notification_id = record_push_result.notification_id and o.subscription_id = record_push_result.subscription_id;
  end if;
  return true;
end
$$;
comment on function private.record_push_result(bigint, uuid, uuid, text) is
  'Records that a push message was sent, that the browser is gone, or anything else: tried again later. False when the lease had ended.';

-- notifications/push-subscriptions.sql

-- Browsers that members are told on while the app is closed. A subscription belongs to the session it was made in: signing out, an
-- ended session or a new password ends it.
create table private.push_services (
  service text primary key constraint push_services_service_check check (
    service ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$' and service !~ '\.[0-9]+$' or service ~ '^http://127\.0\.0\.1:[0-9]{1,5}$'
  )
);
comment on table private.push_services is 'The servers that push messages are sent to. Nothing is sent to any other.';
comment on column private.push_services.service is
  'Host of a browser maker''s push service, with its subdomains; or, for tests, an origin on this machine.';
alter table private.push_services enable row level security;

create function private.is_push_endpoint(endpoint text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select endpoint ~ '^[!-~]+$' and exists (
    select from private.push_services s, substring(endpoint from '^https://([a-z0-9.-]+)/') host
    where case when s.service like 'http://%' then starts_with(endpoint, s.service || '/')
      else host = s.service or right(host, length(s.service) + 1) = '.' || s.service end
  )
$$;
comment on function private.is_push_endpoint(text) is 'True for the address of a subscription at a known push service.';

create table public.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  endpoint text not null unique constraint push_subscriptions_endpoint_check check (char_length(endpoint) <= 1000),
  p256dh text not null constraint push_subscriptions_p256dh_check check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth_key text not null constraint push_subscriptions_auth_key_check check (auth_key ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on public.push_subscriptions to service_role;
grant delete,
  select (id, user_id, endpoint, created_at)
  on public.push_subscriptions to authenticated;
comment on table public.push_subscriptions is 'Browsers that get push messages; written by save_push_subscription.';
comment on column public.push_subscriptions.endpoint is 'Address at the push service. Whoever has it and the keys can send to the browser.';
comment on column public.push_subscriptions.p256dh is 'Public key of the browser, which messages are encrypted for.';
comment on column public.push_subscriptions.auth_key is 'Secret that the browser shares with those who may send.';
create index push_subscriptions_user_id_idx on public.push_subscriptions (user_id, created_at);
create index push_subscriptions_session_id_idx on public.push_subscriptions (session_id);
alter table public.push_subscriptions enable row level security;

create policy select_own on public.push_subscriptions for select to authenticated using (user_id = (select auth.uid()));

create policy delete_own on public.push_subscriptions for delete to authenticated using (user_id = (select auth.uid()));

-- The same browser may come again with new keys, or with another member signed in: it proves itself by its secret. The count of the
-- rate limit holds a lock, so two calls of a member come one after the other.
-- @rpc authenticated
-- Turns push messages on in the browser that has this subscription, for as long as the caller stays signed in there.
create function private.save_push_subscription(endpoint text, p256dh text, auth_key text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  session constant uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  perform private.enforce_rate_limit(caller, 'push_subscription');
  if not coalesce(
    char_length(endpoint) <= 1000 and private.is_push_endpoint(endpoint)
      and p256dh ~ '^[A-Za-z0-9_-]{87}$' and auth_key ~ '^[A-Za-z0-9_-]{22}$', false
  ) then
    perform private.fail('FF790', 'Push messages can''t be sent to this browser.');
  end if;
  delete from public.push_subscriptions s
  where s.endpoint = save_push_subscription.endpoint and (s.user_id = caller or s.auth_key = save_push_subscription.auth_key);
  insert into public.push_subscriptions (user_id, session_id, endpoint, p256dh, auth_key)
  values (caller, session, endpoint, p256dh, auth_key)
  on conflict on constraint push_subscriptions_endpoint_key do nothing;
  if not found then
    perform private.fail('FF790', 'Push messages can''t be sent to this browser.');
  end if;
  delete from public.push_subscriptions s where s.id in (
    select o.id from public.push_subscriptions o where o.user_id = caller order by o.created_at desc offset 10
  );
end
$$;
comment on function private.save_push_subscription(text, text, text) is
  'Lets the caller be told by push in this browser until the session ends. The oldest of more than ten is dropped.';

create function private.export_part_push(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('push_subscriptions', coalesce((
    select jsonb_agg(to_jsonb(s) - 'auth_key' order by s.created_at, s.id) from public.push_subscriptions s where s.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_push(uuid) is 'The browsers one account is told on, without the secret they share with the sender.';

reset check_function_bodies;
