alter table "public"."billing_rules"
  add column "pause_months" integer not null default 3;

create table "public"."membership_pauses" (
  "id"                uuid                     not null default gen_random_uuid(),
  "subscription_id"   text                     not null,
  "months"            integer,
  "requested_at"      timestamp with time zone not null default now(),
  "begins_at"         timestamp with time zone not null,
  "ends_at"           timestamp with time zone,
  "confirmed_at"      timestamp with time zone,
  "ended_at"          timestamp with time zone,
  "resume_tries"      integer                  not null default 0,
  "resume_invoice_id" text,
  "codes"             jsonb                    not null default '[]'::jsonb,
  constraint "membership_pauses_months_check" check (((months >= 1) AND (months <= 3))),
  constraint "membership_pauses_order_check" check ((ends_at > begins_at)),
  constraint "membership_pauses_pkey" primary key (id)
);

alter table "public"."membership_pauses"
  enable row level security;

alter table "public"."membership_pauses"
  add constraint "membership_pauses_subscription_id_fkey" foreign key (subscription_id)
    references public.stripe_subscriptions(subscription_id) on delete cascade;

create index membership_pauses_due_idx on public.membership_pauses using btree (ends_at)
  where (ended_at is null);

create unique index membership_pauses_one_open on public.membership_pauses using btree (subscription_id)
  where (ended_at is null);

create index membership_pauses_resume_invoice_id_idx on public.membership_pauses using btree (resume_invoice_id)
  where (resume_invoice_id is not null);

create index membership_pauses_subscription_id_idx on public.membership_pauses using btree (subscription_id);

create policy "select_own" on "public"."membership_pauses"
  for select
  to "authenticated"
  using ((subscription_id in ( select s.subscription_id
   from (public.stripe_subscriptions s
     JOIN public.stripe_customers c on ((c.customer_id = s.customer_id)))
  where (c.user_id = ( select auth.uid() as uid)))));

comment on column "public"."membership_pauses"."begins_at" is 'The end of the period that was paid for.';

comment on column "public"."membership_pauses"."codes" is 'Discounts that would have ended meanwhile: the coupon, and the months of it that are left.';

comment on column "public"."membership_pauses"."confirmed_at" is 'When the card provider was read as paused; null until then.';

comment on column "public"."membership_pauses"."ended_at" is 'When it was read as collecting again, or ended; null while it is planned or runs.';

comment on column "public"."membership_pauses"."ends_at" is 'When the reconciliation takes the membership up again; null for one that the card provider ends, or nobody.';

comment on column "public"."membership_pauses"."months" is 'As asked for here; null for a pause that was made at the card provider.';

comment on column "public"."membership_pauses"."resume_invoice_id" is 'The invoice that taking it up again made.';

comment on column "public"."membership_pauses"."resume_tries" is 'Part of the key of the request that takes it up again: a request that failed at the provider is never repeated under its key.';

comment on table "public"."membership_pauses" is 'Pauses of memberships, past ones too. Whether one gives no access now is the hold of its subscription.';

grant select ("begins_at") on table "public"."membership_pauses" to "authenticated";

grant select ("ended_at") on table "public"."membership_pauses" to "authenticated";

grant select ("ends_at") on table "public"."membership_pauses" to "authenticated";

grant select ("id") on table "public"."membership_pauses" to "authenticated";

grant select ("subscription_id") on table "public"."membership_pauses" to "authenticated";

grant delete, insert, select, update on table "public"."membership_pauses" to "service_role";

create or replace function private.is_debt (
  invoice text,
  reason  text
)
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  -- A first payment or a switch that was refused is no debt: nothing came of it. What ends a pause is made like a switch.
  select coalesce(reason not in ('subscription_create', 'subscription_update'), true)
    or exists (select from public.membership_pauses p where p.resume_invoice_id = invoice)
$function$;

create or replace view "private"."membership_statuses" with (security_invoker=true) AS  SELECT user_id,
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
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.hold = 'paused'::text)))) THEN 'paused'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (s.status <> ALL (ARRAY['not_started'::text, 'incomplete'::text, 'incomplete_expired'::text])) AND ((s.price_id IS NULL) OR (EXISTS ( SELECT
                       FROM private.plan_prices o
                      WHERE (o.price_id = s.price_id))))))) THEN 'lapsed'::text
            ELSE 'never_paid'::text
        END AS status
   FROM private.member_search_index d;

