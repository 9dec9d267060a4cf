-- Part 23 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- billing/payments.sql

-- What the provider last said about a payment goes with the account; its records stay, and tell of refunds and disputes.
create or replace view private.payments with (security_invoker = true) as
select r.charge_id as payment_id, r.happened_at as paid_at, r.amount as amount_pence,
  coalesce(c.amount_refunded, d.refunded, 0) as refunded_pence, r.currency,
  case
    when c.dispute = 'open' or d.is_disputed then 'disputed'
    when c.dispute = 'lost' or d.is_lost then 'dispute_lost'
    when c.is_refunded or d.refunded >= r.amount then 'refunded'
    when coalesce(c.amount_refunded, d.refunded) > 0 then 'partly_refunded'
    else 'paid'
  end as state,
  r.customer_id, r.subscription_id, c.invoice_id, i.number as invoice_number, i.reason as invoice_reason,
  c.card_brand, c.card_last4, k.user_id, u.email::text as email, p.first_name, p.last_name
from private.payment_records r
left join private.billing_charges c on c.charge_id = r.charge_id
left join public.invoices i on i.invoice_id = c.invoice_id
left join public.stripe_customers k on k.customer_id = r.customer_id
left join auth.users u on u.id = k.user_id
left join public.profiles p on p.id = k.user_id
left join lateral (
  select coalesce(sum(l.amount) filter (where l.kind = 'refund' and l.status in ('succeeded', 'pending')), 0)::bigint as refunded,
    coalesce(bool_or(l.kind = 'dispute' and l.status in ('needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review')), false) as is_disputed,
    coalesce(bool_or(l.kind = 'dispute' and l.status = 'lost'), false) as is_lost
  from (
    select distinct on (x.provider_id) x.kind, x.status, x.amount from private.payment_records x
    where c.charge_id is null and x.charge_id = r.charge_id and x.kind in ('refund', 'dispute')
    order by x.provider_id, x.id desc
  ) l
) d on c.charge_id is null
where r.kind = 'payment' and r.status = 'succeeded';
comment on view private.payments is 'Payments that succeeded, with their refunds, invoice and member; the member is null once the account is deleted.';

-- The statement is planned anew for each call: what suits a rare name does not suit a common one.
create function private.admin_payments(search text, state text, since timestamp with time zone, until timestamp with time zone, before_time timestamp with time zone, before_id text, page_size integer) returns setof private.payments
  language plpgsql stable security definer set search_path = '' as $$
declare
  needle text := nullif(btrim(left(search, 200)), '');
  pattern text := '%' || regexp_replace(needle, '([\\%_])', '\\\1', 'g') || '%';
  key_pattern text := '%' || regexp_replace(private.search_key(needle), '([\\%_])', '\\\1', 'g') || '%';
  found_ids text[];
  rules text[] := array['true'];
begin
  perform private.require_verified_admin();
  if needle is not null then
    -- Fewer than three characters cannot be looked up in the index of invoice numbers, and would match most of them.
    found_ids := array(
      (select needle)
      union all
      (select r.charge_id from private.member_search_index d
       join public.stripe_customers k on k.user_id = d.user_id
       join private.payment_records r on r.customer_id = k.customer_id and r.kind = 'payment'
       where d.search_key like key_pattern limit 1000)
      union all
      (select c.charge_id from public.invoices i join private.billing_charges c on c.invoice_id = i.invoice_id
       where char_length(needle) >= 3 and i.number ilike pattern limit 1000)
    );
    rules := rules || case when cardinality(found_ids) <= 1000 then 'y.payment_id = any ($1)'
      -- So many that the latest of them are found soonest by going through the payments.
      -- So many that the latest of them are soonest found by reading the payments in their order.
      else '(y.customer_id in (select k.customer_id from private.member_search_index d
          join public.stripe_customers k on k.user_id = d.user_id where d.search_key like $2)
        or y.payment_id in (select c.charge_id from public.invoices i
          join private.billing_charges c on c.invoice_id = i.invoice_id where char_length($9) >= 3 and i.number ilike $3))' end;
  end if;
  if admin_payments.state is not null then
    rules := rules || 'y.state = $4'::text;
  end if;
  if admin_payments.state <> 'paid' then
    rules := rules || 'y.payment_id in (select c.charge_id from private.billing_charges c
      where c.dispute is not null or c.is_refunded or c.amount_refunded > 0
      union all
      select x.charge_id from private.payment_records x where x.kind in (''refund'', ''dispute'')
        and not exists (select from private.billing_charges c where c.charge_id = x.charge_id))'::text;
  end if;
  if since is not null then
    rules := rules || 'y.paid_at >= $5'::text;
  end if;
  if until is not null then
    rules := rules || 'y.paid_at < $6'::text;
  end if;
  if before_time is not null then
    rules := rules || '(y.paid_at, y.payment_id) < ($7, $8)'::text;
  end if;
  return query execute format(
    'select y.* from private.payments y where %s order by y.paid_at desc, y.payment_id desc limit %s',
    array_to_string(rules, ' and '), least(greatest(coalesce(page_size, 50), 1), 200)
  ) using found_ids, key_pattern, pattern, admin_payments.state, since, until, before_time, before_id, needle;
