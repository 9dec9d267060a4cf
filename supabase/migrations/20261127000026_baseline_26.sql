-- Part 26 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/draft-limits.sql

create trigger draft_versions__count_added after insert on public.draft_versions
  referencing new table as added for each statement execute function private.tg_draft_versions__count_added();

create trigger draft_versions__count_gone after delete on public.draft_versions
  referencing old table as gone for each statement execute function private.tg_draft_versions__count_gone();

-- Which pictures and films the versions of a draft name is noted with each save, so that scheduled work does not read every version.
create table private.draft_pictures (
  name text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  primary key (name, draft_id)
);
comment on table private.draft_pictures is 'Objects of the bucket content-pictures that a version of a draft shows, as its cover or in a text.';
create index draft_pictures_draft_id_idx on private.draft_pictures (draft_id);
alter table private.draft_pictures enable row level security;

create table private.draft_films (
  stem text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  last_version integer not null,
  primary key (stem, draft_id)
);
comment on table private.draft_films is 'Uploaded films that a version of a draft shows, without their extension.';
comment on column private.draft_films.last_version is 'The newest version that shows it.';
create index draft_films_draft_id_idx on private.draft_films (draft_id);
alter table private.draft_films enable row level security;

create function private.note_version_files(v public.draft_versions) returns void
  language sql volatile set search_path = '' as $$
  insert into private.draft_pictures (name, draft_id)
  select p.name, v.draft_id
  from (
    select private.content_picture_name(v.cover) as name
    union
    select private.text_picture_names(v.content)
    union
    select private.text_picture_names(v.modules::text)
  ) p
  -- Names of nothing would let one text add thousands of rows. A picture is stored before a text can show it.
  join storage.objects o on o.bucket_id = 'content-pictures' and o.name = p.name
  on conflict do nothing;
  insert into private.draft_films as f (stem, draft_id, last_version)
  select distinct private.film_stem(m.module ->> 'video_url'), v.draft_id, v.version
  from jsonb_array_elements(v.modules) m (module)
  where private.film_stem(m.module ->> 'video_url') is not null
  on conflict (stem, draft_id) do update set last_version = greatest(f.last_version, excluded.last_version)
$$;
comment on function private.note_version_files(public.draft_versions) is 'Notes the pictures and films that a version shows.';

create trigger draft_versions__note_files after insert or update of cover, content, modules on public.draft_versions
  for each row execute function private.tg_draft_versions__note_files();

-- library/question-reading.sql

create trigger content_questions__notify_question after insert on private.content_questions
  for each row execute function private.tg_content_questions__notify();

create trigger content_questions__notify_answer after update of answer on private.content_questions
  for each row when (old.answer is null and new.answer is not null) execute function private.tg_content_questions__notify();

-- rpc/access.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_sessions() returns table(id uuid, created_at timestamp with time zone, last_seen_at timestamp with time zone, user_agent text, address text, is_current boolean, has_second_factor boolean)
  language sql stable set search_path = '' as $$ select * from private.my_sessions() $$;
comment on function public.my_sessions is 'The caller''s sessions, one row each.';
grant execute on function private.my_sessions, public.my_sessions to authenticated;

