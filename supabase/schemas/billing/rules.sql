-- What the owner decides about contracts with consumers.
create table public.billing_rules (
  id boolean primary key default true constraint billing_rules_id_check check (id),
  withdrawal_refund text not null default 'full'
    constraint billing_rules_withdrawal_refund_check check (withdrawal_refund in ('full', 'proportion')),
  renewal_reminder_days integer not null default 0
    constraint billing_rules_renewal_reminder_days_check check (renewal_reminder_days between 0 and 30),
  payment_grace_days integer not null default 0
    constraint billing_rules_payment_grace_days_check check (payment_grace_days between 0 and 30),
  pause_months integer not null default 3
    constraint billing_rules_pause_months_check check (pause_months between 0 and 12),
  payment_element boolean not null default false
);
alter table public.billing_rules enable row level security;
grant select, insert, update, delete on public.billing_rules to service_role;
grant select (withdrawal_refund, renewal_reminder_days, payment_grace_days, pause_months, payment_element) on public.billing_rules to anon, authenticated;

create policy select_everyone on public.billing_rules for select to anon, authenticated using (true);
comment on table public.billing_rules is 'What comes back after a withdrawal, when members are told of a renewal, how long a failed payment leaves access, how long members may pause, and how they pay: one row, or none for the defaults.';
comment on column public.billing_rules.id is 'Always true, so that there is one row.';
comment on column public.billing_rules.withdrawal_refund is 'proportion: less the days that were used of a membership, which its member asked for at once.';
comment on column public.billing_rules.renewal_reminder_days is 'Days before a renewal; 0 is no e-mail.';
comment on column public.billing_rules.payment_grace_days is 'Days of access after a renewal''s payment failed; 0 is none.';
comment on column public.billing_rules.pause_months is 'Months in any twelve that a membership may be paused; 0 is none.';
comment on column public.billing_rules.payment_element is 'Members pay in the provider''s Payment Element, with Apple Pay, Google Pay and Link, instead of its card field.';

-- @rpc authenticated
-- Administrators: decide what comes back after a withdrawal, and when members are told of a renewal.
create function private.set_billing_rules(withdrawal_refund text, renewal_reminder_days integer) returns void
  language plpgsql security definer set search_path = ''
as $$
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
$$;
comment on function private.set_billing_rules(text, integer) is 'Changes the rules of withdrawals and reminders; FF276 for a value there is not. Audited.';

-- @rpc authenticated
-- Administrators: decide how many days of access follow a renewal's failed payment; it holds for payments that fail from now on.
create function private.set_payment_grace(days integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before integer := coalesce((select b.payment_grace_days from public.billing_rules b), 0);
begin
  if days is null or days not between 0 and 30 then
    perform private.fail('FF276', 'Choose between 0 and 30 days.');
  end if;
  insert into public.billing_rules as b (payment_grace_days) values (days)
  on conflict on constraint billing_rules_pkey do update set payment_grace_days = excluded.payment_grace_days;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', jsonb_build_object('payment_grace_days', before), jsonb_build_object('payment_grace_days', days)
  );
end
$$;
comment on function private.set_payment_grace(integer) is 'Changes the days of access after a failed payment; FF276 for a value there is not. Audited.';

-- @rpc authenticated
-- Administrators: decide whether members pay with Apple Pay, Google Pay and Link, too.
create function private.set_payment_element(enabled boolean) returns void
  language plpgsql security definer set search_path = ''
as $$
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
$$;
comment on function private.set_payment_element(boolean) is 'Turns the Payment Element on or off; FF276 without a choice. Audited.';

create function private.unused_share(amount bigint, began timestamptz, ends timestamptz, at_time timestamptz default now()) returns bigint
  language sql stable set search_path = ''
as $$
  select amount - round(amount::numeric * least(d.used, d.days) / d.days)::bigint
  from (
    select greatest(1, round(extract(epoch from ends - began) / 86400)) as days,
      greatest(0, floor(extract(epoch from at_time - began) / 86400)) as used
  ) d
$$;
comment on function private.unused_share(bigint, timestamptz, timestamptz, timestamptz) is
  'What of an amount is for days that were not used by then; a day counts as used once it is over.';