end
$$;
comment on function private.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) is
  'One page of payments, newest first, by payment id, part of a name or address, three characters or more of an invoice number, state and time.';
grant execute on function private.admin_payments to authenticated;

-- billing/refunds.sql

create view private.failed_billing_events with (security_invoker = true) as
select f.* from private.billing_failures f
where not exists (select from private.billing_events e where e.event_id = f.event_id);
comment on view private.failed_billing_events is 'Failed events that were not applied since.';

create function private.admin_failed_events() returns setof private.failed_billing_events
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f order by f.first_failed_at, f.event_id limit 500;
end
$$;
comment on function private.admin_failed_events() is 'Events that could not be applied, oldest first.';
grant execute on function private.admin_failed_events to authenticated;

-- chat/channels.sql

create trigger room_leases__announce_joined after insert on private.room_leases
  referencing new table as changed for each statement execute function private.tg_room_leases__announce();

create trigger room_leases__announce_left after delete on private.room_leases
  referencing old table as changed for each statement execute function private.tg_room_leases__announce();

-- chat/mentions.sql

create trigger learning_submissions__name_members before insert on public.learning_submissions
  for each row when (new.mentioned is not null) execute function private.tg_learning_submissions__name_members();

create trigger learning_submission_comments__name_members before insert on public.learning_submission_comments
  for each row when (new.mentioned is not null) execute function private.tg_learning_submission_comments__name_members();

-- chat/messages.sql

-- The messages of all rooms.
create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  content text not null,
  message_type text not null default 'message' constraint chat_messages_message_type_check
    check (message_type in ('message', 'reply')),
  parent_message_id uuid references public.chat_messages (id) on delete set null,
  like_count integer not null default 0 constraint chat_messages_like_count_check check (like_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  deleted_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  reaction_counts jsonb not null default '{}'
    constraint chat_messages_reaction_counts_check check (jsonb_typeof(reaction_counts) = 'object'),
  picture text,
  picture_width integer,
  picture_height integer,
  picture_alt text,
  mentioned uuid[] constraint chat_messages_mentioned_check check (mentioned is null),
  constraint chat_messages_content_check check (
    case when deleted_at is null then char_length(content) between 1 and 4000 else content = '' end
  ),
  -- A reply stays when the message it answers is deleted with its author's account.
  constraint chat_messages_parent_check check (message_type = 'reply' or parent_message_id is null),
  constraint chat_messages_picture_check check (
    case when picture is null then num_nonnulls(picture_width, picture_height, picture_alt) = 0
    else deleted_at is null and num_nulls(picture_width, picture_height, picture_alt) = 0
      and picture in (user_id::text || '-' || id::text || '.jpg', user_id::text || '-' || id::text || '.png')
      and picture_width between 1 and 4096 and picture_height between 1 and 4096
      and char_length(picture_alt) <= 300
    end
  )
);
grant select, insert, update, delete on public.chat_messages to service_role;
-- Clients may send the like count, because the app does. Without an update policy it changes no row.
grant select (id, user_id, chat_room_id, content, message_type, parent_message_id, like_count, created_at, edited_at, deleted_at,
    changed_at, reaction_counts, picture, picture_width, picture_height, picture_alt, mentioned),
  insert (id, user_id, chat_room_id, content, message_type, parent_message_id, picture, picture_width, picture_height,
    picture_alt, mentioned),
  update (like_count)
  on public.chat_messages to authenticated;
comment on table public.chat_messages is 'Messages of all rooms. A deleted message keeps its row without its text. @deletes_reach user_id';
comment on column public.chat_messages.id is 'May be chosen by the client, so that sending again after a lost connection cannot create a duplicate.';
comment on column public.chat_messages.created_at is 'Set by the server.';
comment on column public.chat_messages.deleted_at is 'When its author or an administrator deleted it; its content is empty from then on.';
comment on column public.chat_messages.changed_at is
  'When it was last written, edited, deleted, liked, unliked or reacted to. Clients fetch later changes after a lost connection.';
comment on column public.chat_messages.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
comment on column public.chat_messages.content is
  'The text; Picture when a picture was sent without one, so that every list and every client has something to show.';
comment on column public.chat_messages.picture is
  'Name of an object in the bucket message-pictures: author, message and type. Null once the message is deleted.';
