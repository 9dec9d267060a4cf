-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.enforce_function_rate_limit(member uuid, action text) returns void
  language sql volatile set search_path = '' as $$ select private.enforce_function_rate_limit(member, action) $$;
comment on function public.enforce_function_rate_limit is 'Server: count one call of an edge function by an account; raises FF300 above the limit.';
grant execute on function private.enforce_function_rate_limit, public.enforce_function_rate_limit to service_role;
