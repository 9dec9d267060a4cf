alter table "public"."billing_rules"
  validate constraint "billing_rules_pause_months_check";

alter table "public"."stripe_subscriptions"
  validate constraint "stripe_subscriptions_hold_check";
