create or replace function private.vat_description (
  snapshot jsonb
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(
    (select p.course_title from private.course_purchases p where p.payment_intent_id = snapshot ->> 'payment_intent_id'),
    private.plan_name(snapshot ->> 'upgraded_to'),
    -- The plan may be another one by the time at which the payment is read.
    private.plan_name(snapshot ->> 'price_id'),
    (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = snapshot ->> 'subscription_id' limit 1),
    (select private.plan_name(a.price_id) from private.billing_attempts a where a.subscription_id = snapshot ->> 'subscription_id'),
    'Membership'
  )
$function$;
