-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.billing_balance_read_from() returns bigint
  language sql stable set search_path = '' as $$ select private.billing_balance_read_from() $$;
comment on function public.billing_balance_read_from is 'Server: from when on the balance is to be read, in epoch seconds.';
grant execute on function private.billing_balance_read_from, public.billing_balance_read_from to service_role;

create function public.billing_keep_balance(movements jsonb, read_until bigint) returns void
  language sql volatile set search_path = '' as $$ select private.billing_keep_balance(movements, read_until) $$;
comment on function public.billing_keep_balance is 'Server: keep movements of the balance, read without a gap until a moment in epoch seconds.';
grant execute on function private.billing_keep_balance, public.billing_keep_balance to service_role;

create function public.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
  language sql volatile set search_path = '' as $$ select private.billing_apply_charge(ticket, snapshot) $$;
comment on function public.billing_apply_charge is 'Server: write one reading of a payment.';
grant execute on function private.billing_apply_charge, public.billing_apply_charge to service_role;

create function public.billing_price_before_upgrade(subscription text, price text, latest_invoice text) returns text
  language sql stable set search_path = '' as $$ select private.billing_price_before_upgrade(subscription, price, latest_invoice) $$;
comment on function public.billing_price_before_upgrade is 'Server: the price before an upgrade that was refunded.';
grant execute on function private.billing_price_before_upgrade, public.billing_price_before_upgrade to service_role;