comment on column public.chat_messages.picture_width is 'Pixels, as the author''s client says; it only keeps the room free while the picture loads.';
comment on column public.chat_messages.picture_height is 'Pixels, as the author''s client says.';
comment on column public.chat_messages.picture_alt is 'What the picture shows, for those who cannot see it; empty when the author did not say.';
comment on column public.chat_messages.reaction_counts is 'How many members gave each reaction, without those nobody gave; kept by triggers.';
-- A page of a room is a short range scan on this index, however large the table is.
create index chat_messages_room_idx on public.chat_messages (chat_room_id, created_at desc, id);
create index chat_messages_changes_idx on public.chat_messages (chat_room_id, changed_at, id);
create index chat_messages_parent_message_id_idx on public.chat_messages (parent_message_id);
create index chat_messages_user_id_idx on public.chat_messages (user_id, created_at);
alter table public.chat_messages enable row level security;

create policy select_open_room on public.chat_messages for select to authenticated
  using (chat_room_id = any ((select private.caller_room_ids())::text[]) and (select private.session_is_live()));

-- The policy's rule for many accounts at once: Realtime calls it to deliver a message to a whole room.
-- See docs/subsystems/realtime.md.
create function private.chat_message_authorized_users(message public.chat_messages, user_ids uuid[]) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select l.user_id from private.effective_levels l
    join public.chat_rooms r on r.id = message.chat_room_id and r.is_active and r.min_level_required <= l.level
    where l.user_id = any (user_ids)
  );
end
$$;
comment on function private.chat_message_authorized_users(public.chat_messages, uuid[]) is
  'The given accounts that may read the message now.';
comment on policy select_open_room on public.chat_messages is
  'Accounts that may be in the room now. @authorizer private.chat_message_authorized_users';

create policy insert_own on public.chat_messages for insert to authenticated
  with check (user_id = (select auth.uid()));

alter publication supabase_realtime add table public.chat_messages;

create trigger chat_messages__guard_insert before insert on public.chat_messages
  for each row execute function private.tg_chat_messages__guard_insert();

create trigger chat_messages__stamp_change before update on public.chat_messages
  for each row execute function private.tg_chat_messages__stamp_change();

create trigger chat_messages__record_progress_events after insert on public.chat_messages
  referencing new table as said for each statement execute function private.tg_chat_messages__record_progress_events();

-- A message the caller can see and that is not deleted; locked until the end of the transaction.
create function private.require_visible_message(message uuid) returns public.chat_messages
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_message public.chat_messages;
begin
  select m.* into found_message from public.chat_messages m
  where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  return found_message;
end
$$;
comment on function private.require_visible_message(uuid) is 'The message if the caller may read it and it is not deleted; raises FF316 otherwise.';

-- chat/openings.sql

create trigger chat_rooms__tell_created after insert on public.chat_rooms
  for each row when (new.is_active) execute function private.tg_chat_rooms__tell_opening();

create trigger chat_rooms__tell_reopened after update of is_active on public.chat_rooms
  for each row when (new.is_active and not old.is_active) execute function private.tg_chat_rooms__tell_opening();

-- chat/picture-moderation.sql

-- The rows of chat_messages are read with the caller's rights, so that its policy decides about the picture as well: level,
-- membership, session, an open room, a message that is not deleted. Authors read their own, which are part of their data export.
create policy select_readable_message_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'message-pictures'
    and (
      exists (
        select from public.chat_messages m
        where m.id = (select private.message_of_picture(objects.name)) and m.picture = objects.name
      )
      or starts_with(objects.name, (select auth.uid())::text || '-') and (select private.session_is_live())
      or (select private.caller_is_verified_admin()) and (select private.is_reported_picture(objects.name))
    )
  );

-- chat/pictures.sql

-- There is no policy for update or delete: no client replaces a picture, and the server removes those no message shows.
create policy insert_own_message_picture on storage.objects for insert to authenticated
  with check (
    bucket_id = 'message-pictures'
    and starts_with(name, (select auth.uid())::text || '-')
    and (select private.message_of_picture(name)) is not null
    and (select private.caller_is_member())
  );

-- chat/pins.sql

