-- Lists and ends the caller's sessions. The auth service owns the sessions. Deleting one deletes its refresh tokens, and
-- live_sessions refuses its access token from then on.
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
revoke all on function private.my_sessions from public, anon, authenticated, service_role;
comment on function private.my_sessions() is 'The sessions of the calling account, the calling one first, then the one seen last.';
grant execute on function private.my_sessions() to authenticated;

create function public.my_sessions()
  returns table (
    id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, address text,
    is_current boolean, has_second_factor boolean
  )
  language sql stable set search_path = '' as $$ select * from private.my_sessions() $$;
revoke all on function public.my_sessions from public, anon, authenticated, service_role;
comment on function public.my_sessions() is 'The caller''s sessions, one row each.';
grant execute on function public.my_sessions() to authenticated;

create function private.end_session(session_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = caller;
  return found;
end
$$;
revoke all on function private.end_session from public, anon, authenticated, service_role;
comment on function private.end_session(uuid) is 'Ends a session of the calling account; false when it has none with that id.';
grant execute on function private.end_session(uuid) to authenticated;

create function public.end_session(session_id uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.end_session(session_id) $$;
revoke all on function public.end_session from public, anon, authenticated, service_role;
comment on function public.end_session(uuid) is 'Signs the caller out of one device.';
grant execute on function public.end_session(uuid) to authenticated;
