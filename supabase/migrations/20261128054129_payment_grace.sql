drop view "private"."effective_levels";

drop view "private"."membership_statuses";

drop view "private"."live_memberships";

create table "public"."grace_periods" (
  "subscription_id" text                     not null,
  "ends_at"         timestamp with time zone not null,
  constraint "grace_periods_pkey" primary key (subscription_id)
);

alter table "public"."grace_periods"
  enable row level security;

alter table "public"."billing_rules"
  add column "payment_grace_days" integer not null default 0;

create or replace function private.admin_send_payment_link (
  invoice text
)
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  owed record;
  is_queued boolean;
begin
  select o.* into owed from private.require_failed_payment(invoice) o;
  if owed.membership <> 'past_due' then
    perform private.fail('FF279', 'A new card doesn''t bring this membership back. The member has to choose a plan again.');
  end if;
  is_queued := private.enqueue_email(
    owed.user_id, 'payment_failed', concat_ws(':', 'payment_link', invoice, (now() at time zone 'UTC')::date),
    jsonb_build_object(
      'plan', private.plan_name(owed.price_id), 'subscription_id', owed.subscription_id, 'card_last4', owed.card_last4
    )
  );
  if is_queued then
    perform private.audit(admin, 'payment.link_sent', owed.user_id, jsonb_build_object('invoice', invoice));
  end if;
  return is_queued;
end
$function$;

create or replace function private.claim_email (
  lease interval default '00:05:00'::interval
)
  returns table (
    id         uuid,
    claim      uuid,
    message_id text,
    address    text,
    first_name text,
    template   text,
    data       jsonb,
    texts      jsonb,
    user_id    uuid,
    kind       text
  )
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  taken private.email_outbox;
  refusal text;
begin
  if exists (select from private.email_pauses) then
    return;
  end if;
  loop
    select o.* into taken from private.email_outbox o
    where o.status = 'pending' and o.next_attempt_at <= clock_timestamp()
    order by o.next_attempt_at, o.id limit 1 for update skip locked;
    if not found then
      return;
    end if;
    refusal := private.email_refusal(taken);
    exit when refusal is null and taken.attempts < private.max_email_attempts();
    update private.email_outbox o set
      status = case when refusal is null then 'failed' else 'skipped' end,
      last_error = coalesce(refusal, o.last_error, 'no sender reported a result')
    where o.id = taken.id;
  end loop;
  update private.email_outbox o
  set attempts = o.attempts + 1, claim = gen_random_uuid(), next_attempt_at = clock_timestamp() + lease
  where o.id = taken.id returning o.* into taken;
  return query
    select taken.id, taken.claim, left(encode(sha256(convert_to(taken.cause_key, 'UTF8')), 'hex'), 32), u.email::text,
      p.first_name, taken.template,
      case taken.template
        when 'digest' then private.digest_content(taken)
        when 'payment_failed' then taken.data || private.failed_payment_facts(taken.data ->> 'subscription_id')
        else taken.data
      end,
      private.changed_email_texts(taken.template), taken.user_id, t.kind
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join private.email_templates t on t.name = taken.template
    where u.id = taken.user_id;
end
$function$;

create or replace function private.export_part_billing (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  with customers as (
    select c.customer_id from public.stripe_customers c where c.user_id = member
  )
  select jsonb_build_object(
    'billing_attempts', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.created_at) from private.billing_attempts a where a.user_id = member
    ), '[]'),
    'billing_charges', coalesce((
      select jsonb_agg(to_jsonb(g) order by g.charge_id) from private.billing_charges g
      join customers c using (customer_id)
    ), '[]'),
    'billing_checks', coalesce((
      select jsonb_agg(to_jsonb(k)) from private.billing_checks k join customers c using (customer_id)
    ), '[]'),
    'grace_periods', coalesce((
      select jsonb_agg(to_jsonb(g) order by g.subscription_id) from public.grace_periods g
      join public.stripe_subscriptions s using (subscription_id) join customers c on c.customer_id = s.customer_id
    ), '[]'),
    'payment_records', coalesce((
      select jsonb_agg(to_jsonb(p) order by p.id) from private.payment_records p join customers c using (customer_id)
    ), '[]')
  )
$function$;

create or replace function private.failed_payment_facts (
  subscription text
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return (select jsonb_strip_nulls(jsonb_build_object(
    'amount', i.amount_due_pence, 'currency', i.currency, 'attempts', i.attempt_count, 'next_attempt_at', i.next_attempt_at,
    'access_until', (select g.ends_at from private.graced_memberships g where g.subscription_id = failed_payment_facts.subscription)
  ))
  from (select) one
  left join lateral (
    select f.* from public.invoices f
    where f.subscription_id = failed_payment_facts.subscription and f.status = 'open' and f.attempt_count > 0
      and coalesce(f.reason not in ('subscription_create', 'subscription_update'), true)
    order by f.issued_at desc, f.invoice_id limit 1
  ) i on true);
end
$function$;

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
  before jsonb := (select to_jsonb(b) - '{id,payment_grace_days}'::text[] from public.billing_rules b);
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
    (select to_jsonb(b) - '{id,payment_grace_days}'::text[] from public.billing_rules b)
  );
end
$function$;

create or replace function private.set_payment_grace (
  days integer
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.tg_invoices__email()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.enqueue_email(
    c.user_id, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.invoice_id, new.attempt_count),
    jsonb_build_object('plan', private.plan_name(s.price_id), 'subscription_id', new.subscription_id, 'card_last4', s.payment_method_last4)
  )
  from public.stripe_customers c
  join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.subscription_id = new.subscription_id
  where c.customer_id = new.customer_id and c.user_id is not null and s.deleted_at is null
    and private.plan_name(s.price_id) is not null;
  return null;
end
$function$;

create or replace function private.tg_stripe_subscriptions__grace()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  if new.status <> 'past_due' then
    delete from public.grace_periods g where g.subscription_id = new.subscription_id;
  elsif tg_op = 'INSERT' or old.status <> 'past_due' then
    insert into public.grace_periods as g (subscription_id, ends_at)
    select new.subscription_id, d.began + make_interval(days => b.payment_grace_days)
    from public.billing_rules b,
      -- One that is met past due has been so since its period began.
      (select case when tg_op = 'INSERT' then least(now(), to_timestamp(new.current_period_start)) else now() end as began) d
    where b.payment_grace_days > 0 and new.subscription_id is not null
    on conflict on constraint grace_periods_pkey do update set ends_at = excluded.ends_at;
  end if;
  return null;
end
$function$;

alter table "public"."grace_periods"
  add constraint "grace_periods_subscription_id_fkey" foreign key (subscription_id)
    references public.stripe_subscriptions(subscription_id) on delete cascade;
