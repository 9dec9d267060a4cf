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