-- Messages that administrators pin to the top of their room, at most five. Members read them through room_pins and hear of
-- changes on the room's channel (event pins), which carries no text.
create table private.room_pins (
  message_id uuid primary key references public.chat_messages (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  pinned_by uuid references auth.users (id) on delete set null,
  pinned_at timestamptz not null default clock_timestamp()
);
comment on table private.room_pins is 'Pinned messages, at most five a room. Written by pin_message and unpin_message.';
comment on column private.room_pins.pinned_by is 'The administrator; null once that account is deleted.';
create index room_pins_room_idx on private.room_pins (chat_room_id, pinned_at desc);
create index room_pins_pinned_by_idx on private.room_pins (pinned_by);
alter table private.room_pins enable row level security;

-- Only administrators pin. A mentor is a plan that anyone may buy, not an appointment.
create function private.require_moderated_message(message uuid) returns public.chat_messages
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_caller();
  if not private.caller_is_admin() then
    perform private.fail('FF321', 'Only administrators can pin messages.');
  end if;
  return private.require_visible_message(message);
end
$$;
comment on function private.require_moderated_message(uuid) is 'The message, for administrators; raises FF321 or FF316 otherwise.';

create trigger chat_messages__update_pin after update of content, deleted_at on public.chat_messages
  for each row when (new.content is distinct from old.content) execute function private.tg_chat_messages__update_pin();

-- chat/reactions.sql

-- Reactions to messages beside the like: five fixed ones, each once for a member and message. Their numbers are kept on the
-- message, so that a page reads them without a join and the live row carries them.
create table public.message_reactions (
  user_id uuid not null references auth.users (id) on delete cascade,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  reaction text not null constraint message_reactions_reaction_check
    check (reaction in ('applause', 'celebrate', 'insight', 'laugh', 'thanks')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id, reaction)
);
grant select, insert, update, delete on public.message_reactions to service_role;
grant delete,
  select (user_id, message_id, reaction, created_at),
  insert (user_id, message_id, reaction)
  on public.message_reactions to authenticated;
comment on table public.message_reactions is 'Reactions to messages; chat_messages.reaction_counts holds their numbers. Likes are in message_likes.';
create index message_reactions_message_id_idx on public.message_reactions (message_id);
alter table public.message_reactions enable row level security;

create policy select_own on public.message_reactions for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.message_reactions for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy delete_own on public.message_reactions for delete to authenticated
  using (user_id = (select auth.uid()));

create trigger message_reactions__guard_insert before insert on public.message_reactions
  for each row execute function private.tg_message_reactions__guard_insert();

create trigger message_reactions__add_progress_events after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__add_progress_events();

create trigger message_reactions__count_given after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__count();

create trigger message_reactions__count_taken_back after delete on public.message_reactions
  referencing old table as changed for each statement execute function private.tg_message_reactions__count();

-- chat/reading.sql

-- How far each member has read in each room.
create table public.chat_room_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (user_id, chat_room_id)
);
grant select, insert, update, delete on public.chat_room_reads to service_role;
grant select (user_id, chat_room_id, last_read_at) on public.chat_room_reads to authenticated;
comment on table public.chat_room_reads is 'How far each member has read; written through mark_room_read.';
create index chat_room_reads_chat_room_id_idx on public.chat_room_reads (chat_room_id);
alter table public.chat_room_reads enable row level security;

create policy select_own on public.chat_room_reads for select to authenticated
  using (user_id = (select auth.uid()));

-- A page of messages as a screen shows them, read with the caller's rights. The page is limited before the joins, and
-- `offset 0` keeps each join an index look-up, so that the size of the tables does not matter.
create function private.present_messages(page public.chat_messages[])
  returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author, a.avatar_url, m.reaction_counts,
    case when m.reaction_counts = '{}' then '{}' else array(
      select r.reaction from public.message_reactions r
      where r.user_id = (select auth.uid()) and r.message_id = m.id order by r.reaction
    ) end,
    m.picture, m.picture_width, m.picture_height, m.picture_alt
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;
comment on function private.present_messages(public.chat_messages[]) is
  'The messages with author, the caller''s like and the beginning of the parent message, in the given order.';
grant execute on function private.present_messages to authenticated;

-- console/levels.sql

-- What levels ask for, changed in the console; and the plans on sale with the state of the link to the card provider.
create function private.require_requirement(level integer, kind text, needed integer) returns public.level_requirements
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_row public.level_requirements;
begin
  select r.* into found_row from public.level_requirements r
  where r.level = require_requirement.level and r.kind = require_requirement.kind for update;
  if not found then
    perform private.fail('FF440', 'This level does not ask for that.');
  end if;
  if needed is null or needed not between 1 and 10000 then
    perform private.fail('FF441', 'A requirement is a whole number from 1 to 10,000.');
  end if;
  return found_row;
end
$$;
comment on function private.require_requirement(integer, text, integer) is
  'The stored requirement, locked; FF440 when there is none, FF441 when the new figure is out of range.';

-- console/members.sql

create trigger profiles__index_member after insert or update of first_name, last_name on public.profiles
  for each row execute function private.tg_profiles__index_member();

-- emails/causes.sql

create trigger user_verifications__email after update of status on public.user_verifications
  for each row when (new.status in ('approved', 'rejected') and new.status <> old.status)
  execute function private.tg_user_verifications__email();

-- emails/digests.sql

