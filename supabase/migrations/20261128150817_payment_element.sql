alter table "public"."billing_rules"
  add column "payment_element" boolean not null default false;

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
  before jsonb := (select to_jsonb(b) - '{id,payment_grace_days,payment_element}'::text[] from public.billing_rules b);
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
    (select to_jsonb(b) - '{id,payment_grace_days,payment_element}'::text[] from public.billing_rules b)
  );
end
$function$;

create or replace function private.set_payment_element (
  enabled boolean
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  before boolean := coalesce((select b.payment_element from public.billing_rules b), false);
begin
  if enabled is null then
    perform private.fail('FF276', 'Choose how members pay.');
  end if;
  insert into public.billing_rules as b (payment_element) values (enabled)
  on conflict on constraint billing_rules_pkey do update set payment_element = excluded.payment_element;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', jsonb_build_object('payment_element', before), jsonb_build_object('payment_element', enabled)
  );
end
$function$;

create or replace function public.set_payment_element (
  enabled boolean
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.set_payment_element(enabled) $function$;

comment on column "public"."billing_rules"."payment_element" is 'Members pay in the provider''s Payment Element, with Apple Pay, Google Pay and Link, instead of its card field.';

comment on function "private"."set_payment_element"(boolean) is 'Turns the Payment Element on or off; FF276 without a choice. Audited.';

comment on function "public"."set_payment_element"(boolean) is 'Administrators: decide whether members pay with Apple Pay, Google Pay and Link, too.';

comment on table "public"."billing_rules" is 'What comes back after a withdrawal, when members are told of a renewal, and how long a failed payment leaves access, and how members pay: one row, or none for the defaults.';

revoke all on function "private"."set_payment_element"(boolean) from public;

grant execute on function "private"."set_payment_element"(boolean) to "authenticated", "postgres";

revoke all on function "public"."set_payment_element"(boolean) from public;

grant execute on function "public"."set_payment_element"(boolean) to "authenticated", "postgres";

revoke all ("payment_element") on table "public"."billing_rules" from "anon";

grant select ("payment_element") on table "public"."billing_rules" to "anon";

revoke all ("payment_element") on table "public"."billing_rules" from "authenticated";

grant select ("payment_element") on table "public"."billing_rules" to "authenticated";
