create or replace function private.set_billing_rules (
  withdrawal_refund     text,
  renewal_reminder_days integer
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select jsonb_build_object('withdrawal_refund', b.withdrawal_refund, 'renewal_reminder_days', b.renewal_reminder_days) from public.billing_rules b);
begin
  if withdrawal_refund is null or withdrawal_refund not in ('full', 'proportion')
    or renewal_reminder_days is null or renewal_reminder_days not between 0 and 30 then
    perform private.fail('FF276', 'Choose what comes back, and between 0 and 30 days.');
  end if;
  insert into public.billing_rules as b (withdrawal_refund, renewal_reminder_days)
  values (set_billing_rules.withdrawal_refund, set_billing_rules.renewal_reminder_days)
  on conflict on constraint billing_rules_pkey do update
  set withdrawal_refund = excluded.withdrawal_refund, renewal_reminder_days = excluded.renewal_reminder_days;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', coalesce(before, '{"withdrawal_refund": "full", "renewal_reminder_days": 0}'),
    jsonb_build_object('withdrawal_refund', set_billing_rules.withdrawal_refund, 'renewal_reminder_days', set_billing_rules.renewal_reminder_days)
  );
end
$function$;

comment on table "public"."billing_rules" is 'What comes back after a withdrawal, when members are told of a renewal, how long a failed payment leaves access, how long members may pause, and how they pay: one row, or none for the defaults.';