create function private.digest_content(email private.email_outbox) returns jsonb
  language sql stable set search_path = '' as $$
  with groups as (
    select v.kind, v.topic, v.group_id, v.detail, max(v.created_at) as created_at, max(v.id) as id,
      count(distinct v.actor_id) as actors,
      (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
      (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
    from private.unsent_notifications(email.user_id, 'email') v
    where v.created_at > (email.data ->> 'since')::timestamptz and v.created_at <= (email.data ->> 'until')::timestamptz
    group by v.kind, v.topic, v.group_id, v.detail, case when v.group_id is null then v.id end
  )
  select jsonb_build_object(
    'count', (select count(*) from groups),
    'lines', coalesce((
      select jsonb_agg(private.notification_line(g.kind, g.topic, g.detail, g.actor_id, greatest(g.actors - 1, 0), g.place)
        order by g.created_at desc, g.id desc)
      from (select * from groups order by created_at desc, id desc limit 10) g
    ), '[]')
  )
$$;
comment on function private.digest_content(private.email_outbox) is
  'What a digest says now: the newest ten lines, and how many there are.';

-- guarantee/claims.sql

-- Claims under the guarantee: the rules decide first, by the figures on record, and an administrator second.
create table private.guarantee_claims (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint guarantee_claims_user_id_key unique references auth.users (id) on delete cascade,
  monthly_pence bigint not null constraint guarantee_claims_monthly_pence_check check (monthly_pence between 0 and 100000000),
  statement text not null constraint guarantee_claims_statement_check check (char_length(statement) between 1 and 2000),
  lines jsonb not null,
  state text not null constraint guarantee_claims_state_check check (state in ('filed', 'declined', 'appealed', 'granted', 'refused')),
  filed_at timestamptz not null default now(),
  reason text constraint guarantee_claims_reason_check check (char_length(reason) between 1 and 500),
  decided_at timestamptz,
  decided_by uuid references public.profiles (id) on delete set null,
  appeal text constraint guarantee_claims_appeal_check check (char_length(appeal) between 1 and 2000),
  appealed_at timestamptz,
  renewal_stopped_at timestamptz,
  constraint guarantee_claims_appealed_check check ((appeal is null) = (appealed_at is null))
);
create index guarantee_claims_decided_by_idx on private.guarantee_claims (decided_by);
create index guarantee_claims_waiting_idx on private.guarantee_claims (filed_at) where state in ('filed', 'appealed');
comment on table private.guarantee_claims is 'A member''s one claim under the guarantee. Read by the member, and by administrators while they decide.';
comment on column private.guarantee_claims.monthly_pence is 'Income a month at the end, as the member states it.';
comment on column private.guarantee_claims.statement is 'What the member says about it, and where the evidence is.';
comment on column private.guarantee_claims.lines is 'What the terms ask for and what was on record when the claim was filed, as guarantee_claim_lines counts it.';
comment on column private.guarantee_claims.state is
  'filed and appealed wait for an administrator. declined can be appealed against once; refused is the answer to an appeal.';
comment on column private.guarantee_claims.reason is 'Why the last decision was made. Null while the rules alone declined.';
comment on column private.guarantee_claims.decided_by is 'Null when the rules declined.';
comment on column private.guarantee_claims.renewal_stopped_at is
  'When the card provider no longer renewed the membership of a granted claim. What is bought after it is no part of the guarantee.';
alter table private.guarantee_claims enable row level security;

-- The income counts as the higher of what is claimed and what the last check-in says, so that a claim does not contradict the record.
create function private.guarantee_claim_lines(baseline private.guarantee_baselines, claimed bigint)
  returns table (line text, needed bigint, held bigint, met boolean)
  language sql stable security definer set search_path = '' as $$
  select l.line, l.needed::bigint, l.held::bigint, l.met from private.guarantee_lines(baseline.user_id, private.guarantee_end(baseline)) l
  union all
  select 'income', i.target, i.held, i.held < i.target
  from (
    select (baseline.terms ->> 'income_multiple')::bigint
        * greatest(baseline.monthly_pence, (baseline.terms ->> 'least_base_pence')::bigint) as target,
      greatest(claimed, (
        select c.monthly_pence from private.guarantee_check_ins c
        where c.user_id = baseline.user_id order by c.month_number desc limit 1
      )) as held
  ) i
$$;
comment on function private.guarantee_claim_lines(private.guarantee_baselines, bigint) is
  'The lines of a record at its end, and the income: a claim holds while it is below the aim.';

create function private.claim_answer(claim private.guarantee_claims) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', claim.id, 'state', claim.state, 'monthly_pence', claim.monthly_pence, 'statement', claim.statement,
    'lines', claim.lines, 'filed_at', claim.filed_at, 'reason', claim.reason, 'decided_at', claim.decided_at,
    'appeal', claim.appeal, 'appealed_at', claim.appealed_at
  )
$$;
comment on function private.claim_answer(private.guarantee_claims) is 'A claim as it is answered, without who decided.';

-- guarantee/decisions.sql

-- The id follows from the claim, so a refund that was asked for twice is made once. One that the bank gave back is asked for anew.
-- A refund that was made counts before the provider's event arrives.
create function private.guarantee_refunds(claim private.guarantee_claims)
  returns table (request_id uuid, payment_id text, amount_pence bigint, reason text)
  language sql stable security definer set search_path = '' as $$
  select coalesce(q.id, md5(concat_ws(':', claim.id, b.charge_id, f.ended))::uuid),
    b.charge_id, coalesce(q.amount_pence, b.amount - greatest(b.amount_refunded, f.made)), coalesce(q.reason, 'Guarantee')
  from public.stripe_customers s
  join private.billing_charges b on b.customer_id = s.customer_id
  left join private.refund_requests q on q.charge_id = b.charge_id and q.state in ('started', 'unclear')
  cross join lateral (
    select count(*) filter (where r.state in ('made', 'failed', 'refused')) as ended,
      coalesce(sum(r.amount_pence) filter (where r.state = 'made'), 0)::bigint as made
    from private.refund_requests r where r.charge_id = b.charge_id
  ) f
  where s.user_id = claim.user_id and claim.state = 'granted'
    and b.amount > greatest(b.amount_refunded, f.made) and coalesce(b.dispute, 'won') = 'won'
    and not exists (select from private.course_purchases k where k.payment_intent_id = b.payment_intent_id)
    -- Until the renewal is stopped it may take another payment. What a member buys later is no part of the guarantee.
    and not exists (
      select from private.payment_records p
      where p.charge_id = b.charge_id and p.kind = 'payment'
        and p.happened_at > greatest(claim.decided_at + interval '7 days', coalesce(claim.renewal_stopped_at, now()))
    )
  order by b.charge_id
$$;
comment on function private.guarantee_refunds(private.guarantee_claims) is
  'What is left to refund of a granted claim: each payment until the renewal was stopped, or a week after the decision, that is neither refunded nor disputed.';

create function private.claim_waits(claim private.guarantee_claims) returns boolean
  language sql stable set search_path = '' as $$
  select claim.state in ('filed', 'appealed') or exists (select from private.guarantee_refunds(claim))
    or exists (select from private.claim_renewals(claim))
$$;
comment on function private.claim_waits(private.guarantee_claims) is
  'Whether a claim waits for a decision, or a granted one for its renewal to be stopped or payments to be refunded.';

-- guarantee/documents.sql

create trigger storage_objects__keep_guarantee_documents before update on storage.objects
  for each row when (old.bucket_id = 'guarantee-documents' or new.bucket_id = 'guarantee-documents')
  execute function private.tg_storage_objects__keep_content();

-- guarantee/record.sql

create function private.membership_months(baseline private.guarantee_baselines, at_time timestamptz) returns integer
  language sql stable security definer set search_path = '' as $$
  with live as (
    select range_agg(r.during) as ranges from (
      select tstzrange(p.started_at, p.ended_at) from private.membership_periods p where p.user_id = baseline.user_id
      union all
      select tstzrange(
        c.granted_at,
        -- greatest() passes over nulls, and one without an end has none.
        case when coalesce(c.ends_at, c.ended_at) is not null then greatest(c.granted_at, least(c.ends_at, c.ended_at)) end
      )
      from public.complimentary_memberships c where c.user_id = baseline.user_id
    ) r (during)
  )
  select count(*)::integer
  from generate_series(1, (baseline.terms ->> 'months')::integer) as m (number), live
  where (
    select coalesce(sum(upper(d.part) - lower(d.part)), interval '0')
    from unnest(live.ranges * tstzmultirange(tstzrange(
      ((baseline.started_at at time zone 'utc') + (m.number - 1) * interval '1 month') at time zone 'utc',
      greatest(
        ((baseline.started_at at time zone 'utc') + (m.number - 1) * interval '1 month') at time zone 'utc',
        least(((baseline.started_at at time zone 'utc') + m.number * interval '1 month') at time zone 'utc', at_time)
      )
    ))) d (part)
  ) >= (baseline.terms ->> 'membership_days')::integer * interval '1 day'
$$;
comment on function private.membership_months(private.guarantee_baselines, timestamptz) is
  'In how many months of a record the membership, paid or complimentary, ran for the days that its terms ask for.';

-- guarantee/reminders.sql

create trigger guarantee_claims__email after insert or update of state on private.guarantee_claims
  for each row when (new.state in ('granted', 'declined', 'refused'))
  execute function private.tg_guarantee_claims__email();

-- guarantee/settlement.sql

create function private.claim_renewals(claim private.guarantee_claims) returns setof text
  language sql stable security definer set search_path = '' as $$
  select s.subscription_id
  from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
  where c.user_id = claim.user_id and claim.state = 'granted' and claim.renewal_stopped_at is null
    and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
$$;
comment on function private.claim_renewals(private.guarantee_claims) is
  'Subscriptions of a granted claim''s member that could still take a payment; none once the renewal was stopped.';

create function private.claim_settlement(claim private.guarantee_claims) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'member_id', claim.user_id,
    'renewals', (select coalesce(jsonb_agg(r), '[]') from private.claim_renewals(claim) r),
    'refunds', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from private.guarantee_refunds(claim) r)
  )
