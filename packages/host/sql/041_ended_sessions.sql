-- Tells hosts that a session was ended or an account banned, so that open sockets end with it.
create function host.announce_ended_session() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('host_ended_sessions', 'session ' || old.id);
  return null;
end
$$;
create trigger host_announce_end after delete on auth.sessions
  for each row execute function host.announce_ended_session();

create function host.announce_ban() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('host_ended_sessions', 'account ' || new.id);
  return null;
end
$$;
create trigger host_announce_ban after update of banned_until, deleted_at on auth.users
  for each row when (new.banned_until > now() or new.deleted_at is not null) execute function host.announce_ban();
