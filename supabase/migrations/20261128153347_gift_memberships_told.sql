create or replace function public.billing_begin_gift (
  member         uuid,
  request        uuid,
  plan           text,
  months         integer,
  expected_pence integer,
  joining        uuid    default null::uuid
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.billing_begin_gift(member, request, plan, months, expected_pence, joining) $function$;

create or replace function public.billing_end_gift (
  purchase uuid,
  outcome  text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_end_gift(purchase, outcome) $function$;

create or replace function public.billing_open_gifts (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_open_gifts(member) $function$;

create or replace function public.billing_record_gift_payment (
  purchase       uuid,
  payment_intent text
)
  returns boolean
  language sql
  set search_path to ''
  AS $function$ select private.billing_record_gift_payment(purchase, payment_intent) $function$;

create or replace function public.billing_take_gifts()
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.billing_take_gifts() $function$;

create or replace function public.my_gifts()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.my_gifts() $function$;

create or replace function public.queue_gift_reminders()
  returns integer
  language sql
  set search_path to ''
  AS $function$ select private.queue_gift_reminders() $function$;

create or replace function public.redeem_gift (
  code text
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.redeem_gift(code) $function$;

comment on function "private"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) is
  'Opens an attempt at the price that the buyer saw and lists earlier ones to clean up; or why there is none.';

comment on function "private"."billing_end_gift"(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';

comment on function "private"."billing_open_gifts"(uuid) is 'Gifts of an account whose payment may still be made.';

comment on function "private"."billing_record_gift_payment"(uuid, text) is 'True when the attempt still counts and may confirm this payment.';

comment on function "private"."billing_take_gifts"() is 'Gifts to compare with the provider, the longest unchecked first.';

comment on function "private"."export_part_gifts"(uuid) is 'Gift memberships that one account bought and redeemed.';

comment on function "private"."gift_name"(private.gift_memberships) is 'What was bought, for receipts: Gift: Student Access, 3 months.';

comment on function "private"."gift_offers"() is 'What can be given: so many months of a plan, for as many times its monthly price in pence.';

comment on function "private"."my_gifts"() is 'Gifts on offer, and those the caller bought with their codes until they are used; never who used one.';

comment on function "private"."new_gift_code"() is 'Twenty random signs of five bits each, in groups of five.';

comment on function "private"."queue_gift_reminders"() is 'Queues an e-mail about each gift membership that ends within eight days, once for each; their number.';

comment on function "private"."redeem_gift"(text) is 'Gives the caller the months of a gift, once; says why not otherwise. FF300 after too many tries. Audited.';

comment on function "private"."settle_gift"(jsonb) is 'Follows a reading of the payment of a gift: paid, closed by a refund or dispute, or good again. Audited.';

comment on function "private"."vat_description"(jsonb) is 'What a payment bought, for its VAT invoice: a course, a gift or a plan.';

comment on function "public"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) is 'Server: open an attempt at buying a gift membership.';

comment on function "public"."billing_end_gift"(uuid, text) is 'Server: close an attempt at buying a gift.';

comment on function "public"."billing_open_gifts"(uuid) is 'Server: gifts whose payment is to be finished before the account is deleted.';

comment on function "public"."billing_record_gift_payment"(uuid, text) is 'Server: claim a payment for an attempt at a gift before confirming it.';

comment on function "public"."billing_take_gifts"() is 'Server: gifts to compare with the provider.';

comment on function "public"."my_gifts"() is 'What can be given, and the gifts that the caller bought.';

comment on function "public"."queue_gift_reminders"() is 'Server: queue e-mails about gift memberships that end soon.';

comment on function "public"."redeem_gift"(text) is 'Redeem a gift code: redeemed with its end, or unknown, used, closed, member or admin.';

revoke all on function "private"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) from public;

grant execute
  on function "private"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid)
  to "postgres", "service_role";

revoke all on function "private"."billing_end_gift"(uuid, text) from public;

grant execute on function "private"."billing_end_gift"(uuid, text) to "postgres", "service_role";

revoke all on function "private"."billing_open_gifts"(uuid) from public;

grant execute on function "private"."billing_open_gifts"(uuid) to "postgres", "service_role";

revoke all on function "private"."billing_record_gift_payment"(uuid, text) from public;

grant execute on function "private"."billing_record_gift_payment"(uuid, text) to "postgres", "service_role";

revoke all on function "private"."billing_take_gifts"() from public;

grant execute on function "private"."billing_take_gifts"() to "postgres", "service_role";

revoke all on function "private"."export_part_gifts"(uuid) from public;

grant execute on function "private"."export_part_gifts"(uuid) to "postgres";

revoke all on function "private"."gift_name"(private.gift_memberships) from public;

grant execute on function "private"."gift_name"(private.gift_memberships) to "postgres";

revoke all on function "private"."gift_offers"() from public;

grant execute on function "private"."gift_offers"() to "postgres";

revoke all on function "private"."my_gifts"() from public;

grant execute on function "private"."my_gifts"() to "authenticated", "postgres";

revoke all on function "private"."new_gift_code"() from public;

grant execute on function "private"."new_gift_code"() to "postgres";

revoke all on function "private"."queue_gift_reminders"() from public;

grant execute on function "private"."queue_gift_reminders"() to "postgres", "service_role";

revoke all on function "private"."redeem_gift"(text) from public;

grant execute on function "private"."redeem_gift"(text) to "authenticated", "postgres";

revoke all on function "private"."settle_gift"(jsonb) from public;

grant execute on function "private"."settle_gift"(jsonb) to "postgres";

revoke all on function "public"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) from public;

grant execute
  on function "public"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid)
  to "postgres", "service_role";

revoke all on function "public"."billing_end_gift"(uuid, text) from public;

grant execute on function "public"."billing_end_gift"(uuid, text) to "postgres", "service_role";

revoke all on function "public"."billing_open_gifts"(uuid) from public;

grant execute on function "public"."billing_open_gifts"(uuid) to "postgres", "service_role";

revoke all on function "public"."billing_record_gift_payment"(uuid, text) from public;

grant execute on function "public"."billing_record_gift_payment"(uuid, text) to "postgres", "service_role";

revoke all on function "public"."billing_take_gifts"() from public;

grant execute on function "public"."billing_take_gifts"() to "postgres", "service_role";

revoke all on function "public"."my_gifts"() from public;

grant execute on function "public"."my_gifts"() to "authenticated", "postgres";

revoke all on function "public"."queue_gift_reminders"() from public;

grant execute on function "public"."queue_gift_reminders"() to "postgres", "service_role";

revoke all on function "public"."redeem_gift"(text) from public;

grant execute on function "public"."redeem_gift"(text) to "authenticated", "postgres";

insert into private.rate_limits (action, max_count, period) values ('redeem_gift', 10, '1 hour');

insert into private.email_templates (name, kind) values ('gift_receipt', 'money'), ('gift_ending', 'money');

insert into private.email_texts (template, key, placeholders)
select t.template, k, t.placeholders from (values
  ('gift_receipt', '{closing,heading,opening,subject}'::text[], '{amount,gift,support}'::text[]),
  ('gift_ending', '{closing,heading,opening,subject}', '{plan,date}')
) t (template, keys, placeholders) cross join unnest(t.keys) k;
