revoke all on function "public"."billing_begin_pause"(uuid, integer) from public;

grant execute on function "public"."billing_begin_pause"(uuid, integer) to "postgres", "service_role";

revoke all on function "public"."billing_note_resume"(uuid, integer, text) from public;

grant execute on function "public"."billing_note_resume"(uuid, integer, text) to "postgres", "service_role";

revoke all on function "public"."billing_open_pause"(text) from public;

grant execute on function "public"."billing_open_pause"(text) to "postgres", "service_role";

revoke all on function "public"."billing_pauses_due"() from public;

grant execute on function "public"."billing_pauses_due"() to "postgres", "service_role";

revoke all on function "public"."billing_settle_pause"(uuid, uuid, boolean, jsonb) from public;

grant execute on function "public"."billing_settle_pause"(uuid, uuid, boolean, jsonb) to "postgres", "service_role";

revoke all on function "public"."my_pause_offer"() from public;

grant execute on function "public"."my_pause_offer"() to "authenticated", "postgres";

revoke all on function "public"."queue_pause_reminders"() from public;

grant execute on function "public"."queue_pause_reminders"() to "postgres", "service_role";

revoke all on function "public"."set_pause_months"(integer) from public;

grant execute on function "public"."set_pause_months"(integer) to "authenticated", "postgres";

revoke all ("pause_months") on table "public"."billing_rules" from "anon";

grant select ("pause_months") on table "public"."billing_rules" to "anon";

revoke all ("pause_months") on table "public"."billing_rules" from "authenticated";

grant select ("pause_months") on table "public"."billing_rules" to "authenticated";

insert into private.email_templates (name, kind) values ('pause_begun', 'money'), ('pause_ending', 'money');

insert into private.email_texts (template, key, placeholders)
select t.template, k, t.placeholders from (values
  ('pause_begun', '{closing,heading,opening,subject}'::text[], '{plan,date}'::text[]),
  ('pause_ending', '{closing,heading,opening,subject}', '{plan,date}')
) t (template, keys, placeholders) cross join unnest(t.keys) k;
