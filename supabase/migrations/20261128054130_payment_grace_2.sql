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