create function public.billing_known_charges(charges text[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_known_charges(charges) $$;
comment on function public.billing_known_charges is 'Server: the last readings of these payments.';
grant execute on function private.billing_known_charges, public.billing_known_charges to service_role;

create function public.billing_catalogue() returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_catalogue() $$;
comment on function public.billing_catalogue is 'Server: every price a membership was sold at.';
grant execute on function private.billing_catalogue, public.billing_catalogue to service_role;

create function public.billing_own_purchases(subscriptions text[]) returns setof text
  language sql stable set search_path = '' as $$ select * from private.billing_own_purchases(subscriptions) $$;
comment on function public.billing_own_purchases is 'Server: which subscriptions were bought in the app.';
grant execute on function private.billing_own_purchases, public.billing_own_purchases to service_role;

create function public.billing_flag(customer text, reason text, detail jsonb) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_flag(customer, reason, detail) $$;
comment on function public.billing_flag is 'Server: flag an account for review.';
grant execute on function private.billing_flag, public.billing_flag to service_role;

create function public.end_complimentary_memberships() returns integer
  language sql volatile set search_path = '' as $$ select private.end_complimentary_memberships() $$;
comment on function public.end_complimentary_memberships is 'Server: end complimentary memberships that are over.';
grant execute on function private.end_complimentary_memberships, public.end_complimentary_memberships to service_role;

create function public.admin_grant_complimentary(member_email text, plan text, ends_at timestamp with time zone, reason text) returns uuid
  language sql volatile set search_path = '' as $$ select private.admin_grant_complimentary(member_email, plan, ends_at, reason) $$;
comment on function public.admin_grant_complimentary is 'Administrators: give the account with this address a plan without payment; ends_at null for open-ended. Returns its id.';
grant execute on function private.admin_grant_complimentary, public.admin_grant_complimentary to authenticated;

create function public.admin_revoke_complimentary(membership_id uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.admin_revoke_complimentary(membership_id, reason) $$;
comment on function public.admin_revoke_complimentary is 'Administrators: end a complimentary membership at once.';
grant execute on function private.admin_revoke_complimentary, public.admin_revoke_complimentary to authenticated;

create function public.admin_complimentary_memberships() returns table(id uuid, user_id uuid, email text, first_name text, last_name text, plan_id text, plan_name text, reason text, granted_at timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.admin_complimentary_memberships() $$;
comment on function public.admin_complimentary_memberships is 'Administrators: the latest 500 complimentary memberships, current ones first.';
grant execute on function private.admin_complimentary_memberships, public.admin_complimentary_memberships to authenticated;

create function public.billing_lost_payments(subscription text) returns setof text
  language sql stable set search_path = '' as $$ select * from private.billing_lost_payments(subscription) $$;
comment on function public.billing_lost_payments is 'Server: payments lost in disputes, for which the renewal is to be ended.';
grant execute on function private.billing_lost_payments, public.billing_lost_payments to service_role;

create function public.resolve_billing_flag(member uuid, flag text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.resolve_billing_flag(member, flag, reason) $$;
comment on function public.resolve_billing_flag is 'Administrators: what an account was flagged for about money was put right.';
grant execute on function private.resolve_billing_flag, public.resolve_billing_flag to authenticated;

create function public.billing_events_read_from() returns bigint
  language sql stable set search_path = '' as $$ select private.billing_events_read_from() $$;
comment on function public.billing_events_read_from is 'Server: from when on the provider''s events are to be read, in epoch seconds.';
grant execute on function private.billing_events_read_from, public.billing_events_read_from to service_role;

create function public.billing_unread_events(events text[]) returns setof text
  language sql stable set search_path = '' as $$ select * from private.billing_unread_events(events) $$;
comment on function public.billing_unread_events is 'Server: which of these events were not applied yet.';
grant execute on function private.billing_unread_events, public.billing_unread_events to service_role;

create function public.billing_keep_event_reading(read_until bigint, seen jsonb, is_present boolean) returns void
  language sql volatile set search_path = '' as $$ select private.billing_keep_event_reading(read_until, seen, is_present) $$;
comment on function public.billing_keep_event_reading is 'Server: the provider''s events were read without a gap until a moment in epoch seconds.';
grant execute on function private.billing_keep_event_reading, public.billing_keep_event_reading to service_role;

create function public.billing_note_failure(event text, event_type text, error text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_note_failure(event, event_type, error) $$;
comment on function public.billing_note_failure is 'Server: an event could not be applied.';
grant execute on function private.billing_note_failure, public.billing_note_failure to service_role;

create function public.admin_clear_failed_event(event text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.admin_clear_failed_event(event, reason) $$;
comment on function public.admin_clear_failed_event is 'Administrators: clear an event of the card provider that could not be applied, with a reason.';
grant execute on function private.admin_clear_failed_event, public.admin_clear_failed_event to authenticated;

create function public.billing_abandon_attempts(member uuid) returns void
  language sql volatile set search_path = '' as $$ select private.billing_abandon_attempts(member) $$;
comment on function public.billing_abandon_attempts is 'Server: keep the open attempts of a member at buying a plan from paying.';
grant execute on function private.billing_abandon_attempts, public.billing_abandon_attempts to service_role;

create function public.admin_failed_payments() returns table(invoice_id text, number text, amount_pence bigint, currency text, attempts integer, next_attempt_at timestamp with time zone, failure_code text, issued_at timestamp with time zone, membership text, card_last4 text, user_id uuid, email text, first_name text, last_name text)
  language sql stable set search_path = '' as $$ select * from private.admin_failed_payments() $$;
comment on function public.admin_failed_payments is 'Administrators: renewals that could not be paid, the oldest first, at most 500.';
grant execute on function private.admin_failed_payments, public.admin_failed_payments to authenticated;

create function public.admin_send_payment_link(invoice text) returns boolean
  language sql volatile set search_path = '' as $$ select private.admin_send_payment_link(invoice) $$;
comment on function public.admin_send_payment_link is 'Administrators: send the member of a failed payment the way to pay it; false when it was sent today.';
grant execute on function private.admin_send_payment_link, public.admin_send_payment_link to authenticated;

create function public.admin_begin_payment_retry(invoice text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.admin_begin_payment_retry(invoice) $$;
comment on function public.admin_begin_payment_retry is 'Administrators: begin to take a failed payment again; the function admin-retry-payment asks the card provider.';
grant execute on function private.admin_begin_payment_retry, public.admin_begin_payment_retry to authenticated;

create function public.billing_apply_invoice(ticket bigint, snapshot jsonb) returns text
  language sql volatile set search_path = '' as $$ select private.billing_apply_invoice(ticket, snapshot) $$;
comment on function public.billing_apply_invoice is 'Server: write one reading of an invoice.';
grant execute on function private.billing_apply_invoice, public.billing_apply_invoice to service_role;

create function public.billing_known_invoices(invoices text[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_known_invoices(invoices) $$;
comment on function public.billing_known_invoices is 'Server: the last readings of these invoices.';
grant execute on function private.billing_known_invoices, public.billing_known_invoices to service_role;

create function public.invoice_refunds(invoice text) returns jsonb
  language sql stable set search_path = '' as $$ select private.invoice_refunds(invoice) $$;
comment on function public.invoice_refunds is 'The refunds of one of the caller''s invoices: `amount_pence` and `refunded_at`, oldest first.';
grant execute on function private.invoice_refunds, public.invoice_refunds to authenticated;

create function public.admin_money_by_month(months integer default 24) returns table(month date, currency text, charges integer, charged_pence bigint, refunds integer, refunded_pence bigint, disputes integer, disputed_pence bigint, dispute_fees_pence bigint, fees_pence bigint, other_pence bigint, net_pence bigint, vat_pence bigint, left_pence bigint, payouts integer, paid_out_pence bigint, unread integer)
  language sql volatile set search_path = '' as $$ select * from private.admin_money_by_month(months) $$;
comment on function public.admin_money_by_month is 'Administrators: charges, refunds, disputes, the provider''s fees, VAT, what is left and payouts, by month and currency, newest first.';
grant execute on function private.admin_money_by_month, public.admin_money_by_month to authenticated;

create function public.admin_money_trend() returns jsonb
  language sql stable set search_path = '' as $$ select private.admin_money_trend() $$;
comment on function public.admin_money_trend is 'Administrators: twelve months of money in pounds and of members, what is earned a month now, and why members cancelled.';
grant execute on function private.admin_money_trend, public.admin_money_trend to authenticated;

create function public.my_pause_offer() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_pause_offer() $$;
comment on function public.my_pause_offer is 'Whether the caller may pause the membership now: for how long, or why not; the pause that is planned or runs.';
grant execute on function private.my_pause_offer, public.my_pause_offer to authenticated;

create function public.billing_begin_pause(member uuid, months integer) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_pause(member, months) $$;
comment on function public.billing_begin_pause is 'Server: plan a pause of a member''s membership, before the card provider is asked.';
grant execute on function private.billing_begin_pause, public.billing_begin_pause to service_role;

create function public.billing_settle_pause(member uuid, pause uuid, is_paused boolean, codes jsonb default '[]'::jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.billing_settle_pause(member, pause, is_paused, codes) $$;
comment on function public.billing_settle_pause is 'Server: the card provider was asked for a planned pause; whether it collects nothing now.';
grant execute on function private.billing_settle_pause, public.billing_settle_pause to service_role;

create function public.billing_open_pause(subscription text) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_open_pause(subscription) $$;
comment on function public.billing_open_pause is 'Server: the pause of a subscription that is planned or runs, to take the membership up again.';
grant execute on function private.billing_open_pause, public.billing_open_pause to service_role;

create function public.billing_note_resume(pause uuid, tries integer, invoice text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_note_resume(pause, tries, invoice) $$;
comment on function public.billing_note_resume is 'Server: a try at taking a paused membership up again is over.';
grant execute on function private.billing_note_resume, public.billing_note_resume to service_role;

create function public.billing_pauses_due() returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_pauses_due() $$;
comment on function public.billing_pauses_due is 'Server: pauses whose time is over.';
grant execute on function private.billing_pauses_due, public.billing_pauses_due to service_role;

create function public.set_pause_months(months integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_pause_months(months) $$;
comment on function public.set_pause_months is 'Administrators: decide how many months in any twelve a membership may be paused; 0 is none.';
grant execute on function private.set_pause_months, public.set_pause_months to authenticated;

create function public.queue_pause_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_pause_reminders() $$;
comment on function public.queue_pause_reminders is 'Server: queue e-mails about pauses that end soon.';
grant execute on function private.queue_pause_reminders, public.queue_pause_reminders to service_role;

create function public.admin_export_payments(since timestamp with time zone, until timestamp with time zone) returns jsonb
  language sql volatile set search_path = '' as $$ select private.admin_export_payments(since, until) $$;
comment on function public.admin_export_payments is 'Administrators: all payments from since to before until, oldest first, at most 20,000.';
grant execute on function private.admin_export_payments, public.admin_export_payments to authenticated;

create function public.admin_money_figures() returns table(revenue_pence bigint, refunded_pence bigint, vat_pence bigint, open_disputes integer, failed_events integer, complimentary integer)
  language sql stable set search_path = '' as $$ select * from private.admin_money_figures() $$;
comment on function public.admin_money_figures is 'Administrators: taken and refunded this calendar month and the VAT in it in pence, open disputes, failed events, complimentary memberships.';
grant execute on function private.admin_money_figures, public.admin_money_figures to authenticated;

create function public.billing_quote_plan_change(member uuid, quote jsonb) returns uuid
  language sql volatile set search_path = '' as $$ select private.billing_quote_plan_change(member, quote) $$;
comment on function public.billing_quote_plan_change is 'Server: keep a preview of a plan change.';
grant execute on function private.billing_quote_plan_change, public.billing_quote_plan_change to service_role;

create function public.billing_plan_change_quote(member uuid, quote uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_plan_change_quote(member, quote) $$;
comment on function public.billing_plan_change_quote is 'Server: a preview of the member''s own.';
grant execute on function private.billing_plan_change_quote, public.billing_plan_change_quote to service_role;

create function public.billing_record_cancellation(member uuid, subscription text, reason text, comment text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_record_cancellation(member, subscription, reason, comment) $$;
comment on function public.billing_record_cancellation is 'Server: keep the reason of a cancellation.';
grant execute on function private.billing_record_cancellation, public.billing_record_cancellation to service_role;

create function public.billing_add_plan_price(admin uuid, price text, sale jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.billing_add_plan_price(admin, price, sale) $$;
comment on function public.billing_add_plan_price is 'Server: put a price of the card provider on sale.';
grant execute on function private.billing_add_plan_price, public.billing_add_plan_price to service_role;

create function public.retire_plan_price(price text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.retire_plan_price(price, reason) $$;
comment on function public.retire_plan_price is 'Administrators: take a yearly price off sale. Members who have it keep it.';
grant execute on function private.retire_plan_price, public.retire_plan_price to authenticated;

create function public.my_plan_price() returns table(price_id text, plan_id text, "interval" text, amount_pence integer, currency text)
  language sql stable set search_path = '' as $$ select * from private.my_plan_price() $$;
comment on function public.my_plan_price is 'The price of the caller''s current subscription, also one that is not on sale any more.';
grant execute on function private.my_plan_price, public.my_plan_price to authenticated;

create function public.billing_customer(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_customer(member) $$;
comment on function public.billing_customer is 'Server: the current customer of an account.';
grant execute on function private.billing_customer, public.billing_customer to service_role;

create function public.billing_record_customer(member uuid, customer text) returns text
  language sql volatile set search_path = '' as $$ select private.billing_record_customer(member, customer) $$;
comment on function public.billing_record_customer is 'Server: store the customer of an account.';
grant execute on function private.billing_record_customer, public.billing_record_customer to service_role;

create function public.billing_begin_purchase(member uuid, price text, joining uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_purchase(member, price, joining) $$;
comment on function public.billing_begin_purchase is 'Server: open an attempt at buying a plan.';
grant execute on function private.billing_begin_purchase, public.billing_begin_purchase to service_role;

create function public.billing_record_subscription(attempt uuid, subscription text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_record_subscription(attempt, subscription) $$;
comment on function public.billing_record_subscription is 'Server: claim a subscription for an attempt before paying.';
grant execute on function private.billing_record_subscription, public.billing_record_subscription to service_role;

create function public.billing_end_attempt(attempt uuid, outcome text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_attempt(attempt, outcome) $$;
comment on function public.billing_end_attempt is 'Server: close an attempt.';
grant execute on function private.billing_end_attempt, public.billing_end_attempt to service_role;

create function public.billing_customers_to_delete() returns setof text
  language sql stable set search_path = '' as $$ select * from private.billing_customers_to_delete() $$;
comment on function public.billing_customers_to_delete is 'Server: customers to delete at the provider.';
grant execute on function private.billing_customers_to_delete, public.billing_customers_to_delete to service_role;

create function public.billing_forget_departed(customer text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_forget_departed(customer) $$;
comment on function public.billing_forget_departed is 'Server: a departed customer was deleted.';
grant execute on function private.billing_forget_departed, public.billing_forget_departed to service_role;

create function public.billing_take_due(all_customers boolean default false, batch integer default 100) returns table(customer_id text, fresh_attempts jsonb)
  language sql volatile set search_path = '' as $$ select * from private.billing_take_due(all_customers, batch) $$;
comment on function public.billing_take_due is 'Server: customers to compare with the provider.';
grant execute on function private.billing_take_due, public.billing_take_due to service_role;

create function public.billing_close_attempts(customer text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_close_attempts(customer) $$;
comment on function public.billing_close_attempts is 'Server: close settled attempts of a customer.';
grant execute on function private.billing_close_attempts, public.billing_close_attempts to service_role;

create function public.billing_audit(customer text, action text, detail jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.billing_audit(customer, action, detail) $$;
comment on function public.billing_audit is 'Server: audit a change made by the reconciliation.';
grant execute on function private.billing_audit, public.billing_audit to service_role;

create function public.billing_purge() returns void
  language sql volatile set search_path = '' as $$ select private.billing_purge() $$;
comment on function public.billing_purge is 'Server: delete old events and attempts.';
grant execute on function private.billing_purge, public.billing_purge to service_role;

create function public.billing_take_dropped(everybody boolean, batch integer) returns setof text
  language sql volatile set search_path = '' as $$ select * from private.billing_take_dropped(everybody, batch) $$;
comment on function public.billing_take_dropped is 'Server: dropped customers to look up again.';
grant execute on function private.billing_take_dropped, public.billing_take_dropped to service_role;

create function public.billing_restore_customer(customer text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_restore_customer(customer) $$;
comment on function public.billing_restore_customer is 'Server: a dropped customer exists at the provider after all.';
grant execute on function private.billing_restore_customer, public.billing_restore_customer to service_role;

create function public.admin_unfinished_refunds() returns table(request_id uuid, payment_id text, amount_pence bigint, currency text, reason text, state text, requested_at timestamp with time zone, user_id uuid, email text, first_name text, last_name text)
  language sql stable set search_path = '' as $$ select * from private.admin_unfinished_refunds() $$;
comment on function public.admin_unfinished_refunds is 'Administrators: refunds whose end is not known, at most 500; repeating the same request finishes one.';
grant execute on function private.admin_unfinished_refunds, public.admin_unfinished_refunds to authenticated;

create function public.billing_settle_refund(request uuid, payment text, refund text, outcome text, detail text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_settle_refund(request, payment, refund, outcome, detail) $$;
comment on function public.billing_settle_refund is 'Server: how a refund stands at the card provider.';
grant execute on function private.billing_settle_refund, public.billing_settle_refund to service_role;

create function public.billing_unsettled_refunds() returns table(request_id uuid, payment_id text)
  language sql stable set search_path = '' as $$ select * from private.billing_unsettled_refunds() $$;
comment on function public.billing_unsettled_refunds is 'Server: refunds to look up at the card provider.';
grant execute on function private.billing_unsettled_refunds, public.billing_unsettled_refunds to service_role;

create function public.admin_refund_effect(payment text) returns table(ends text, ends_at timestamp with time zone, title text)
  language sql stable set search_path = '' as $$ select * from private.admin_refund_effect(payment) $$;
comment on function public.admin_refund_effect is 'Administrators: what a refund of the whole payment ends at once (membership, plan, course or gift); no row when it ends nothing.';
grant execute on function private.admin_refund_effect, public.admin_refund_effect to authenticated;

create function public.admin_begin_stop_renewal(member uuid, reason text) returns text
  language sql volatile set search_path = '' as $$ select private.admin_begin_stop_renewal(member, reason) $$;
comment on function public.admin_begin_stop_renewal is 'Administrators: begin to stop the renewal of a member''s subscription; the function admin-stop-renewal asks the card provider.';
grant execute on function private.admin_begin_stop_renewal, public.admin_begin_stop_renewal to authenticated;

create function public.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.admin_begin_refund(request, payment, amount_pence, reason) $$;
comment on function public.admin_begin_refund is 'Administrators: record a refund to be made. Function admin-refund-payment calls this and then the card provider.';
grant execute on function private.admin_begin_refund, public.admin_begin_refund to authenticated;

create function public.billing_end_refund(request uuid, admin uuid, outcome text, refund text, detail text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_refund(request, admin, outcome, refund, detail) $$;
comment on function public.billing_end_refund is 'Server: how a refund ended.';
grant execute on function private.billing_end_refund, public.billing_end_refund to service_role;

create function public.admin_audit_money(admin uuid, action text, subject uuid, detail jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.admin_audit_money(admin, action, subject, detail) $$;
comment on function public.admin_audit_money is 'Server: audit an act on money.';
grant execute on function private.admin_audit_money, public.admin_audit_money to service_role;

create function public.billing_clear_failure(event text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_clear_failure(event) $$;
comment on function public.billing_clear_failure is 'Server: an event that failed was processed.';
grant execute on function private.billing_clear_failure, public.billing_clear_failure to service_role;

create function public.set_billing_rules(withdrawal_refund text, renewal_reminder_days integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_billing_rules(withdrawal_refund, renewal_reminder_days) $$;
comment on function public.set_billing_rules is 'Administrators: decide what comes back after a withdrawal, and when members are told of a renewal.';
grant execute on function private.set_billing_rules, public.set_billing_rules to authenticated;

create function public.set_payment_grace(days integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_payment_grace(days) $$;
comment on function public.set_payment_grace is 'Administrators: decide how many days of access follow a renewal''s failed payment; it holds for payments that fail from now on.';
grant execute on function private.set_payment_grace, public.set_payment_grace to authenticated;

create function public.set_payment_element(enabled boolean) returns void
  language sql volatile set search_path = '' as $$ select private.set_payment_element(enabled) $$;
comment on function public.set_payment_element is 'Administrators: decide whether members pay with Apple Pay, Google Pay and Link, too.';
grant execute on function private.set_payment_element, public.set_payment_element to authenticated;

create function public.billing_next_ticket(event text default NULL::text) returns bigint
  language sql volatile set search_path = '' as $$ select private.billing_next_ticket(event) $$;
comment on function public.billing_next_ticket is 'Server: draw a ticket before reading the provider.';
grant execute on function private.billing_next_ticket, public.billing_next_ticket to service_role;

create function public.billing_apply_subscription(ticket bigint, snapshot jsonb, event text default NULL::text, event_type text default NULL::text) returns text
  language sql volatile set search_path = '' as $$ select private.billing_apply_subscription(ticket, snapshot, event, event_type) $$;
comment on function public.billing_apply_subscription is 'Server: write one reading of a subscription.';
grant execute on function private.billing_apply_subscription, public.billing_apply_subscription to service_role;

create function public.billing_drop_customer(customer text, event text default NULL::text, event_type text default NULL::text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_drop_customer(customer, event, event_type) $$;
comment on function public.billing_drop_customer is 'Server: a customer was deleted at the provider.';
grant execute on function private.billing_drop_customer, public.billing_drop_customer to service_role;

create function public.billing_take_trial_card(member uuid, fingerprint text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_take_trial_card(member, fingerprint) $$;
comment on function public.billing_take_trial_card is 'Server: take a card for the trial of an account.';
grant execute on function private.billing_take_trial_card, public.billing_take_trial_card to service_role;

create function public.billing_trial_code(member uuid, given text, price text, redeem boolean) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_trial_code(member, given, price, redeem) $$;
comment on function public.billing_trial_code is 'Server: look up or take a trial code.';
grant execute on function private.billing_trial_code, public.billing_trial_code to service_role;

create function public.admin_deactivate_trial_code(code text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.admin_deactivate_trial_code(code, reason) $$;
comment on function public.admin_deactivate_trial_code is 'Administrators: turn a trial code off. Running trials go on.';
grant execute on function private.admin_deactivate_trial_code, public.admin_deactivate_trial_code to authenticated;

create function public.admin_trial_codes() returns table(code text, days integer, plan_id text, max_redemptions integer, redemptions integer, expires_at timestamp with time zone, is_active boolean, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.admin_trial_codes() $$;
comment on function public.admin_trial_codes is 'Administrators: the latest 500 trial codes.';
grant execute on function private.admin_trial_codes, public.admin_trial_codes to authenticated;

create function public.billing_create_trial_code(admin uuid, code text, days integer, plan text, expires_at timestamp with time zone, max_redemptions integer, reason text) returns text
  language sql volatile set search_path = '' as $$ select private.billing_create_trial_code(admin, code, days, plan, expires_at, max_redemptions, reason) $$;
comment on function public.billing_create_trial_code is 'Server: make a trial code; plan, expires_at and max_redemptions may be null.';
grant execute on function private.billing_create_trial_code, public.billing_create_trial_code to service_role;

create function public.my_vat_documents() returns table(number text, kind text, corrects text, payment_id text, invoice_id text, issued_at timestamp with time zone, supplied_at timestamp with time zone, description text, period_start bigint, period_end bigint, currency text, gross_pence bigint, net_pence bigint, vat_pence bigint, rate_basis_points integer, seller jsonb, buyer jsonb)
  language sql stable set search_path = '' as $$ select * from private.my_vat_documents() $$;
comment on function public.my_vat_documents is 'The caller''s VAT invoices, credit notes and debit notes, newest first.';
grant execute on function private.my_vat_documents, public.my_vat_documents to authenticated;

create function public.billing_vat() returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_vat() $$;
comment on function public.billing_vat is 'Server: the VAT setting in force, with the tax rate at the provider.';
grant execute on function private.billing_vat, public.billing_vat to service_role;

create function public.billing_record_tax_rate(rate_basis_points integer, tax_rate text) returns text
  language sql volatile set search_path = '' as $$ select private.billing_record_tax_rate(rate_basis_points, tax_rate) $$;
comment on function public.billing_record_tax_rate is 'Server: remember the tax rate made at the provider.';
grant execute on function private.billing_record_tax_rate, public.billing_record_tax_rate to service_role;

create function public.set_vat(mode text, rate_basis_points integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_vat(mode, rate_basis_points) $$;
comment on function public.set_vat is 'Administrators: charge VAT, or no longer.';
grant execute on function private.set_vat, public.set_vat to authenticated;

create function public.my_buyer_details() returns table(business_name text, address text, vat_number text)
  language sql stable set search_path = '' as $$ select * from private.my_buyer_details() $$;
comment on function public.my_buyer_details is 'What the caller wants on VAT invoices.';
grant execute on function private.my_buyer_details, public.my_buyer_details to authenticated;

create function public.set_buyer_details(business_name text, address text, vat_number text) returns void
  language sql volatile set search_path = '' as $$ select private.set_buyer_details(business_name, address, vat_number) $$;
comment on function public.set_buyer_details is 'Say what stands on the caller''s VAT invoices from now on.';
grant execute on function private.set_buyer_details, public.set_buyer_details to authenticated;

create function public.my_withdrawal_right() returns table(subscription_id text, ends_at timestamp with time zone, amount_pence bigint, currency text)
  language sql stable set search_path = '' as $$ select * from private.my_withdrawal_right() $$;
comment on function public.my_withdrawal_right is 'Until when the caller can withdraw from the membership, and what they would get back.';
grant execute on function private.my_withdrawal_right, public.my_withdrawal_right to authenticated;

create function public.billing_begin_withdrawal(member uuid, purchase uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_withdrawal(member, purchase) $$;
comment on function public.billing_begin_withdrawal is 'Server: begin or go on with a withdrawal from the membership, or from a course that was bought.';
grant execute on function private.billing_begin_withdrawal, public.billing_begin_withdrawal to service_role;

create function public.billing_end_withdrawal(member uuid, purchase uuid default NULL::uuid) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_withdrawal(member, purchase) $$;
comment on function public.billing_end_withdrawal is 'Server: end a withdrawal whose refunds are all made.';
grant execute on function private.billing_end_withdrawal, public.billing_end_withdrawal to service_role;

create function public.billing_open_withdrawals() returns table(member uuid, purchase uuid)
  language sql stable set search_path = '' as $$ select * from private.billing_open_withdrawals() $$;
comment on function public.billing_open_withdrawals is 'Server: withdrawals to go on with.';
grant execute on function private.billing_open_withdrawals, public.billing_open_withdrawals to service_role;