$$;
comment on function private.claim_settlement(private.guarantee_claims) is 'What a granted claim is still owed: renewals to stop and refunds to make.';

create function private.require_granted_claim(claim_id uuid) returns private.guarantee_claims
  language plpgsql stable security definer set search_path = '' as $$
declare
  claim private.guarantee_claims;
begin
  select c.* into claim from private.guarantee_claims c where c.id = claim_id and c.state = 'granted';
  if not found then
    perform private.fail('FF680', 'There is no such claim.');
  end if;
  return claim;
end
$$;
comment on function private.require_granted_claim(uuid) is 'A granted claim; FF680 for any other.';

-- landing/page.sql

-- The landing page: the words an owner changes in the console, whose submissions visitors may read, and what is counted there.
create table private.landing_texts (
  version integer primary key constraint landing_texts_version_check check (version > 0),
  headline text constraint landing_texts_headline_check check (char_length(headline) between 1 and 120),
  lead text constraint landing_texts_lead_check check (char_length(lead) between 1 and 500),
  host_id uuid references public.profiles (id) on delete set null,
  host_about text constraint landing_texts_host_about_check check (char_length(host_about) between 1 and 1500),
  published_at timestamptz not null default now()
);
create index landing_texts_host_id_idx on private.landing_texts (host_id);
alter table private.landing_texts enable row level security;
comment on table private.landing_texts is 'Every version of the landing page''s words that an owner changed; the newest is shown. Rows are only ever added.';
comment on column private.landing_texts.headline is 'Null: as the product comes.';
comment on column private.landing_texts.lead is 'The paragraph under the headline. Null: as the product comes.';
comment on column private.landing_texts.host_id is 'The administrator who is introduced, with the name and picture of the profile. Null: nobody.';
comment on column private.landing_texts.host_about is 'What is said of the host. Plain text, a blank line between paragraphs.';

