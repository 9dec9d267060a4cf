alter table "public"."billing_rules"
  validate constraint "billing_rules_payment_grace_days_check";
