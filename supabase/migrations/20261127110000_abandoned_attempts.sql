-- An account that goes takes no further payment: an attempt that is under way loses the right to pay its subscription.
create function private.billing_abandon_attempts(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_billing(member);
  update private.billing_attempts a set state = 'abandoned', updated_at = clock_timestamp()
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
end
$$;
revoke all on function private.billing_abandon_attempts from public, anon, authenticated, service_role;
comment on function private.billing_abandon_attempts(uuid) is 'Keeps the open attempts of a member at buying a plan from paying.';
grant execute on function private.billing_abandon_attempts(uuid) to service_role;

create function public.billing_abandon_attempts(member uuid) returns void
  language sql volatile set search_path = '' as $$ select private.billing_abandon_attempts(member) $$;
revoke all on function public.billing_abandon_attempts from public, anon, authenticated, service_role;
comment on function public.billing_abandon_attempts(uuid) is 'Server: keep the open attempts of a member at buying a plan from paying.';
grant execute on function public.billing_abandon_attempts(uuid) to service_role;
