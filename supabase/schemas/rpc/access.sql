-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_sessions() returns table(id uuid, created_at timestamp with time zone, last_seen_at timestamp with time zone, user_agent text, address text, is_current boolean, has_second_factor boolean)
  language sql stable set search_path = '' as $$ select * from private.my_sessions() $$;
comment on function public.my_sessions is 'The caller''s sessions, one row each.';
grant execute on function private.my_sessions, public.my_sessions to authenticated;

create function public.end_session(session_id uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.end_session(session_id) $$;
comment on function public.end_session is 'Signs the caller out of one device.';
grant execute on function private.end_session, public.end_session to authenticated;

create function public.generate_recovery_codes() returns setof text
  language sql volatile set search_path = '' as $$ select * from private.generate_recovery_codes() $$;
comment on function public.generate_recovery_codes is 'Ten new recovery codes, shown only now; earlier ones become invalid.';
grant execute on function private.generate_recovery_codes, public.generate_recovery_codes to authenticated;

create function public.recovery_code_status() returns table(codes_left integer, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.recovery_code_status() $$;
comment on function public.recovery_code_status is 'Number of recovery codes the caller has left, one row.';
grant execute on function private.recovery_code_status, public.recovery_code_status to authenticated;

create function public.redeem_recovery_code(member uuid, code text, keep_session uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.redeem_recovery_code(member, code, keep_session) $$;
comment on function public.redeem_recovery_code is 'Server: use a recovery code of an account.';
grant execute on function private.redeem_recovery_code, public.redeem_recovery_code to service_role;
