-- Which e-mails a member wants. E-mails about money, identity and security are always sent and have no row here.
create table public.notification_preferences (
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null constraint notification_preferences_kind_check check (kind in ('tips', 'reminders')),
  email boolean not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, kind)
);
revoke all on table public.notification_preferences from public, anon, authenticated, service_role;
grant select, insert, update, delete on table public.notification_preferences to service_role;
comment on table public.notification_preferences is 'E-mails a member switched on or off. Without a row a kind is on.';
comment on column public.notification_preferences.kind is
  'tips: getting started. reminders: what needs attention soon. Other e-mails cannot be switched off.';
comment on column public.notification_preferences.email is 'Whether e-mails of this kind are sent.';
alter table public.notification_preferences enable row level security;

-- Members read and write their own rows. An upsert of the API also sets the key columns, to what they are.
grant select (user_id, kind, email, updated_at), insert (user_id, kind, email), update (user_id, kind, email)
  on public.notification_preferences to authenticated;
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
revoke all on function private.tg_notification_preferences__stamp from public, anon, authenticated, service_role;
create trigger notification_preferences__stamp before update on public.notification_preferences
  for each row execute function private.tg_notification_preferences__stamp();