-- An administrator features a submission, and its author alone agrees that visitors read it: it takes both.
create table public.submission_consents (
  submission_id uuid primary key references public.learning_submissions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  agreed_at timestamptz not null default now()
);
create index submission_consents_user_id_idx on public.submission_consents (user_id);
alter table public.submission_consents enable row level security;
grant select, insert, update, delete on public.submission_consents to service_role;
grant delete, select (submission_id, user_id, agreed_at), insert (submission_id, user_id) on public.submission_consents to authenticated;
comment on table public.submission_consents is
  'Submissions that their authors let visitors read, with first name, occupation and picture. Taken back by deleting the row.';

create policy select_own on public.submission_consents for select to authenticated using (user_id = (select auth.uid()));

create policy insert_own on public.submission_consents for insert to authenticated with check (
  user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1
  and exists (select from public.learning_submissions s where s.id = submission_id and s.user_id = (select auth.uid()))
);

create policy delete_own on public.submission_consents for delete to authenticated using (user_id = (select auth.uid()));

-- levels/level-engine.sql

create trigger user_progress__start before insert on public.user_progress
  for each row execute function private.tg_user_progress__start();

create trigger user_levels__mirror after insert or update of current_level on public.user_levels
  for each row execute function private.tg_user_levels__mirror();

create function private.progress_count(progress public.user_progress, kind text, category text) returns integer
  language sql immutable set search_path = '' as $$
  select case kind
    when 'rooms' then cardinality(progress.chat_rooms_opened)
    when 'submissions' then progress.learning_submissions
    when 'engagements' then progress.message_engagements
    when 'articles' then coalesce(jsonb_array_length(progress.articles_read_by_category -> category), 0)
    when 'courses' then coalesce(jsonb_array_length(progress.courses_completed_by_category -> category), 0)
  end
$$;
comment on function private.progress_count(public.user_progress, text, text) is 'A member''s count for one kind of requirement.';

-- A level without requirements is never met, so an empty table raises no level.
create function private.meets_level(progress public.user_progress, wanted integer) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(bool_and(private.progress_count(progress, r.kind, r.category) >= r.needed), false)
  from public.level_requirements r where r.level = wanted
$$;
comment on function private.meets_level(public.user_progress, integer) is 'True when all requirements of a level are met.';

-- Members receive changes of their own level through realtime.
alter publication supabase_realtime add table public.user_levels;

-- levels/levels.sql

-- The level an account may use now: none before onboarding or after the membership lapsed, all for administrators.
create or replace view private.effective_levels with (security_invoker = true) as
select p.id as user_id,
  case
    when p.role = 'admin' then case when private.is_verified_admin(p.id) then 4 else 0 end
    when p.onboarding_complete and exists (select from private.live_memberships m where m.user_id = p.id)
      then coalesce((select l.current_level from public.user_levels l where l.user_id = p.id), 1)
    else 0
  end as level
from public.profiles p;
comment on view private.effective_levels is 'Level each account may use now: 0 without onboarding or live membership, 4 for administrators with a second factor.';

-- library/access.sql

create policy select_level_or_own on public.subcategories for select to authenticated using (
  id in (select private.caller_studio_subcategories()) or (select private.caller_is_admin())
);

-- library/course-films.sql

-- A review is about exactly this film. Other captions mean a copy of the film under another name.
create trigger storage_objects__keep_films before update on storage.objects
  for each row when (old.bucket_id = 'course-films' or new.bucket_id = 'course-films')
  execute function private.tg_storage_objects__keep_content();

