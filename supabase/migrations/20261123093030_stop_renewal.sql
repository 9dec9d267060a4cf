-- A suspended member cannot reach the page that cancels, so an administrator can.

-- Recorded before the card provider is asked, as refunds are.
create function private.admin_begin_stop_renewal(member uuid, reason text) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  subscription text;
begin
  select s.subscription_id into subscription
  from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
  where c.user_id = account.id and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing', 'past_due');
  if subscription is null then
    perform private.fail('FF520', 'There is no subscription that renews.');
  end if;
  perform private.audit(admin, 'account.renewal_stopped', member, jsonb_build_object(
    'subscription_id', subscription, 'reason', why,
    'before', jsonb_build_object('renews', true), 'after', jsonb_build_object('renews', false)
  ));
  return subscription;
end
$$;
revoke all on function private.admin_begin_stop_renewal from public, anon, authenticated, service_role;
comment on function private.admin_begin_stop_renewal(uuid, text) is
  'The subscription of a member whose renewal an administrator is about to stop; FF520 without one. Audited.';
grant execute on function private.admin_begin_stop_renewal(uuid, text) to authenticated;
create function public.admin_begin_stop_renewal(member uuid, reason text) returns text
  language sql volatile set search_path = '' as $$ select private.admin_begin_stop_renewal(member, reason) $$;
revoke all on function public.admin_begin_stop_renewal from public, anon, authenticated, service_role;
comment on function public.admin_begin_stop_renewal(uuid, text) is
  'Administrators: begin to stop the renewal of a member''s subscription; the function admin-stop-renewal asks the card provider.';
grant execute on function public.admin_begin_stop_renewal(uuid, text) to authenticated;
