set local check_function_bodies = off;

grant select ("withdrawal_refund") on table "public"."billing_rules" to "anon";

grant select ("renewal_reminder_days") on table "public"."billing_rules" to "authenticated";

grant select ("withdrawal_refund") on table "public"."billing_rules" to "authenticated";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "public"."billing_rules"
  to "postgres";

grant delete, insert, select, update on table "public"."billing_rules" to "service_role";

insert into private.email_templates (name, kind) values ('renewal_coming', 'money');

insert into private.email_texts (template, key, placeholders)
select 'renewal_coming', k, array['plan', 'date'] from unnest(array['closing', 'heading', 'opening', 'subject']) k;
