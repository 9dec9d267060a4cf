set local check_function_bodies = off;

create or replace function private.tg_payment_records__email()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  bought constant private.course_purchases := (
    select p from private.billing_charges c join private.course_purchases p on p.payment_intent_id = c.payment_intent_id
    where c.charge_id = new.charge_id
  );
  told constant text := case
    when new.kind = 'payment' and new.status = 'succeeded' and new.amount > 0 then 'receipt'
    when new.kind = 'refund' and new.status = 'succeeded' then 'payment_refunded'
    when new.kind = 'dispute' and new.status = 'won' then 'dispute_won'
    when new.kind = 'dispute' and new.status not in ('lost', 'prevented') and new.status not like 'warning%' then 'payment_disputed'
  end;
  template constant text := case when bought.id is null then told else case told
    when 'receipt' then 'course_receipt' when 'payment_refunded' then 'course_refunded'
    when 'payment_disputed' then 'course_disputed' when 'dispute_won' then 'course_dispute_won'
  end end;
  facts constant jsonb := jsonb_build_object(
    'amount', new.amount, 'currency', new.currency, 'happened_at', new.happened_at, 'number', new.charge_id
  ) || jsonb_strip_nulls(jsonb_build_object(
    'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = new.subscription_id),
    'course', bought.course_title, 'purchase_id', bought.id,
    'invoice_id', (select c.invoice_id from private.billing_charges c where c.charge_id = new.charge_id),
    -- The first payment confirms the contract, so that its e-mail names the terms and how to withdraw.
    'terms_version', case when told = 'receipt' and not exists (
      select from private.payment_records r
      where r.subscription_id = new.subscription_id and r.kind = 'payment' and r.status = 'succeeded' and r.amount > 0 and r.id <> new.id
    ) then coalesce(
      (select max(t.version) from private.terms_acceptances t where t.user_id = member and bought.id is null),
      (select max(t.version) from public.legal_texts t where t.kind = 'terms')
    ) end
  ));
begin
  if member is not null and template is not null then
    perform private.enqueue_email(member, template, template || ':' || new.provider_id, facts);
  end if;
  if new.kind = 'dispute' and new.status <> 'prevented' and new.status not like 'warning%' then
    perform private.enqueue_email(
      p.id, 'dispute_opened', concat_ws(':', 'dispute_opened', new.provider_id, p.id),
      facts || jsonb_build_object('reason', new.reason, 'dispute', new.provider_id)
    )
    from public.profiles p where p.role = 'admin';
  end if;
  return null;
end
$function$;

create or replace function private.unused_share (
  amount bigint,
  began  timestamp with time zone,
  ends   timestamp with time zone
)
  returns bigint
  language sql
  stable
  set search_path to ''
  AS $function$
  select amount - round(amount::numeric * least(d.used, d.days) / d.days)::bigint
  from (
    select greatest(1, round(extract(epoch from ends - began) / 86400)) as days,
      greatest(0, floor(extract(epoch from now() - began) / 86400)) as used
  ) d
$function$;

