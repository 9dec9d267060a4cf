-- How claims under the guarantee ended, for everyone with an account. Visitors call no function of the database.
create function private.guarantee_figures() returns table (decided bigint, granted bigint)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_caller();
  return query
    select count(*) filter (where c.decided_at is not null), count(*) filter (where c.state = 'granted')
    from private.guarantee_claims c;
end
$$;
revoke all on function private.guarantee_figures from public, anon, authenticated, service_role;
comment on function private.guarantee_figures() is 'How many claims were decided so far, by the rules or an administrator, and how many were granted.';
grant execute on function private.guarantee_figures() to authenticated;
create function public.guarantee_figures() returns table (decided bigint, granted bigint)
  language sql stable set search_path = '' as $$ select * from private.guarantee_figures() $$;
revoke all on function public.guarantee_figures from public, anon, authenticated, service_role;
comment on function public.guarantee_figures() is 'How many claims under the guarantee were decided, and how many granted.';
grant execute on function public.guarantee_figures() to authenticated;