create or replace view "private"."failed_payments" with (security_invoker=true) AS  SELECT i.invoice_id,
    i.number,
    i.amount_due_pence AS amount_pence,
    i.currency,
    i.attempt_count AS attempts,
    i.next_attempt_at,
    r.code AS failure_code,
    i.issued_at,
    i.subscription_id,
    s.price_id,
    s.status AS membership,
    s.payment_method_last4 AS card_last4,
    k.user_id,
    (u.email)::text AS email,
    p.first_name,
    p.last_name
   FROM (((((public.invoices i
     JOIN public.stripe_customers k ON (((k.customer_id = i.customer_id) AND (k.deleted_at IS NULL))))
     JOIN public.stripe_subscriptions s ON (((s.subscription_id = i.subscription_id) AND (s.deleted_at IS NULL))))
     JOIN auth.users u ON ((u.id = k.user_id)))
     LEFT JOIN public.profiles p ON ((p.id = k.user_id)))
     LEFT JOIN private.invoice_failures r ON ((r.invoice_id = i.invoice_id)))
  WHERE ((i.status = 'open'::text) AND (i.attempt_count > 0) AND (s.status = ANY (ARRAY['past_due'::text, 'unpaid'::text])) AND private.is_debt(i.invoice_id, i.reason));

create or replace function private.max_paused_months()
  returns integer
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce((select b.pause_months from public.billing_rules b), 3)
$function$;

create or replace function private.paused_months (
  member uuid
)
  returns integer
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(sum(case
    when p.ended_at is null then coalesce(p.months, 0)
    -- A month that was begun counts; one that was called off in time does not.
    else least(coalesce(p.months, 3), greatest(0, ceil(extract(epoch from p.ended_at - p.begins_at) / (30.44 * 86400))))
  end), 0)::integer
  from public.membership_pauses p
  join public.stripe_subscriptions s on s.subscription_id = p.subscription_id
  join public.stripe_customers c on c.customer_id = s.customer_id
  where c.user_id = member and coalesce(p.ended_at, p.ends_at, now()) > now() - interval '1 year'
$function$;

create or replace function private.current_subscription (
  member uuid
)
  returns public.stripe_subscriptions
  language sql
  stable
  set search_path to ''
  AS $function$
  select s from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
  where c.user_id = member and c.deleted_at is null and s.deleted_at is null
$function$;

create or replace function private.pause_refusal (
  member uuid,
  s      public.stripe_subscriptions
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select case
    when s.subscription_id is null or s.status not in ('active', 'trialing', 'past_due', 'paused')
      or not exists (select from private.plan_prices o where o.price_id = s.price_id) then 'not_found'
    when exists (select from public.membership_pauses p where p.subscription_id = s.subscription_id and p.ended_at is null) then 'paused'
    when s.hold is not null or exists (
      select from private.billing_charges c where c.customer_id = s.customer_id and c.dispute = 'open' and not c.is_refunded
    ) then 'on_hold'
    when s.status = 'trialing' then 'trial'
    when s.status <> 'active' then 'overdue'
    when s.cancel_at_period_end then 'ending'
    when s.pending_price_id is not null then 'change_planned'
    when private.paused_months(member) >= private.max_paused_months() then 'used_up'
  end
$function$;

create or replace function private.pause_has_begun (
  snapshot jsonb,
  item     jsonb
)
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce((snapshot ->> 'is_paused')::boolean, false) and snapshot ->> 'status' = 'active' and exists (
    select from public.membership_pauses p
    where p.subscription_id = snapshot ->> 'subscription_id' and p.ended_at is null
      and to_timestamp((item ->> 'current_period_start')::bigint) >= p.begins_at
  )
$function$;

create or replace function private.note_pause (
  member   uuid,
  snapshot jsonb,
  item     jsonb
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  subscription constant text := snapshot ->> 'subscription_id';
  is_paused constant boolean := coalesce((snapshot ->> 'is_paused')::boolean, false)
    and snapshot ->> 'status' not in ('canceled', 'incomplete_expired');
  ended public.membership_pauses;
begin
  if not is_paused then
    update public.membership_pauses p set ended_at = now()
    -- One that is being asked for is not read as paused yet.
    where p.subscription_id = subscription and p.ended_at is null and p.confirmed_at is not null
    returning p.* into ended;
    if found then
      perform private.audit(null, 'membership.pause_ended', member, jsonb_build_object('subscription_id', subscription, 'begins_at', ended.begins_at));
    end if;
    return;
  end if;
  if item ->> 'current_period_end' is null then
    return;
  end if;
  insert into public.membership_pauses as p (subscription_id, begins_at, confirmed_at)
  values (subscription, to_timestamp((item ->> 'current_period_end')::bigint), now())
  on conflict (subscription_id) where ended_at is null do update set confirmed_at = coalesce(p.confirmed_at, now());
end
$function$;
