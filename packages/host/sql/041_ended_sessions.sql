-- Notifies hosts when a session ends or an account is banned or deleted, so that they close its sockets.
create function host.notify_session_ended() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('host_ended_sessions', 'session ' || old.id);
  return null;
end
$$;
create trigger host_notify_session_ended after delete on auth.sessions
  for each row execute function host.notify_session_ended();

create function host.notify_account_banned() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('host_ended_sessions', 'account ' || new.id);
  return null;
end
$$;
create trigger host_notify_account_banned after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null) execute function host.notify_account_banned();
