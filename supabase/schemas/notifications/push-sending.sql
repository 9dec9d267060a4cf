-- The outbox of push messages. A notification puts a row for each browser of its member in the same transaction; the scheduled
-- function send-pushes sends them. Rows are gone once they are sent or no longer wanted: the bell keeps the notification.
create table private.push_outbox (
  notification_id bigint not null references public.notifications (id) on delete cascade,
  subscription_id uuid not null references public.push_subscriptions (id) on delete cascade,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  claim uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (notification_id, subscription_id)
);
comment on table private.push_outbox is 'Push messages to send. What they say is decided when they are sent.';
comment on column private.push_outbox.next_attempt_at is 'While a sender has the message: when its lease ends and another may take it.';
comment on column private.push_outbox.claim is 'The last claim. Only its sender may report the result.';
create index push_outbox_due_idx on private.push_outbox (next_attempt_at, notification_id);
create index push_outbox_subscription_id_idx on private.push_outbox (subscription_id);
alter table private.push_outbox enable row level security;

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
create trigger notifications__push after insert on public.notifications
  referencing new table as made for each statement execute function private.tg_notifications__push();

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
