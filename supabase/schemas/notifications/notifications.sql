-- What a member is told of: replies, likes and comments from others, and what happened to their own account. Only
-- triggers write rows. What a row says is decided when it is read, so nobody is told of a place they may not read now.
create table public.notifications (
  id bigint generated always as identity primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  actor_id uuid references public.profiles (id) on delete cascade,
  subject_id uuid,
  group_id uuid,
  detail text,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  facts jsonb,
  constraint notifications_once_key unique nulls not distinct (user_id, kind, subject_id, actor_id, detail),
  constraint notifications_actor_check check (actor_id <> user_id),
  constraint notifications_kind_fkey
    foreign key (kind) references private.notification_kinds (kind)
);
grant select, insert, update, delete on public.notifications to service_role;
-- Members read only that something happened and whether they have read it: enough for Realtime to tell every open page.
grant select (id, user_id, created_at, read_at) on public.notifications to authenticated;
comment on table public.notifications is 'What members are told of; written by triggers, read through my_notifications. @deletes_reach user_id';
comment on column public.notifications.user_id is 'Who is told.';
comment on column public.notifications.actor_id is 'Whose act it was; null when it was not a member''s.';
comment on column public.notifications.subject_id is
  'The reply, the liked message or submission, the comment, or the identity document. It may be deleted, which hides the row.';
comment on column public.notifications.group_id is 'Rows of one kind and group are shown as one: the message or submission acted on.';
comment on column public.notifications.detail is 'The level reached, or the subscription and period of a failed payment.';
comment on column public.notifications.facts is 'What the line says of something that may be gone by the time it is read.';
create index notifications_list_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_actor_id_idx on public.notifications (actor_id);
create index notifications_unread_idx on public.notifications (created_at) where read_at is null;
create index notifications_read_idx on public.notifications (read_at) where read_at is not null;
alter table public.notifications enable row level security;

create policy select_own on public.notifications for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));
alter publication supabase_realtime add table public.notifications;

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
create trigger chat_messages__notify after insert on public.chat_messages
  for each row when (new.parent_message_id is not null) execute function private.tg_chat_messages__notify();

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
create trigger message_likes__notify after insert on public.message_likes
  referencing new table as changed for each statement execute function private.tg_message_likes__notify();

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
create trigger learning_submission_likes__notify after insert on public.learning_submission_likes
  referencing new table as changed for each statement execute function private.tg_learning_submission_likes__notify();

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
create trigger learning_submission_comments__notify after insert on public.learning_submission_comments
  referencing new table as changed for each statement execute function private.tg_learning_submission_comments__notify();

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
create trigger user_verifications__notify after update of status on public.user_verifications
  for each row when (new.status in ('approved', 'rejected') and new.status <> old.status)
  execute function private.tg_user_verifications__notify();

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
-- Row-level security cannot be asked about a deleted row. The host reads from a table's comment (@deletes_reach) whose account
-- alone is told, and the key below holds that column. Of a table without the comment every subscriber is told the key, such as
-- of `learning_submissions`: the feed takes a post away at once, and its id alone says nothing.
create unique index notifications_owner_key on public.notifications (user_id, id);
alter table public.notifications replica identity using index notifications_owner_key;
