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

create or replace function public.set_payment_grace (
  days integer
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.set_payment_grace(days) $function$;

alter table "public"."billing_rules"
  add constraint "billing_rules_payment_grace_days_check"
    check (((payment_grace_days >= 0) AND (payment_grace_days <= 30))) not valid;

alter table "public"."grace_periods"
  add constraint "grace_periods_subscription_id_fkey" foreign key (subscription_id)
    references public.stripe_subscriptions(subscription_id) on delete cascade;

create view "private"."graced_memberships" with (security_invoker=true) AS  SELECT c.user_id,
    s.price_id,
    s.subscription_id,
    g.ends_at
   FROM ((public.grace_periods g
     JOIN public.stripe_subscriptions s ON ((s.subscription_id = g.subscription_id)))
     JOIN public.stripe_customers c ON ((c.customer_id = s.customer_id)))
  WHERE ((g.ends_at > now()) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = 'past_due'::text) AND (EXISTS ( SELECT
           FROM private.plan_prices o
          WHERE (o.price_id = s.price_id))));

create view "private"."live_memberships" with (security_invoker=true) AS  SELECT c.user_id,
    s.price_id
   FROM (public.stripe_customers c
     JOIN public.stripe_subscriptions s ON ((s.customer_id = c.customer_id)))
  WHERE ((c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = ANY (ARRAY['active'::text, 'trialing'::text])) AND (EXISTS ( SELECT
           FROM private.plan_prices o
          WHERE (o.price_id = s.price_id))))
UNION ALL
 SELECT m.user_id,
    m.price_id
   FROM private.current_complimentary_memberships m
UNION ALL
 SELECT m.user_id,
    m.price_id
   FROM private.graced_memberships m;

create view "private"."effective_levels" with (security_invoker=true) AS  SELECT id AS user_id,
        CASE
            WHEN (role = 'admin'::text) THEN
            CASE
                WHEN private.is_verified_admin(id) THEN 4
                ELSE 0
            END
            WHEN (onboarding_complete AND (EXISTS ( SELECT
               FROM private.live_memberships m
              WHERE (m.user_id = p.id)))) THEN COALESCE(( SELECT l.current_level
               FROM public.user_levels l
              WHERE (l.user_id = p.id)), 1)
            ELSE 0
        END AS level
   FROM public.profiles p;

create view "private"."membership_statuses" with (security_invoker=true) AS  SELECT user_id,
        CASE
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = ANY (ARRAY['active'::text, 'trialing'::text]))))) THEN 'paying'::text
            WHEN (EXISTS ( SELECT
               FROM private.current_complimentary_memberships m
              WHERE (m.user_id = d.user_id))) THEN 'complimentary'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = 'past_due'::text)))) THEN 'past_due'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (s.status <> ALL (ARRAY['not_started'::text, 'incomplete'::text, 'incomplete_expired'::text])) AND ((s.price_id IS NULL) OR (EXISTS ( SELECT
                       FROM private.plan_prices o
                      WHERE (o.price_id = s.price_id))))))) THEN 'lapsed'::text
            ELSE 'never_paid'::text
        END AS status
   FROM private.member_search_index d;

create trigger invoices__email
  after insert or update of attempt_count, next_attempt_at, status on public.invoices
  for each row
  when
    (((new.status = 'open'::text) AND ((new.attempt_count = 3) OR ((new.attempt_count > 1) AND (new.next_attempt_at IS
    NULL))) AND COALESCE((new.reason <> ALL (ARRAY['subscription_create'::text, 'subscription_update'::text])), true)))
  execute function private.tg_invoices__email();

create trigger stripe_subscriptions__grace
  after insert or update of status on public.stripe_subscriptions
  for each row
  execute function private.tg_stripe_subscriptions__grace();

create policy "select_own" on "public"."grace_periods"
  for select
  to "authenticated"
  using ((subscription_id in ( select s.subscription_id
   from (public.stripe_subscriptions s
     JOIN public.stripe_customers c on ((c.customer_id = s.customer_id)))
  where (c.user_id = ( select auth.uid() as uid)))));

comment on column "public"."billing_rules"."payment_grace_days" is 'Days of access after a renewal''s payment failed; 0 is none.';

comment on function "private"."failed_payment_facts"(text) is 'What the e-mail about a failed payment says of now: amount, tries, the next one, and until when there is access.';

comment on function "private"."has_live_membership"(uuid) is 'True while a subscription of the account is active, trialing or past due within its grace, or a complimentary membership runs.';

comment on function "private"."set_payment_grace"(integer) is 'Changes the days of access after a failed payment; FF276 for a value there is not. Audited.';

comment on function "public"."set_payment_grace"(integer) is 'Administrators: decide how many days of access follow a renewal''s failed payment; it holds for payments that fail from now on.';

comment on table "public"."billing_rules" is 'What comes back after a withdrawal, when members are told of a renewal, and how long a failed payment leaves access: one row, or none for the defaults.';

comment on table "public"."grace_periods" is 'Access that past due memberships keep for some days; no rows unless the owner''s rule says so.';

comment on view "private"."effective_levels" is 'Level each account may use now: 0 without onboarding or live membership, 4 for administrators with a second factor.';

comment on view "private"."graced_memberships" is 'Past due memberships that give access for some days more.';

comment on view "private"."live_memberships" is 'Subscriptions that are active or trialing, or past due within their grace, and complimentary memberships, by account and price.';

comment on view "private"."membership_statuses" is 'paying (active or trialing), complimentary, past_due, lapsed (paid once, not now) or never_paid, for every account.';

revoke all on function "private"."failed_payment_facts"(text) from public;

grant execute on function "private"."failed_payment_facts"(text) to "postgres";

revoke all on function "private"."set_payment_grace"(integer) from public;

grant execute on function "private"."set_payment_grace"(integer) to "authenticated", "postgres";

revoke all on function "private"."tg_invoices__email"() from public;

grant execute on function "private"."tg_invoices__email"() to "postgres";

revoke all on function "private"."tg_stripe_subscriptions__grace"() from public;

grant execute on function "private"."tg_stripe_subscriptions__grace"() to "postgres";

revoke all on function "public"."set_payment_grace"(integer) from public;

grant execute on function "public"."set_payment_grace"(integer) to "authenticated", "postgres";

revoke all ("payment_grace_days") on table "public"."billing_rules" from "anon";

grant select ("payment_grace_days") on table "public"."billing_rules" to "anon";

revoke all ("payment_grace_days") on table "public"."billing_rules" from "authenticated";

grant select ("payment_grace_days") on table "public"."billing_rules" to "authenticated";

grant select ("ends_at") on table "public"."grace_periods" to "authenticated";

grant select ("subscription_id") on table "public"."grace_periods" to "authenticated";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "public"."grace_periods"
  to "postgres";

grant delete, insert, select, update on table "public"."grace_periods" to "service_role";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."effective_levels"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."graced_memberships"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."live_memberships"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."membership_statuses"
  to "postgres";