create function public.end_session(session_id uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.end_session(session_id) $$;
comment on function public.end_session is 'Signs the caller out of one device.';
grant execute on function private.end_session, public.end_session to authenticated;

create function public.generate_recovery_codes() returns setof text
  language sql volatile set search_path = '' as $$ select * from private.generate_recovery_codes() $$;
comment on function public.generate_recovery_codes is 'Ten new recovery codes, shown only now; earlier ones become invalid.';
grant execute on function private.generate_recovery_codes, public.generate_recovery_codes to authenticated;

create function public.recovery_code_status() returns table(codes_left integer, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.recovery_code_status() $$;
comment on function public.recovery_code_status is 'Number of recovery codes the caller has left, one row.';
grant execute on function private.recovery_code_status, public.recovery_code_status to authenticated;

create function public.redeem_recovery_code(member uuid, code text, keep_session uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.redeem_recovery_code(member, code, keep_session) $$;
comment on function public.redeem_recovery_code is 'Server: use a recovery code of an account.';
grant execute on function private.redeem_recovery_code, public.redeem_recovery_code to service_role;

-- rpc/achievements.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_certificate(certificate_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_certificate(certificate_id) $$;
comment on function public.my_certificate is 'What one of the caller''s certificates says; null for any other.';
grant execute on function private.my_certificate, public.my_certificate to authenticated;

create function public.verify_certificate(code text, visitor text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.verify_certificate(code, visitor) $$;
comment on function public.verify_certificate is 'Server: what the certificate with this code says.';
grant execute on function private.verify_certificate, public.verify_certificate to service_role;

create function public.revoke_certificate(code text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.revoke_certificate(code, reason) $$;
comment on function public.revoke_certificate is 'Administrators: revokes the certificate with this code.';
grant execute on function private.revoke_certificate, public.revoke_certificate to authenticated;

create function public.set_profile_choices(topics text[], is_listed boolean, shows_submissions boolean, shows_achievements boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.set_profile_choices(topics, is_listed, shows_submissions, shows_achievements) $$;
comment on function public.set_profile_choices is 'Sets what the caller may be asked about (up to eight topics), whether the directory lists them and what their profile shows.';
grant execute on function private.set_profile_choices, public.set_profile_choices to authenticated;

create function public.my_achievements() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_achievements() $$;
comment on function public.my_achievements is 'The caller''s achievements, the next of each measure, the streak of weeks, certificates, and what of it is shared.';
grant execute on function private.my_achievements, public.my_achievements to authenticated;

create function public.share_card(achievement text default NULL::text, certificate_id uuid default NULL::uuid) returns text
  language sql volatile set search_path = '' as $$ select private.share_card(achievement, certificate_id) $$;
comment on function public.share_card is 'Shares one achievement or certificate of the caller as a public card and returns the code of its address.';
grant execute on function private.share_card, public.share_card to authenticated;

create function public.stop_sharing(code text) returns void
  language sql volatile set search_path = '' as $$ select private.stop_sharing(code) $$;
comment on function public.stop_sharing is 'Takes back a card that the caller has shared.';
grant execute on function private.stop_sharing, public.stop_sharing to authenticated;

create function public.shared_card(code text, visitor text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.shared_card(code, visitor) $$;
comment on function public.shared_card is 'Server: the words of the shared card with this code.';
grant execute on function private.shared_card, public.shared_card to service_role;

-- rpc/affiliates.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.release_commissions() returns integer
  language sql volatile set search_path = '' as $$ select private.release_commissions() $$;
comment on function public.release_commissions is 'Server: make commissions payable whose waiting time is over.';
grant execute on function private.release_commissions, public.release_commissions to service_role;

create function public.my_affiliate() returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_affiliate() $$;
comment on function public.my_affiliate is 'The caller''s affiliate link and what it earned; made on the first call.';
grant execute on function private.my_affiliate, public.my_affiliate to authenticated;

create function public.admin_payouts_due() returns table(affiliate_id uuid, user_id uuid, email text, name text, payable_pence bigint, pending_pence bigint, paid_pence bigint, least_pence integer)
  language sql stable set search_path = '' as $$ select * from private.admin_payouts_due() $$;
comment on function public.admin_payouts_due is 'Administrators: what is owed to affiliates, in pence.';
grant execute on function private.admin_payouts_due, public.admin_payouts_due to authenticated;

create function public.admin_mark_payout(affiliate uuid, amount_pence bigint, reference text) returns bigint
  language sql volatile set search_path = '' as $$ select private.admin_mark_payout(affiliate, amount_pence, reference) $$;
comment on function public.admin_mark_payout is 'Administrators: record that an affiliate was paid, with the reference of the transfer.';
grant execute on function private.admin_mark_payout, public.admin_mark_payout to authenticated;

create function public.record_affiliate_visit(code text, known uuid, visitor text) returns uuid
  language sql volatile set search_path = '' as $$ select private.record_affiliate_visit(code, known, visitor) $$;
comment on function public.record_affiliate_visit is 'Server: remember a visit by an affiliate link.';
grant execute on function private.record_affiliate_visit, public.record_affiliate_visit to service_role;

create function public.claim_referral(visit uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.claim_referral(visit) $$;
comment on function public.claim_referral is 'A new account says by which visit it was brought; true when it counts.';
grant execute on function private.claim_referral, public.claim_referral to authenticated;

-- rpc/billing.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

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

create function public.admin_money_by_month(months integer default 24) returns table(month date, currency text, charges integer, charged_pence bigint, refunds integer, refunded_pence bigint, disputes integer, disputed_pence bigint, vat_pence bigint, net_pence bigint)
  language sql volatile set search_path = '' as $$ select * from private.admin_money_by_month(months) $$;
comment on function public.admin_money_by_month is 'Administrators: charges, refunds, lost disputes, the VAT in them and what is left, by month and currency, newest first.';
grant execute on function private.admin_money_by_month, public.admin_money_by_month to authenticated;

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
comment on function public.billing_end_withdrawal is 'Server: a withdrawal is settled.';
grant execute on function private.billing_end_withdrawal, public.billing_end_withdrawal to service_role;

create function public.billing_open_withdrawals() returns table(member uuid, purchase uuid)
  language sql stable set search_path = '' as $$ select * from private.billing_open_withdrawals() $$;
comment on function public.billing_open_withdrawals is 'Server: withdrawals to go on with.';
grant execute on function private.billing_open_withdrawals, public.billing_open_withdrawals to service_role;

-- rpc/chat.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.room_participants(room_id text) returns setof uuid
  language sql stable set search_path = '' as $$ select * from private.room_participants(room_id) $$;
comment on function public.room_participants is 'Ids of the accounts in the room now, at most 500.';
grant execute on function private.room_participants, public.room_participants to authenticated;

create function public.notify_typing(room_id text) returns void
  language sql volatile set search_path = '' as $$ select private.notify_typing(room_id) $$;
comment on function public.notify_typing is 'The caller is typing in the room. Call it every few seconds while typing.';
grant execute on function private.notify_typing, public.notify_typing to authenticated;

create function public.mention_in_submission(submission_id uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_in_submission(submission_id, members) $$;
comment on function public.mention_in_submission is 'Tells members that the caller''s submission names them: at most ten, each once, and only who may read it.';
grant execute on function private.mention_in_submission, public.mention_in_submission to authenticated;

create function public.mention_in_comment(comment_id uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_in_comment(comment_id, members) $$;
comment on function public.mention_in_comment is 'Tells members that the caller''s comment names them: at most ten, each once, and only who may read it.';
grant execute on function private.mention_in_comment, public.mention_in_comment to authenticated;

create function public.mentionable_members(room text default NULL::text, typed text default NULL::text) returns table(user_id uuid, name text, avatar_url text)
  language sql volatile set search_path = '' as $$ select * from private.mentionable_members(room, typed) $$;
comment on function public.mentionable_members is 'Members whom the caller may mention in a room, or without one in the feed, by the beginning of a word of their name; at most eight.';
grant execute on function private.mentionable_members, public.mentionable_members to authenticated;

create function public.mention_members(message uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_members(message, members) $$;
comment on function public.mention_members is 'Tells members that the caller''s message names them: at most ten, each once, and only who may read it.';
grant execute on function private.mention_members, public.mention_members to authenticated;

create function public.delete_message(message_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_message(message_id) $$;
comment on function public.delete_message is 'Deletes the caller''s own message; administrators delete any.';
grant execute on function private.delete_message, public.delete_message to authenticated;

create function public.chat_room_overview() returns table(id text, name text, description text, min_level_required integer, participant_count integer, unread_count integer, last_message_at timestamp with time zone, last_message text, last_author_id uuid, last_author text, faces jsonb)
  language sql stable set search_path = '' as $$ select * from private.chat_room_overview() $$;
comment on function public.chat_room_overview is 'Every room by level and name, with the caller''s unread messages (at most 99), the beginning of the last message of open ones and a few who are there.';
grant execute on function private.chat_room_overview, public.chat_room_overview to authenticated;

create function public.unread_rooms() returns integer
  language sql stable set search_path = '' as $$ select private.unread_rooms() $$;
comment on function public.unread_rooms is 'How many of the rooms open to the caller have something unread, at most 99.';
grant execute on function private.unread_rooms, public.unread_rooms to authenticated;

create function public.my_next_room() returns text
  language sql stable set search_path = '' as $$ select private.my_next_room() $$;
comment on function public.my_next_room is 'Id of the room that the caller''s next step leads to; null when all open ones were opened.';
grant execute on function private.my_next_room, public.my_next_room to authenticated;

create function public.message_pictures_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.message_pictures_to_purge(after, batch) $$;
comment on function public.message_pictures_to_purge is 'Server: pictures of messages to delete now.';
grant execute on function private.message_pictures_to_purge, public.message_pictures_to_purge to service_role;

create function public.pin_message(message_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.pin_message(message_id) $$;
comment on function public.pin_message is 'Administrators: pin a message to the top of its room.';
grant execute on function private.pin_message, public.pin_message to authenticated;

create function public.unpin_message(message_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.unpin_message(message_id) $$;
comment on function public.unpin_message is 'Administrators: take a message from the top of its room.';
grant execute on function private.unpin_message, public.unpin_message to authenticated;

create function public.room_pins(room_id text) returns table(message_id uuid, user_id uuid, author_first_name text, author_last_name text, content text, created_at timestamp with time zone, pinned_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.room_pins(room_id) $$;
comment on function public.room_pins is 'The pinned messages of a room with their authors and the beginning of their text.';
grant execute on function private.room_pins, public.room_pins to authenticated;

create function public.message_reactors(message_id uuid) returns table(reaction text, user_id uuid, first_name text, last_name text)
  language sql volatile set search_path = '' as $$ select * from private.message_reactors(message_id) $$;
comment on function public.message_reactors is 'Names of those who liked a message (like) or reacted to it.';
grant execute on function private.message_reactors, public.message_reactors to authenticated;

create function public.mark_room_read(room_id text, up_to timestamp with time zone) returns void
  language sql volatile set search_path = '' as $$ select private.mark_room_read(room_id, up_to) $$;
comment on function public.mark_room_read is 'The caller has read the room up to this moment.';
grant execute on function private.mark_room_read, public.mark_room_read to authenticated;

create function public.expire_room_leases() returns integer
  language sql volatile set search_path = '' as $$ select private.expire_room_leases() $$;
comment on function public.expire_room_leases is 'Server: delete expired room leases; returns their number.';
grant execute on function private.expire_room_leases, public.expire_room_leases to service_role;

-- rpc/console.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.audit_choices() returns jsonb
  language sql stable set search_path = '' as $$ select private.audit_choices() $$;
comment on function public.audit_choices is 'Administrators: what the audit log can be filtered by.';
grant execute on function private.audit_choices, public.audit_choices to authenticated;

create function public.dashboard_figures() returns table(level integer, effective_level integer, onboarding_complete boolean, member_since timestamp with time zone, likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer)
  language sql stable set search_path = '' as $$ select * from private.dashboard_figures() $$;
comment on function public.dashboard_figures is 'The caller''s own dashboard figures, one row; money in pence.';
grant execute on function private.dashboard_figures, public.dashboard_figures to authenticated;

create function public.preview_level_requirement(level integer, kind text, needed integer) returns table(current_needed integer, available integer, members integer, ready_before integer, ready_after integer)
  language sql volatile set search_path = '' as $$ select * from private.preview_level_requirement(level, kind, needed) $$;
comment on function public.preview_level_requirement is 'Administrators with a second factor: what a new figure of a level''s requirement would mean.';
grant execute on function private.preview_level_requirement, public.preview_level_requirement to authenticated;

create function public.set_level_requirement(level integer, kind text, needed integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_level_requirement(level, kind, needed) $$;
comment on function public.set_level_requirement is 'Administrators with a second factor: change what a level asks for.';
grant execute on function private.set_level_requirement, public.set_level_requirement to authenticated;

create function public.plan_overview() returns table(id text, name text, role text, amount_pence integer, currency text, "interval" text, price_id text, is_active boolean, members integer, former_price_members integer, last_event_at timestamp with time zone, last_check_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.plan_overview() $$;
comment on function public.plan_overview is 'Administrators: the plans on sale and the state of the link to the card provider.';
grant execute on function private.plan_overview, public.plan_overview to authenticated;

create function public.admin_library_items(shelf text, search text default ''::text, category text default NULL::text, subcategory uuid default NULL::uuid, status text default NULL::text, page_size integer default 50, skip integer default 0) returns table(id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.admin_library_items(shelf, search, category, subcategory, status, page_size, skip) $$;
comment on function public.admin_library_items is 'Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).';
grant execute on function private.admin_library_items, public.admin_library_items to authenticated;

create function public.edit_content_item(shelf text, item_id uuid, is_published boolean default NULL::boolean, is_featured boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.edit_content_item(shelf, item_id, is_published, is_featured) $$;
comment on function public.edit_content_item is 'Administrators: publish, withdraw or feature an article or a course.';
grant execute on function private.edit_content_item, public.edit_content_item to authenticated;

create function public.admin_level_supply() returns table(level integer, kind text, category text, needed integer, available integer)
  language sql stable set search_path = '' as $$ select * from private.admin_level_supply() $$;
comment on function public.admin_level_supply is 'Administrators: what each level asks for, and how much of it there is.';
grant execute on function private.admin_level_supply, public.admin_level_supply to authenticated;

create function public.admin_subcategories() returns table(id uuid, main_category text, slug text, name text, description text, color text, icon text, display_order integer, is_active boolean, article_count integer, course_count integer)
  language sql stable set search_path = '' as $$ select * from private.admin_subcategories() $$;
comment on function public.admin_subcategories is 'Administrators: all subcategories of the library.';
grant execute on function private.admin_subcategories, public.admin_subcategories to authenticated;

create function public.create_subcategory(main_category text, slug text, name text, description text default ''::text, color text default '#64748b'::text, icon text default 'book-open'::text, display_order integer default 0) returns uuid
  language sql volatile set search_path = '' as $$ select private.create_subcategory(main_category, slug, name, description, color, icon, display_order) $$;
comment on function public.create_subcategory is 'Administrators: create a subcategory; its id.';
grant execute on function private.create_subcategory, public.create_subcategory to authenticated;

create function public.edit_subcategory(subcategory_id uuid, name text default NULL::text, description text default NULL::text, color text default NULL::text, icon text default NULL::text, display_order integer default NULL::integer, is_active boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.edit_subcategory(subcategory_id, name, description, color, icon, display_order, is_active) $$;
comment on function public.edit_subcategory is 'Administrators: change the given fields of a subcategory. One that is not active hides its articles and courses.';
grant execute on function private.edit_subcategory, public.edit_subcategory to authenticated;

create function public.add_member_note(member uuid, note text) returns void
  language sql volatile set search_path = '' as $$ select private.add_member_note(member, note) $$;
comment on function public.add_member_note is 'Administrators: add a note about a member. Notes cannot be changed.';
grant execute on function private.add_member_note, public.add_member_note to authenticated;

create function public.member_detail(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.member_detail(member) $$;
comment on function public.member_detail is 'Administrators: billing, progress, submissions, reports, identity, notes and audit entries of one member.';
grant execute on function private.member_detail, public.member_detail to authenticated;

create function public.admin_overview() returns jsonb
  language sql stable set search_path = '' as $$ select private.admin_overview() $$;
comment on function public.admin_overview is 'Administrators: figures about the community, its queues and its failures; revenue in pence a month at today''s prices, null without a second factor.';
grant execute on function private.admin_overview, public.admin_overview to authenticated;

create function public.dispute_queue() returns table(dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text, reason text, status text, opened_at timestamp with time zone, respond_by timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.dispute_queue() $$;
comment on function public.dispute_queue is 'Administrators: open disputes with their due dates; amounts in the smallest unit.';
grant execute on function private.dispute_queue, public.dispute_queue to authenticated;

create function public.admin_queues() returns jsonb
  language sql stable set search_path = '' as $$ select private.admin_queues() $$;
comment on function public.admin_queues is 'Administrators: how many items wait in each queue, and since when the oldest.';
grant execute on function private.admin_queues, public.admin_queues to authenticated;

create function public.admin_rooms() returns table(id text, name text, description text, min_level_required integer, display_order integer, is_active boolean, participant_count integer)
  language sql stable set search_path = '' as $$ select * from private.admin_rooms() $$;
comment on function public.admin_rooms is 'Administrators: all rooms, those that are not active too.';
grant execute on function private.admin_rooms, public.admin_rooms to authenticated;

create function public.edit_room(room_id text, name text default NULL::text, description text default NULL::text, min_level_required integer default NULL::integer, display_order integer default NULL::integer, is_active boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.edit_room(room_id, name, description, min_level_required, display_order, is_active) $$;

reset check_function_bodies;
