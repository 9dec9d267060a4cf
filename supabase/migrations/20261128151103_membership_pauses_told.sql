create or replace function private.tg_stripe_subscriptions__email()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  plan constant text := private.plan_name(new.price_id);
  was_live constant boolean := tg_op = 'UPDATE' and old.status in ('active', 'trialing');
  is_live constant boolean := new.status in ('active', 'trialing');
  ends_at constant timestamptz := to_timestamp(new.current_period_end);
  -- Seconds since the epoch; null while it runs at the provider.
  ended constant bigint := (select r.ended_at_provider from private.billing_sync_versions r where r.subscription_id = new.subscription_id);
  -- Judged by when it ended, because another reading may have written the end first. One that ended long ago is not told.
  has_ended constant boolean := new.status = 'canceled' and (
    coalesce(to_timestamp(ended) > now() - interval '30 days', new.hold is not null)
    or tg_op = 'UPDATE' and old.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
  );
  -- The reading that changed the row. Two changes of the same kind are two causes, such as cancelling again.
  reading constant text := coalesce(
    (select r.ticket::text from private.billing_sync_versions r where r.subscription_id = new.subscription_id), pg_current_xact_id()::text
  );
begin
  if plan is null or member is null then
    return null;
  end if;
  if is_live and not was_live then
    perform private.enqueue_email(member, 'welcome', 'welcome:' || member, jsonb_build_object('plan', plan));
  end if;
  -- A subscription that gave way to another one, which ran when it ended, has not ended the membership.
  if has_ended and not exists (
    select from public.stripe_subscriptions s
    join private.plan_prices o on o.price_id = s.price_id
    left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
    where s.customer_id = new.customer_id and s.id <> new.id and case
      when ended is null or r.created_at_provider is null then s.status in ('active', 'trialing')
      else s.status not in ('incomplete', 'incomplete_expired')
        and r.created_at_provider < ended and coalesce(r.ended_at_provider > ended, true)
    end
  ) then
    perform private.enqueue_email(
      member, 'membership_ended', 'membership_ended:' || new.subscription_id, jsonb_build_object(
        'plan', plan,
        'why', coalesce(new.hold, case when tg_op = 'UPDATE' and old.status in ('past_due', 'unpaid') then 'unpaid' end)
      )
    );
  end if;
  if tg_op = 'INSERT' then
    return null;
  end if;
  if new.hold = 'paused' and was_live then
    perform private.enqueue_email(
      member, 'pause_begun', 'pause_begun:' || p.id, jsonb_strip_nulls(jsonb_build_object('plan', plan, 'ends_at', p.ends_at))
    )
    from public.membership_pauses p where p.subscription_id = new.subscription_id and p.ended_at is null;
  end if;
  -- Also the payment with which a pause was to end.
  if new.status = 'past_due' and (was_live or old.hold = 'paused') then
    perform private.enqueue_email(
      member, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.current_period_start),
      jsonb_build_object('plan', plan, 'subscription_id', new.subscription_id, 'card_last4', new.payment_method_last4)
    );
  end if;
  if is_live and new.cancel_at_period_end and not old.cancel_at_period_end then
    perform private.enqueue_email(
      member, 'membership_cancelled', concat_ws(':', 'membership_cancelled', new.subscription_id, reading),
      jsonb_build_object('plan', plan, 'ends_at', ends_at)
    );
  end if;
  if was_live and is_live and private.plan_name_beside(old.price_id, new.price_id) <> private.plan_name_beside(new.price_id, old.price_id) then
    perform private.enqueue_email(
      member, 'plan_changed', concat_ws(':', 'plan_changed', new.subscription_id, reading), jsonb_build_object(
        'from', private.plan_name_beside(old.price_id, new.price_id), 'plan', private.plan_name_beside(new.price_id, old.price_id),
        'renews_at', ends_at
      )
    );
  end if;
  return null;
end
$function$;

