-- Realtime, with the names of hosted Supabase. Row-level security on realtime.messages authorizes private channels, and
-- the database broadcasts by inserting rows there.
do $$
begin
  if not exists (select from pg_roles where rolname = 'supabase_realtime_admin') then
    create role supabase_realtime_admin noinherit;
  end if;
  if not pg_has_role(current_user, 'supabase_realtime_admin', 'usage') then
    execute format('grant supabase_realtime_admin to %I', current_user);
  end if;
  if current_setting('host.project_owner') = 'postgres' then
    grant supabase_realtime_admin to postgres;
  end if;
end
$$;

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role, postgres, supabase_realtime_admin;
-- A login that is not a superuser may give tables only to a role with CREATE on the schema.
grant create on schema realtime to supabase_realtime_admin;

create table realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  binary_payload bytea,
  event text,
  private boolean default false,
  updated_at timestamp not null default (now() at time zone 'utc'),
  inserted_at timestamp not null default (now() at time zone 'utc'),
  primary key (id, inserted_at)
);
comment on table realtime.messages is
  'Broadcasts sent by the database, kept for three days; its policies decide who may join which private channel.';
comment on column realtime.messages.extension is 'The extension a policy is checked for: broadcast or presence.';
create index messages_inserted_at on realtime.messages (inserted_at);
-- Finds the messages to replay to a client that joins a private channel.
create index messages_inserted_at_topic_index on realtime.messages (topic, inserted_at desc)
  where extension = 'broadcast' and private;

alter table realtime.messages enable row level security;
alter table realtime.messages owner to supabase_realtime_admin;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant all on realtime.messages to postgres;

create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;

-- A broadcast that cannot be sent must not roll back the caller's transaction.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
declare
  message_id constant uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', send.topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (
    message_id,
    case when send.payload ? 'id' then send.payload
         else jsonb_set(send.payload, '{id}', to_jsonb(message_id)) end,
    send.event, send.topic, send.private, 'broadcast');
exception when others then
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void language plpgsql as $$
begin
  perform set_config('realtime.topic', send_binary.topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
  values (send_binary.payload, send_binary.event, send_binary.topic, send_binary.private, 'broadcast');
exception when others then
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- For triggers: broadcasts the change of a row to a private channel.
create function realtime.broadcast_changes(
  topic_name text,
  event_name text,
  operation text,
  table_name text,
  table_schema text,
  new record,
  old record,
  level text default 'ROW'
) returns void language plpgsql as $$
declare
  row_data jsonb := '{}';
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  row_data := jsonb_build_object(
    'old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema);
  perform realtime.send(row_data, event_name, topic_name);
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

do $$
declare
  signature regprocedure;
begin
  for signature in select oid::regprocedure from pg_proc where pronamespace = 'realtime'::regnamespace loop
    execute format('alter function %s owner to supabase_realtime_admin', signature);
  end loop;
end
$$;
grant execute on all functions in schema realtime to anon, authenticated, service_role, postgres;

-- The permissions of a role with these claims on a channel, tested against the policies without leaving rows behind.
-- The caller must have checked that requests may use the role.
create function host.realtime_permissions(
  topic text, role_name text, claims text, headers text,
  out broadcast_read boolean, out presence_read boolean, out broadcast_write boolean, out presence_write boolean
) language plpgsql set search_path = public, extensions as $$
-- The search path is that of a request, so that the functions in policies resolve names as usual.
declare
  broadcast_probe constant uuid := gen_random_uuid();
  presence_probe constant uuid := gen_random_uuid();
  found_probes uuid[];
begin
  broadcast_read := false; presence_read := false; broadcast_write := false; presence_write := false;
  begin
    insert into realtime.messages (id, topic, extension)
    values (broadcast_probe, topic, 'broadcast'), (presence_probe, topic, 'presence');
    perform host.set_realtime_role(topic, role_name, claims, headers);
    select array_agg(m.id) into found_probes
      from realtime.messages m where m.id in (broadcast_probe, presence_probe);
    raise sqlstate 'UNDO0';
  exception when sqlstate 'UNDO0' then
    broadcast_read := coalesce(broadcast_probe = any(found_probes), false);
    presence_read := coalesce(presence_probe = any(found_probes), false);
  end;
  begin
    perform host.set_realtime_role(topic, role_name, claims, headers);
    insert into realtime.messages (topic, extension) values (topic, 'broadcast');
    raise sqlstate 'UNDO0';
  exception
    when sqlstate 'UNDO0' then broadcast_write := true;
    when insufficient_privilege then null;
  end;
  begin
    perform host.set_realtime_role(topic, role_name, claims, headers);
    insert into realtime.messages (topic, extension) values (topic, 'presence');
    raise sqlstate 'UNDO0';
  exception
    when sqlstate 'UNDO0' then presence_write := true;
    when insufficient_privilege then null;
  end;
end
$$;

create function host.set_realtime_role(topic text, role_name text, claims text, headers text)
returns void language sql set search_path = '' as $$
  select set_config('realtime.topic', topic, true),
         set_config('request.jwt.claims', claims, true),
         set_config('request.jwt.claim.sub', coalesce(claims::jsonb ->> 'sub', ''), true),
         set_config('request.jwt.claim.role', role_name, true),
         set_config('request.headers', headers, true),
         set_config('role', role_name, true)
$$;

-- Checks that a session is valid and that the project's pre-request function, called as the caller, accepts it. One
-- statement, so that a join needs only one query. The name of the function is already quoted.
create function host.realtime_session(
  session_id text, account text, role_name text, claims text, pre_request text
) returns text language plpgsql set search_path = public, extensions as $$
declare
  is_uuid constant text := '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$';
begin
  if session_id is not null and not exists (
    select from auth.sessions s join auth.users u on u.id = s.user_id
     where s.id = case when session_id ~ is_uuid then session_id::uuid end and u.id::text = account
       and (u.banned_until is null or u.banned_until <= now()) and (s.not_after is null or s.not_after > now())
  ) then
    return 'ended';
  end if;
  if pre_request is not null then
    begin
      perform host.set_realtime_role('', role_name, claims, '{}');
      execute format('select %s()', pre_request);
    exception when others then
      return 'refused';
    end;
  end if;
  return 'live';
end
$$;

create publication supabase_realtime_messages_publication for table realtime.messages with (publish = 'insert');