create or replace function private.withdrawal_payments (
  subscription text
)
  returns table (
    charge_id text,
    amount    bigint,
    currency  text
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select c.charge_id, least(l.amount, case when exists (select from public.billing_rules b where b.withdrawal_refund = 'proportion')
    then private.unused_share(
      c.amount, coalesce(to_timestamp(c.period_start), l.paid_at), to_timestamp(coalesce(c.period_end, s.current_period_end))
    ) else l.amount end), l.currency
  from private.billing_charges c
  cross join lateral private.left_to_refund(c.charge_id) l
  left join public.stripe_subscriptions s on s.subscription_id = c.subscription_id and s.deleted_at is null
  where c.subscription_id = subscription
$function$;

create or replace function private.withdrawal_right (
  member uuid
)
  returns table (
    subscription_id text,
    ends_at         timestamp with time zone,
    amount_pence    bigint,
    currency        text
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select s.subscription_id, w.ends_at, o.amount, o.currency
  from public.stripe_customers k
  join public.stripe_subscriptions s on s.customer_id = k.customer_id and s.deleted_at is null
  cross join lateral (
    select min(p.happened_at) as began_at from private.payment_records p
    where p.subscription_id = s.subscription_id and p.kind = 'payment' and p.status = 'succeeded' and p.amount > 0
  ) first
  cross join lateral (select private.end_of_withdrawal(first.began_at) as ends_at) w
  cross join lateral (
    select sum(l.amount)::bigint as amount, min(l.currency) as currency from private.withdrawal_payments(s.subscription_id) l
  ) o
  where k.user_id = member and k.deleted_at is null and s.hold is null and s.status in ('active', 'past_due')
    and w.ends_at > now() and o.amount > 0
    -- Joining and withdrawing in turn would be a membership for nothing: a second time within a year is for staff.
    and not exists (
      select from private.withdrawals earlier
      where earlier.user_id = member and earlier.subscription_id is not null and earlier.requested_at > now() - interval '1 year'
    )
$function$;

create or replace function public.billing_begin_withdrawal (
  member   uuid,
  purchase uuid default null::uuid
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.billing_begin_withdrawal(member, purchase) $function$;

create or replace function public.billing_end_withdrawal (
  member   uuid,
  purchase uuid default null::uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_end_withdrawal(member, purchase) $function$;

create or replace function public.billing_open_withdrawals()
  returns table (
    member   uuid,
    purchase uuid
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.billing_open_withdrawals() $function$;

create or replace function public.queue_renewal_reminders()
  returns integer
  language sql
  set search_path to ''
  AS $function$ select private.queue_renewal_reminders() $function$;

create or replace function public.set_billing_rules (
  withdrawal_refund     text,
  renewal_reminder_days integer
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.set_billing_rules(withdrawal_refund, renewal_reminder_days) $function$;

alter table "private"."withdrawals"
  add constraint "withdrawals_purchase_id_fkey" foreign key (purchase_id) references private.course_purchases(id)
    on delete cascade not valid;

-- The table holds few rows.
alter table "private"."withdrawals"
  -- squawk-ignore constraint-missing-not-valid, disallowed-unique-constraint
  add constraint "withdrawals_purchase_id_key" unique (purchase_id);

alter table "private"."withdrawals"
  add constraint "withdrawals_subject_check" check ((num_nonnulls(subscription_id, purchase_id) = 1)) not valid;

create policy "select_everyone" on "public"."billing_rules"
  for select
  to "anon", "authenticated"
  using (true);

comment on column "public"."billing_rules"."id" is 'Always true, so that there is one row.';

comment on column "public"."billing_rules"."renewal_reminder_days" is 'Days before a renewal; 0 is no e-mail.';

comment on column "public"."billing_rules"."withdrawal_refund" is 'proportion: less the days that were used of a membership, which its member asked for at once.';

comment on function "private"."billing_begin_withdrawal"(uuid, uuid) is 'Records the withdrawal of an account, its refunds and its e-mail, or goes on with the one that is not settled; null without a right to. Audited.';

comment on function "private"."billing_end_withdrawal"(uuid, uuid) is 'Everything of the account''s withdrawal is refunded and ended.';

comment on function "private"."billing_open_withdrawals"() is 'Withdrawals that no call is at work on and that are not settled, with the course; a hundred of the oldest.';

comment on function "private"."course_withdrawal_right"(uuid) is 'Courses the account bought and can give back now, until when, and what comes back. Whether they were begun does not matter.';

comment on function "private"."end_of_withdrawal"(timestamp with time zone) is 'Until when a contract that began at this moment can be withdrawn from.';

comment on function "private"."left_to_refund"(text) is 'What of a payment was neither refunded nor asked back, in pence; no row when nothing is left or the bank decides.';

comment on function "private"."queue_renewal_reminders"() is 'Queues an e-mail about each membership that renews within the days of the rule, once for each period; their number.';

comment on function "private"."set_billing_rules"(text, integer) is 'Changes the rules of withdrawals and reminders; FF276 for a value there is not. Audited.';

comment on function "private"."unused_share"(bigint, timestamp with time zone, timestamp
  with time zone) is 'What of an amount is for days that were not used yet; a day counts as used once it is over.';

comment on function "private"."withdrawal_payments"(text) is 'What comes back of each payment of a subscription, in pence: what is left of it, or less the days used where the rule says so.';

comment on function "public"."billing_begin_withdrawal"(uuid, uuid) is 'Server: begin or go on with a withdrawal from the membership, or from a course that was bought.';

comment on function "public"."billing_end_withdrawal"(uuid, uuid) is 'Server: a withdrawal is settled.';

comment on function "public"."billing_open_withdrawals"() is 'Server: withdrawals to go on with.';

comment on function "public"."queue_renewal_reminders"() is 'Server: queue e-mails about renewals to come.';

comment on function "public"."set_billing_rules"(text, integer) is 'Administrators: decide what comes back after a withdrawal, and when members are told of a renewal.';

comment on table "private"."withdrawals" is 'Memberships and bought courses that were withdrawn from within 14 days. The refunds are in refund_requests.';

comment on table "public"."billing_rules" is 'What comes back after a withdrawal, and when members are told of a renewal: one row, or none for the defaults.';

revoke all on function "private"."billing_begin_withdrawal"(uuid, uuid) from public;

grant execute on function "private"."billing_begin_withdrawal"(uuid, uuid) to "postgres", "service_role";

revoke all on function "private"."billing_end_withdrawal"(uuid, uuid) from public;

grant execute on function "private"."billing_end_withdrawal"(uuid, uuid) to "postgres", "service_role";

revoke all on function "private"."billing_open_withdrawals"() from public;

grant execute on function "private"."billing_open_withdrawals"() to "postgres", "service_role";

revoke all on function "private"."course_withdrawal_right"(uuid) from public;

grant execute on function "private"."course_withdrawal_right"(uuid) to "postgres";

revoke all on function "private"."end_of_withdrawal"(timestamp with time zone) from public;

grant execute on function "private"."end_of_withdrawal"(timestamp with time zone) to "postgres";

revoke all on function "private"."left_to_refund"(text) from public;

grant execute on function "private"."left_to_refund"(text) to "postgres";

revoke all on function "private"."queue_renewal_reminders"() from public;

grant execute on function "private"."queue_renewal_reminders"() to "postgres", "service_role";

revoke all on function "private"."set_billing_rules"(text, integer) from public;

grant execute on function "private"."set_billing_rules"(text, integer) to "authenticated", "postgres";

revoke all on function "private"."unused_share"(bigint, timestamp with time zone, timestamp with time zone) from public;

grant execute
  on function "private"."unused_share"(bigint, timestamp with time zone, timestamp with time zone)
  to "postgres";

revoke all on function "public"."billing_begin_withdrawal"(uuid, uuid) from public;

grant execute on function "public"."billing_begin_withdrawal"(uuid, uuid) to "postgres", "service_role";

revoke all on function "public"."billing_end_withdrawal"(uuid, uuid) from public;

grant execute on function "public"."billing_end_withdrawal"(uuid, uuid) to "postgres", "service_role";

revoke all on function "public"."billing_open_withdrawals"() from public;

grant execute on function "public"."billing_open_withdrawals"() to "postgres", "service_role";

revoke all on function "public"."queue_renewal_reminders"() from public;

grant execute on function "public"."queue_renewal_reminders"() to "postgres", "service_role";

revoke all on function "public"."set_billing_rules"(text, integer) from public;

grant execute on function "public"."set_billing_rules"(text, integer) to "authenticated", "postgres";

grant select ("renewal_reminder_days") on table "public"."billing_rules" to "anon";
