-- Failed events are looked up by their id, however many there are, and can be cleared with a reason. Acts at the card provider on
-- coupons are audited before it is asked, and their end afterwards. docs/subsystems/console.md.

create function private.admin_failed_event(event text) returns setof private.failed_billing_events
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f where f.event_id = event;
end
$$;
revoke all on function private.admin_failed_event from public, anon, authenticated, service_role;
comment on function private.admin_failed_event(text) is 'One event that could not be applied; no row when it was applied since.';
grant execute on function private.admin_failed_event(text) to authenticated;
create function public.admin_failed_event(event text) returns table (
  event_id text, event_type text, attempts integer, first_failed_at timestamptz, last_failed_at timestamptz, last_error text
)
  language sql stable set search_path = '' as $$ select * from private.admin_failed_event(event) $$;
revoke all on function public.admin_failed_event from public, anon, authenticated, service_role;
comment on function public.admin_failed_event(text) is 'Administrators: an event of the card provider that could not be applied, by its id.';
grant execute on function public.admin_failed_event(text) to authenticated;

create function private.admin_clear_failed_event(event text, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  cleared private.billing_failures;
begin
  delete from private.billing_failures f
  where f.event_id = event and exists (select from private.failed_billing_events e where e.event_id = f.event_id)
  returning f.* into cleared;
  if cleared.event_id is null then
    perform private.fail('FF256', 'This event has been processed or cleared already.');
  end if;
  perform private.audit(admin, 'billing.event_cleared', null,
    jsonb_build_object('before', to_jsonb(cleared), 'after', null, 'reason', why));
end
$$;
revoke all on function private.admin_clear_failed_event from public, anon, authenticated, service_role;
comment on function private.admin_clear_failed_event(text, text) is
  'Takes a failed event off the list without processing it; FF256 when it is not on it. It comes back when the provider sends it again. Audited.';
grant execute on function private.admin_clear_failed_event(text, text) to authenticated;
create function public.admin_clear_failed_event(event text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.admin_clear_failed_event(event, reason) $$;
revoke all on function public.admin_clear_failed_event from public, anon, authenticated, service_role;
comment on function public.admin_clear_failed_event(text, text) is
  'Administrators: clear an event of the card provider that could not be applied, with a reason.';
grant execute on function public.admin_clear_failed_event(text, text) to authenticated;

create or replace function private.admin_audit_money(admin uuid, action text, subject uuid, detail jsonb) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if action is null or action not in (
    'coupon.create_started', 'coupon.created', 'coupon.create_failed',
    'coupon.deactivate_started', 'coupon.deactivated', 'coupon.deactivate_failed', 'billing.event_retried'
  ) then
    raise exception 'no act on money is called %', action;
  end if;
  perform private.audit(admin, action, subject, detail);
end
$$;
