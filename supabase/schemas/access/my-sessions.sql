-- Lists and ends the caller's sessions. The auth service owns the sessions. Deleting one deletes its refresh tokens, and
-- live_sessions refuses its access token from then on.
-- @rpc authenticated
-- The caller's sessions, one row each.
create function private.my_sessions()
  returns table (
    id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, address text,
    is_current boolean, has_second_factor boolean
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  current_id text := auth.jwt() ->> 'session_id';
begin
  return query
    select s.id, s.created_at,
      greatest(s.created_at, s.refreshed_at at time zone 'utc'), s.user_agent, host(s.ip),
      s.id::text is not distinct from current_id, s.aal is not distinct from 'aal2'
    from auth.sessions s
    where s.user_id = caller and (s.not_after is null or s.not_after > now())
    order by s.id::text is not distinct from current_id desc,
      greatest(s.created_at, s.refreshed_at at time zone 'utc') desc, s.id;
end
$$;
comment on function private.my_sessions() is 'The sessions of the calling account, the calling one first, then the one seen last.';

-- @rpc authenticated
-- Signs the caller out of one device.
create function private.end_session(session_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = caller;
  return found;
end
$$;
comment on function private.end_session(uuid) is 'Ends a session of the calling account; false when it has none with that id.';
