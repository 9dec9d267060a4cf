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