create policy select_readable_course_film on storage.objects for select to authenticated
  using (
    bucket_id = 'course-films'
    and (
      starts_with(name, (select auth.uid())::text || '-')
      or split_part(name, '.', 1) in (select private.caller_films())
      or (select private.caller_is_admin())
    )
  );

-- library/tables.sql

create table public.articles (
  id uuid primary key default gen_random_uuid(),
  subcategory_id uuid not null references public.subcategories (id),
  slug text not null constraint articles_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint articles_title_check check (char_length(title) between 1 and 200),
  excerpt text not null default '' constraint articles_excerpt_check check (char_length(excerpt) <= 500),
  content text not null default '' constraint articles_content_check check (octet_length(content) <= 204800),
  featured_image_url text,
  author_id uuid references public.profiles (id) on delete set null,
  is_published boolean not null default false,
  is_featured boolean not null default false,
  estimated_read_time integer not null default 1 constraint articles_estimated_read_time_check check (estimated_read_time > 0),
  tags text[] not null default '{}' constraint articles_tags_check check (cardinality(tags) <= 10),
  read_count integer not null default 0 constraint articles_read_count_check check (read_count >= 0),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  -- Cards and readers show the average of all ratings. Nobody may write these columns.
  rating_count integer not null default 0,
  rating_sum integer not null default 0,
  -- The call that counts an opening names the source in this column; the trigger moves it to the opening.
  opened_from text,
  from_files boolean not null default false,
  unique (subcategory_id, slug),
  constraint articles_opened_from_check check (opened_from is null)
) with (fillfactor = 80);
grant select, insert, update, delete on public.articles to service_role;
-- The app sends a new read_count and enrollment_count. Triggers replace them with the stored values.
grant select (id, subcategory_id, slug, title, excerpt, content, featured_image_url, author_id, is_published, is_featured,
    estimated_read_time, tags, read_count, display_order, created_at, rating_count, rating_sum, opened_from, from_files),
  update (read_count, opened_from)
  on public.articles to authenticated;
comment on table public.articles is 'Articles of the library, in Markdown.';
comment on column public.articles.estimated_read_time is 'Minutes.';
comment on column public.articles.author_id is 'Whose name it carries; null for the product''s own.';
comment on column public.articles.read_count is 'Number of openings, one for each member and day; kept by the server.';
create index articles_author_id_idx on public.articles (author_id);
create index articles_list_idx on public.articles (subcategory_id, is_featured desc, created_at desc);
alter table public.articles enable row level security;

create table public.courses (
  id uuid primary key default gen_random_uuid(),
  subcategory_id uuid not null references public.subcategories (id),
  slug text not null constraint courses_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint courses_title_check check (char_length(title) between 1 and 200),
  description text not null default '' constraint courses_description_check check (char_length(description) <= 2000),
  thumbnail_url text,
  mentor_id uuid references public.profiles (id) on delete set null,
  is_published boolean not null default false,
  is_featured boolean not null default false,
  is_free boolean generated always as (price = 0) stored,
  price numeric(10, 2) not null default 0 constraint courses_price_check check (price >= 0),
  estimated_duration integer not null default 0 constraint courses_estimated_duration_check check (estimated_duration >= 0),
  difficulty_level text not null default 'beginner' constraint courses_difficulty_level_check
    check (difficulty_level in ('beginner', 'intermediate', 'advanced')),
  enrollment_count integer not null default 0 constraint courses_enrollment_count_check check (enrollment_count >= 0),
  module_count integer not null default 0 constraint courses_module_count_check check (module_count >= 0),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  rating_count integer not null default 0,
  rating_sum integer not null default 0,
  -- What the studio publishes over a published course is a new version. Members in the middle finish the one they began, or move on.
  version integer not null default 1,
  from_files boolean not null default false,
  unique (subcategory_id, slug)
) with (fillfactor = 80);
grant select, insert, update, delete on public.courses to service_role;
grant select (id, subcategory_id, slug, title, description, thumbnail_url, mentor_id, is_published, is_featured, is_free, price,
    estimated_duration, difficulty_level, enrollment_count, module_count, display_order, created_at, rating_count, rating_sum,
    version, from_files),
  update (enrollment_count)
  on public.courses to authenticated;
comment on table public.courses is 'Courses of the library; their content is in course_modules.';
comment on column public.courses.mentor_id is 'Whose name it carries; null for the product''s own.';
comment on column public.courses.price is 'Pounds, for display only: every course is included in the membership.';
comment on column public.courses.estimated_duration is 'Minutes of all modules together.';
comment on column public.courses.enrollment_count is 'Members enrolled; kept by the server.';
comment on column public.courses.module_count is 'Published modules; kept by the server.';
create index courses_mentor_id_idx on public.courses (mentor_id);
create index courses_list_idx on public.courses (subcategory_id, is_featured desc, created_at desc);
alter table public.courses enable row level security;

reset check_function_bodies;