create or replace function public.billing_begin_pause (
  member uuid,
  months integer
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.billing_begin_pause(member, months) $function$;

create or replace function public.billing_note_resume (
  pause   uuid,
  tries   integer,
  invoice text    default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_note_resume(pause, tries, invoice) $function$;

create or replace function public.billing_open_pause (
  subscription text
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_open_pause(subscription) $function$;

create or replace function public.billing_pauses_due()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_pauses_due() $function$;

create or replace function public.billing_settle_pause (
  member    uuid,
  pause     uuid,
  is_paused boolean,
  codes     jsonb   default '[]'::jsonb
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_settle_pause(member, pause, is_paused, codes) $function$;

create or replace function public.my_pause_offer()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.my_pause_offer() $function$;

create or replace function public.queue_pause_reminders()
  returns integer
  language sql
  set search_path to ''
  AS $function$ select private.queue_pause_reminders() $function$;

create or replace function public.set_pause_months (
  months integer
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.set_pause_months(months) $function$;

alter table "public"."billing_rules"
  add constraint "billing_rules_pause_months_check" check (((pause_months >= 0) AND (pause_months <= 12))) not valid;

alter table "public"."stripe_subscriptions"
  drop constraint "stripe_subscriptions_hold_check";

alter table "public"."stripe_subscriptions"
  add constraint "stripe_subscriptions_hold_check"
    check ((hold = ANY (ARRAY['disputed'::text, 'dispute_lost'::text, 'refunded'::text, 'paused'::text]))) not valid;

drop trigger "invoices__email" on "public"."invoices";

create trigger invoices__email
  after insert or update of attempt_count, next_attempt_at, status on public.invoices
  for each row
  when
    (((new.status = 'open'::text) AND ((new.attempt_count = 3) OR ((new.attempt_count > 1) AND (new.next_attempt_at IS
    NULL)))))
  execute function private.tg_invoices__email();

comment on column "public"."billing_rules"."pause_months" is 'Months in any twelve that a membership may be paused; 0 is none.';

comment on column "public"."stripe_subscriptions"."hold" is 'Why the status differs from the provider''s: a payment is disputed (paused until decided), was lost to a dispute or fully refunded (canceled), or the membership is paused by its member.';

comment on function "private"."billing_begin_pause"(uuid, integer) is 'Plans a pause and names its subscription, or says why there is none.';

comment on function "private"."billing_note_resume"(uuid, integer, text) is 'Keeps the invoice that ended a pause; without one the next try gets a key of its own.';

comment on function "private"."billing_open_pause"(text) is 'The pause that is planned or runs: its begin in seconds, the tries at ending it, and the codes to put back; null without one.';

comment on function "private"."billing_pauses_due"() is 'Subscriptions whose pause is over and that are to be charged again.';

comment on function "private"."billing_settle_pause"(uuid, uuid, boolean, jsonb) is 'Confirms a planned pause with the codes that it keeps, or drops it. Audited.';

comment on function "private"."current_subscription"(uuid) is 'The current subscription of an account; null without one.';

comment on function "private"."export_part_pauses"(uuid) is 'Pauses of the memberships of one account.';

comment on function "private"."is_debt"(text, text) is 'True for an invoice that stays owed when its payment is refused.';

comment on function "private"."max_paused_months"() is 'How many months in any twelve a membership may be paused; 0 for none.';

comment on function "private"."my_pause_offer"() is 'What the caller may do about a pause, and the one that is planned or runs.';

comment on function "private"."note_pause"(uuid, jsonb, jsonb) is 'Keeps that a reading was paused, also where it was done at the card provider, or that a pause has ended. Audited.';

comment on function "private"."pause_has_begun"(jsonb, jsonb) is 'True for a reading of a paused subscription whose paid period is over.';

comment on function "private"."pause_refusal"(uuid, public.stripe_subscriptions) is 'Why a membership cannot be paused now; null when it can.';

comment on function "private"."paused_months"(uuid) is 'Months of pauses of an account in the last twelve, planned ones included.';

comment on function "private"."queue_pause_reminders"() is 'Queues an e-mail about each pause that ends within eight days, once for each; their number.';

comment on function "private"."require_failed_payment"(text) is 'What is owed for an invoice, locked; raises FF277 when nothing is.';

comment on function "private"."set_pause_months"(integer) is 'Changes how long members may pause; FF276 for a value there is not. Audited.';

comment on function "public"."billing_begin_pause"(uuid, integer) is 'Server: plan a pause of a member''s membership, before the card provider is asked.';

comment on function "public"."billing_note_resume"(uuid, integer, text) is 'Server: a try at taking a paused membership up again is over.';

comment on function "public"."billing_open_pause"(text) is 'Server: the pause of a subscription that is planned or runs, to take the membership up again.';

comment on function "public"."billing_pauses_due"() is 'Server: pauses whose time is over.';

comment on function "public"."billing_settle_pause"(uuid, uuid, boolean, jsonb) is 'Server: the card provider was asked for a planned pause; whether it collects nothing now.';

comment on function "public"."my_pause_offer"() is 'Whether the caller may pause the membership now: for how long, or why not; the pause that is planned or runs.';

comment on function "public"."queue_pause_reminders"() is 'Server: queue e-mails about pauses that end soon.';

comment on function "public"."set_pause_months"(integer) is 'Administrators: decide how many months in any twelve a membership may be paused; 0 is none.';

comment on table "public"."billing_rules" is 'What comes back after a withdrawal, when members are told of a renewal, how long a failed payment leaves access, and how long members may pause: one row, or none for the defaults.';

comment on view "private"."failed_payments" is 'Open invoices of renewals whose payment failed at least once.';

comment on view "private"."membership_statuses" is 'paying (active or trialing), complimentary, past_due, paused (by the member), lapsed (paid once, not now) or never_paid, for every account.';

revoke all on function "private"."billing_begin_pause"(uuid, integer) from public;

grant execute on function "private"."billing_begin_pause"(uuid, integer) to "postgres", "service_role";

revoke all on function "private"."billing_note_resume"(uuid, integer, text) from public;

grant execute on function "private"."billing_note_resume"(uuid, integer, text) to "postgres", "service_role";

revoke all on function "private"."billing_open_pause"(text) from public;

grant execute on function "private"."billing_open_pause"(text) to "postgres", "service_role";

revoke all on function "private"."billing_pauses_due"() from public;

grant execute on function "private"."billing_pauses_due"() to "postgres", "service_role";

revoke all on function "private"."billing_settle_pause"(uuid, uuid, boolean, jsonb) from public;

grant execute on function "private"."billing_settle_pause"(uuid, uuid, boolean, jsonb) to "postgres", "service_role";

revoke all on function "private"."current_subscription"(uuid) from public;

grant execute on function "private"."current_subscription"(uuid) to "postgres";

revoke all on function "private"."export_part_pauses"(uuid) from public;

grant execute on function "private"."export_part_pauses"(uuid) to "postgres";

revoke all on function "private"."is_debt"(text, text) from public;

grant execute on function "private"."is_debt"(text, text) to "postgres";

revoke all on function "private"."max_paused_months"() from public;

grant execute on function "private"."max_paused_months"() to "postgres";

revoke all on function "private"."my_pause_offer"() from public;

grant execute on function "private"."my_pause_offer"() to "authenticated", "postgres";

revoke all on function "private"."note_pause"(uuid, jsonb, jsonb) from public;

grant execute on function "private"."note_pause"(uuid, jsonb, jsonb) to "postgres";

revoke all on function "private"."pause_has_begun"(jsonb, jsonb) from public;

grant execute on function "private"."pause_has_begun"(jsonb, jsonb) to "postgres";

revoke all on function "private"."pause_refusal"(uuid, public.stripe_subscriptions) from public;

grant execute on function "private"."pause_refusal"(uuid, public.stripe_subscriptions) to "postgres";

revoke all on function "private"."paused_months"(uuid) from public;

grant execute on function "private"."paused_months"(uuid) to "postgres";

revoke all on function "private"."queue_pause_reminders"() from public;

grant execute on function "private"."queue_pause_reminders"() to "postgres", "service_role";

revoke all on function "private"."require_failed_payment"(text) from public;

grant execute on function "private"."require_failed_payment"(text) to "postgres";

revoke all on function "private"."set_pause_months"(integer) from public;

grant execute on function "private"."set_pause_months"(integer) to "authenticated", "postgres";
