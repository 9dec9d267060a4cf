-- Part 27 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- rpc/billing.sql
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
comment on function public.admin_overview is 'Administrators: figures about the community, its queues, its failures and its hosts; revenue in pence a month at today''s prices, null without a second factor.';
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
comment on function public.edit_room is 'Administrators: change the given fields of a room. A room that is not active vanishes for members, with its messages kept.';
grant execute on function private.edit_room, public.edit_room to authenticated;

create function public.suspend_member(member uuid, reason text, days integer default NULL::integer) returns void
  language sql volatile set search_path = '' as $$ select private.suspend_member(member, reason, days) $$;
comment on function public.suspend_member is 'Administrators: suspend a member with a reason, for 1 to 365 days or until it is lifted.';
grant execute on function private.suspend_member, public.suspend_member to authenticated;

create function public.lift_suspension(member uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.lift_suspension(member, reason) $$;
comment on function public.lift_suspension is 'Administrators: let a suspended member sign in again.';
grant execute on function private.lift_suspension, public.lift_suspension to authenticated;

create function public.sign_out_member(member uuid, reason text) returns integer
  language sql volatile set search_path = '' as $$ select private.sign_out_member(member, reason) $$;
comment on function public.sign_out_member is 'Administrators: sign a member out everywhere; returns how many sessions ended.';
grant execute on function private.sign_out_member, public.sign_out_member to authenticated;

create function public.set_member_admin(member uuid, is_admin boolean, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.set_member_admin(member, is_admin, reason) $$;
comment on function public.set_member_admin is 'Administrators with a fresh second factor: make another account an administrator, or no longer one.';
grant execute on function private.set_member_admin, public.set_member_admin to authenticated;

-- rpc/emails.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.queue_digests() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_digests() $$;
comment on function public.queue_digests is 'Server: queue the digests that are due.';
grant execute on function private.queue_digests, public.queue_digests to service_role;

create function public.enqueue_email(user_id uuid, template text, cause_key text, data jsonb default '{}'::jsonb) returns boolean
  language sql volatile set search_path = '' as $$ select private.enqueue_email(user_id, template, cause_key, data) $$;
comment on function public.enqueue_email is 'Server: put an e-mail into the outbox, once for each cause.';
grant execute on function private.enqueue_email, public.enqueue_email to service_role;

create function public.record_email_result(email uuid, claim uuid, error text default NULL::text) returns text
  language sql volatile set search_path = '' as $$ select private.record_email_result(email, claim, error) $$;
comment on function public.record_email_result is 'Server: an e-mail was sent, or could not be.';
grant execute on function private.record_email_result, public.record_email_result to service_role;

create function public.purge_emails() returns void
  language sql volatile set search_path = '' as $$ select private.purge_emails() $$;
comment on function public.purge_emails is 'Server: delete old e-mails.';
grant execute on function private.purge_emails, public.purge_emails to service_role;

create function public.queue_card_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_card_reminders() $$;
comment on function public.queue_card_reminders is 'Server: queue the e-mails about cards that expire soon.';
grant execute on function private.queue_card_reminders, public.queue_card_reminders to service_role;

create function public.queue_trial_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_trial_reminders() $$;
comment on function public.queue_trial_reminders is 'Server: queue e-mails about trials that end soon.';
grant execute on function private.queue_trial_reminders, public.queue_trial_reminders to service_role;

create function public.queue_renewal_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_renewal_reminders() $$;
comment on function public.queue_renewal_reminders is 'Server: queue e-mails about renewals to come.';
grant execute on function private.queue_renewal_reminders, public.queue_renewal_reminders to service_role;

create function public.email_text_overview() returns table(template text, key text, placeholders text[], text text)
  language sql stable set search_path = '' as $$ select * from private.email_text_overview() $$;
comment on function public.email_text_overview is 'Administrators with a second factor: the texts of e-mails that may be changed.';
grant execute on function private.email_text_overview, public.email_text_overview to authenticated;

create function public.set_email_text(template text, key text, new_text text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.set_email_text(template, key, new_text) $$;
comment on function public.set_email_text is 'Administrators with a second factor: replace a text of an e-mail; null brings the default back.';
grant execute on function private.set_email_text, public.set_email_text to authenticated;

create function public.claim_email(lease interval default '00:05:00'::interval) returns table(id uuid, claim uuid, message_id text, address text, first_name text, template text, data jsonb, texts jsonb, user_id uuid, kind text)
  language sql volatile set search_path = '' as $$ select * from private.claim_email(lease) $$;
comment on function public.claim_email is 'Server: take the next e-mail to send.';
grant execute on function private.claim_email, public.claim_email to service_role;

create function public.switch_off_emails(member uuid, kind text) returns void
  language sql volatile set search_path = '' as $$ select private.switch_off_emails(member, kind) $$;
comment on function public.switch_off_emails is 'Server: switch off the e-mails of one kind for one account.';
grant execute on function private.switch_off_emails, public.switch_off_emails to service_role;

-- rpc/export.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.note_my_export(failed_step text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.note_my_export(failed_step) $$;
comment on function public.note_my_export is 'How the caller''s data export ended: failed_step rows or files, or none when it is whole; raises FF302 for another and FF300 above the limit.';
grant execute on function private.note_my_export, public.note_my_export to authenticated;

-- rpc/foundations.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.enforce_function_rate_limit(member uuid, action text) returns void
  language sql volatile set search_path = '' as $$ select private.enforce_function_rate_limit(member, action) $$;
comment on function public.enforce_function_rate_limit is 'Server: count one call of an edge function by an account; raises FF300 above the limit.';
grant execute on function private.enforce_function_rate_limit, public.enforce_function_rate_limit to service_role;

-- rpc/guarantee.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.file_guarantee_claim(monthly_pence bigint, statement text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.file_guarantee_claim(monthly_pence, statement) $$;
comment on function public.file_guarantee_claim is 'Makes the caller''s claim under the guarantee; its state and lines.';
grant execute on function private.file_guarantee_claim, public.file_guarantee_claim to authenticated;

create function public.appeal_guarantee_claim(appeal text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.appeal_guarantee_claim(appeal) $$;
comment on function public.appeal_guarantee_claim is 'Appeals once against a declined claim.';
grant execute on function private.appeal_guarantee_claim, public.appeal_guarantee_claim to authenticated;

create function public.my_guarantee_claim() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_guarantee_claim() $$;
comment on function public.my_guarantee_claim is 'The caller''s claim under the guarantee; null when none was made.';
grant execute on function private.my_guarantee_claim, public.my_guarantee_claim to authenticated;

create function public.guarantee_queue() returns jsonb
  language sql stable set search_path = '' as $$ select private.guarantee_queue() $$;
comment on function public.guarantee_queue is 'Administrators: claims under the guarantee that wait.';
grant execute on function private.guarantee_queue, public.guarantee_queue to authenticated;

create function public.decide_guarantee_claim(claim_id uuid, is_granted boolean, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.decide_guarantee_claim(claim_id, is_granted, reason) $$;
comment on function public.decide_guarantee_claim is 'Administrators: grant or decline a claim, with a reason.';
grant execute on function private.decide_guarantee_claim, public.decide_guarantee_claim to authenticated;

create function public.guarantee_settlement(claim_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.guarantee_settlement(claim_id) $$;
comment on function public.guarantee_settlement is 'Administrators: what a granted claim is still owed; the function admin-settle-guarantee asks the card provider.';
grant execute on function private.guarantee_settlement, public.guarantee_settlement to authenticated;

create function public.record_guarantee_baseline(monthly_pence bigint, source text, document_name text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.record_guarantee_baseline(monthly_pence, source, document_name) $$;
comment on function public.record_guarantee_baseline is 'Writes down what the caller earns a month, in the first week, with a document that shows it when there is one.';
grant execute on function private.record_guarantee_baseline, public.record_guarantee_baseline to authenticated;

create function public.open_guarantee_document(claim_id uuid) returns text
  language sql volatile set search_path = '' as $$ select private.open_guarantee_document(claim_id) $$;
comment on function public.open_guarantee_document is 'Administrators: record the opening of the document of a claim. The edge function of that name also hands out its bytes.';
grant execute on function private.open_guarantee_document, public.open_guarantee_document to authenticated;

create function public.guarantee_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.guarantee_documents_to_purge(after, batch) $$;
comment on function public.guarantee_documents_to_purge is 'Server: documents of baselines to delete now.';
grant execute on function private.guarantee_documents_to_purge, public.guarantee_documents_to_purge to service_role;

create function public.record_deleted_guarantee_documents(documents text[]) returns void
  language sql volatile set search_path = '' as $$ select private.record_deleted_guarantee_documents(documents) $$;
comment on function public.record_deleted_guarantee_documents is 'Server: these documents of baselines were deleted.';
grant execute on function private.record_deleted_guarantee_documents, public.record_deleted_guarantee_documents to service_role;

create function public.guarantee_figures() returns table(decided bigint, granted bigint)
  language sql stable set search_path = '' as $$ select * from private.guarantee_figures() $$;
comment on function public.guarantee_figures is 'Server: how many claims under the guarantee were decided, and how many granted. Function guarantee-figures gives it to visitors.';
grant execute on function private.guarantee_figures, public.guarantee_figures to service_role;

create function public.my_guarantee() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_guarantee() $$;
comment on function public.my_guarantee is 'The caller''s record of the guarantee. Null for an account that never had a paid membership.';
grant execute on function private.my_guarantee, public.my_guarantee to authenticated;

create function public.record_guarantee_check_in(monthly_pence bigint) returns void
  language sql volatile set search_path = '' as $$ select private.record_guarantee_check_in(monthly_pence) $$;
comment on function public.record_guarantee_check_in is 'Writes down what the caller earned in the running month.';
grant execute on function private.record_guarantee_check_in, public.record_guarantee_check_in to authenticated;

create function public.queue_guarantee_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_guarantee_reminders() $$;
comment on function public.queue_guarantee_reminders is 'Server: queue the e-mails about check-ins and claims under the guarantee.';
grant execute on function private.queue_guarantee_reminders, public.queue_guarantee_reminders to service_role;

create function public.billing_claims_to_settle() returns setof uuid
  language sql stable set search_path = '' as $$ select * from private.billing_claims_to_settle() $$;
comment on function public.billing_claims_to_settle is 'Server: granted claims under the guarantee that are not settled.';
grant execute on function private.billing_claims_to_settle, public.billing_claims_to_settle to service_role;

create function public.billing_claim_settlement(claim_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_claim_settlement(claim_id) $$;
comment on function public.billing_claim_settlement is 'Server: what a granted claim is still owed.';
grant execute on function private.billing_claim_settlement, public.billing_claim_settlement to service_role;

create function public.billing_claim_renewal_stopped(claim_id uuid, admin uuid) returns void
  language sql volatile set search_path = '' as $$ select private.billing_claim_renewal_stopped(claim_id, admin) $$;
comment on function public.billing_claim_renewal_stopped is 'Server: the membership of a granted claim no longer renews.';
grant execute on function private.billing_claim_renewal_stopped, public.billing_claim_renewal_stopped to service_role;

create function public.billing_begin_claim_refund(claim_id uuid, payment text, admin uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_claim_refund(claim_id, payment, admin) $$;
comment on function public.billing_begin_claim_refund is 'Server: record a refund of a granted claim before it is made.';
grant execute on function private.billing_begin_claim_refund, public.billing_begin_claim_refund to service_role;

-- rpc/landing.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.landing_settings() returns jsonb
  language sql stable set search_path = '' as $$ select private.landing_settings() $$;
comment on function public.landing_settings is 'Administrators: what the landing page says and shows, and who can be its host.';
grant execute on function private.landing_settings, public.landing_settings to authenticated;

create function public.publish_landing_text(headline text, lead text, host uuid, host_about text) returns integer
  language sql volatile set search_path = '' as $$ select private.publish_landing_text(headline, lead, host, host_about) $$;
comment on function public.publish_landing_text is 'Administrators: publish other words for the landing page. An empty one is as the product comes.';
grant execute on function private.publish_landing_text, public.publish_landing_text to authenticated;

-- rpc/legal.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.billing_accept_terms(member uuid, version integer) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_accept_terms(member, version) $$;
comment on function public.billing_accept_terms is 'Server: an account accepts the terms before it pays.';
grant execute on function private.billing_accept_terms, public.billing_accept_terms to service_role;

create function public.publish_legal_text(kind text, body text, summary text) returns integer
  language sql volatile set search_path = '' as $$ select private.publish_legal_text(kind, body, summary) $$;
comment on function public.publish_legal_text is 'Administrators: put a new version of the terms, the privacy notice or the refund terms into force.';
grant execute on function private.publish_legal_text, public.publish_legal_text to authenticated;

create function public.set_business_details(legal_name text, address text, company_number text, vat_number text) returns void
  language sql volatile set search_path = '' as $$ select private.set_business_details(legal_name, address, company_number, vat_number) $$;
comment on function public.set_business_details is 'Administrators: say who sells here.';
grant execute on function private.set_business_details, public.set_business_details to authenticated;

-- rpc/levels.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.engagement_rank() returns table(engagements integer, percentile numeric, members integer, label text)
  language sql stable set search_path = '' as $$ select * from private.engagement_rank() $$;
comment on function public.engagement_rank is 'The caller''s engagements, the percentage of all members with fewer, the number of members, and the rank''s name.';
grant execute on function private.engagement_rank, public.engagement_rank to authenticated;

create function public.progress_history(days integer default 90) returns table(day date, rooms integer, submissions integer, engagements integer, articles integer, courses integer)
  language sql stable set search_path = '' as $$ select * from private.progress_history(days) $$;
comment on function public.progress_history is 'Number of the caller''s progress events on each of the last days (UTC, at most 366), oldest first.';
grant execute on function private.progress_history, public.progress_history to authenticated;

create function public.progress_evidence(kind text, category text default NULL::text, before_id bigint default NULL::bigint, page_size integer default 30) returns setof public.progress_event
  language sql stable set search_path = '' as $$ select * from private.progress_evidence(kind, category, before_id, page_size) $$;
comment on function public.progress_evidence is 'The progress events behind one of the caller''s counters (rooms, submissions, engagements, articles, courses), newest first, paged by id.';
grant execute on function private.progress_evidence, public.progress_evidence to authenticated;

create function public.my_today() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_today() $$;
comment on function public.my_today is 'What stands first on the caller''s dashboard, in one answer.';
grant execute on function private.my_today, public.my_today to authenticated;

-- rpc/library.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.course_syllabus(course_id uuid) returns table(title text, minutes integer)
  language sql stable set search_path = '' as $$ select * from private.course_syllabus(course_id) $$;
comment on function public.course_syllabus is 'What a course holds, also before one enrols: titles and minutes of its modules.';
grant execute on function private.course_syllabus, public.course_syllabus to authenticated;

create function public.ratings_of_text(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.ratings_of_text(article_id, course_id) $$;
comment on function public.ratings_of_text is 'Mentors: the ratings of one of their articles or courses with the sentences.';
grant execute on function private.ratings_of_text, public.ratings_of_text to authenticated;

create function public.remove_rating_comment(rating_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.remove_rating_comment(rating_id) $$;
comment on function public.remove_rating_comment is 'Administrators: remove the sentence of a rating.';
grant execute on function private.remove_rating_comment, public.remove_rating_comment to authenticated;

create function public.course_films_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.course_films_to_purge(after, batch) $$;
comment on function public.course_films_to_purge is 'Server: films to delete now.';
grant execute on function private.course_films_to_purge, public.course_films_to_purge to service_role;

create function public.questions_of(article_id uuid default NULL::uuid, module_id uuid default NULL::uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.questions_of(article_id, module_id) $$;
comment on function public.questions_of is 'Questions under one article or one lesson, with what the caller may do there.';
grant execute on function private.questions_of, public.questions_of to authenticated;

create function public.waiting_questions() returns jsonb
  language sql stable set search_path = '' as $$ select private.waiting_questions() $$;
comment on function public.waiting_questions is 'Questions that wait for the caller: under their own texts, or all of them for administrators.';
grant execute on function private.waiting_questions, public.waiting_questions to authenticated;

create function public.answer_question(question_id uuid, answer text) returns void
  language sql volatile set search_path = '' as $$ select private.answer_question(question_id, answer) $$;
comment on function public.answer_question is 'The mentor of a text, or an administrator, answers a question.';
grant execute on function private.answer_question, public.answer_question to authenticated;

create function public.delete_question(question_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_question(question_id) $$;
comment on function public.delete_question is 'Deletes one''s own question with its answer.';
grant execute on function private.delete_question, public.delete_question to authenticated;

create function public.remove_question(question_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.remove_question(question_id) $$;
comment on function public.remove_question is 'Administrators: remove a question with its answer.';
grant execute on function private.remove_question, public.remove_question to authenticated;

create function public.delete_rating(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_rating(article_id, course_id) $$;
comment on function public.delete_rating is 'Takes back one''s own rating of an article or a course.';
grant execute on function private.delete_rating, public.delete_rating to authenticated;

create function public.rating_of(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.rating_of(article_id, course_id) $$;
comment on function public.rating_of is 'The ratings of one article or course as its readers see them.';
grant execute on function private.rating_of, public.rating_of to authenticated;

-- rpc/messages.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.set_message_choice(accepts text) returns void
  language sql volatile set search_path = '' as $$ select private.set_message_choice(accepts) $$;
comment on function public.set_message_choice is 'Sets who may write to the caller: everyone, known (mentors, administrators and members the caller has written to) or nobody.';
grant execute on function private.set_message_choice, public.set_message_choice to authenticated;

create function public.mark_conversation_read(conversation_id uuid, up_to timestamp with time zone) returns void
  language sql volatile set search_path = '' as $$ select private.mark_conversation_read(conversation_id, up_to) $$;
comment on function public.mark_conversation_read is 'Saves how far the caller has read in a conversation.';
grant execute on function private.mark_conversation_read, public.mark_conversation_read to authenticated;

create function public.send_direct_message(message_id uuid, recipient_id uuid, content text, parent_id uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.send_direct_message(message_id, recipient_id, content, parent_id) $$;
comment on function public.send_direct_message is 'Sends a message to another member. The id is the client''s: sending it again stores nothing more.';
grant execute on function private.send_direct_message, public.send_direct_message to authenticated;

create function public.edit_direct_message(message_id uuid, new_content text) returns void
  language sql volatile set search_path = '' as $$ select private.edit_direct_message(message_id, new_content) $$;
comment on function public.edit_direct_message is 'Changes the text of the caller''s own direct message.';
grant execute on function private.edit_direct_message, public.edit_direct_message to authenticated;

create function public.delete_direct_message(message_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_direct_message(message_id) $$;
comment on function public.delete_direct_message is 'Deletes the caller''s own direct message for both members.';
grant execute on function private.delete_direct_message, public.delete_direct_message to authenticated;

create function public.notify_direct_typing(conversation_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.notify_direct_typing(conversation_id) $$;
comment on function public.notify_direct_typing is 'The caller is typing to the other member. Call it every few seconds while typing.';
grant execute on function private.notify_direct_typing, public.notify_direct_typing to authenticated;

create function public.my_conversations(before_at timestamp with time zone default NULL::timestamp with time zone, before_id uuid default NULL::uuid, page_size integer default 30) returns table(conversation_id uuid, member jsonb, last_message_at timestamp with time zone, excerpt text, is_own boolean, unread integer)
  language sql stable set search_path = '' as $$ select * from private.my_conversations(before_at, before_id, page_size) $$;
comment on function public.my_conversations is 'The caller''s conversations with the beginning of the last message (empty once deleted) and what is unread, newest first.';
grant execute on function private.my_conversations, public.my_conversations to authenticated;

create function public.unread_conversations() returns integer
  language sql stable set search_path = '' as $$ select private.unread_conversations() $$;
comment on function public.unread_conversations is 'How many of the caller''s conversations have something unread, at most 99.';
grant execute on function private.unread_conversations, public.unread_conversations to authenticated;

create function public.direct_conversation(id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.direct_conversation(id) $$;
comment on function public.direct_conversation is 'Whom a conversation is with, whether the caller may write now, and how far the caller has read; null when there is no such member.';
grant execute on function private.direct_conversation, public.direct_conversation to authenticated;

-- rpc/notifications.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.claim_pushes(batch_size integer default 50, lease interval default '00:05:00'::interval) returns table(notification_id bigint, subscription_id uuid, claim uuid, endpoint text, p256dh text, auth_key text, line jsonb)
  language sql volatile set search_path = '' as $$ select * from private.claim_pushes(batch_size, lease) $$;
comment on function public.claim_pushes is 'Server: take the push messages to send.';
grant execute on function private.claim_pushes, public.claim_pushes to service_role;

create function public.record_push_result(notification_id bigint, subscription_id uuid, claim uuid, outcome text) returns boolean
  language sql volatile set search_path = '' as $$ select private.record_push_result(notification_id, subscription_id, claim, outcome) $$;
comment on function public.record_push_result is 'Server: a push message was sent, or could not be.';
grant execute on function private.record_push_result, public.record_push_result to service_role;

create function public.save_push_subscription(endpoint text, p256dh text, auth_key text) returns void
  language sql volatile set search_path = '' as $$ select private.save_push_subscription(endpoint, p256dh, auth_key) $$;
comment on function public.save_push_subscription is 'Turns push messages on in the browser that has this subscription, for as long as the caller stays signed in there.';
grant execute on function private.save_push_subscription, public.save_push_subscription to authenticated;

create function public.my_notifications(before timestamp with time zone default NULL::timestamp with time zone, page_size integer default 20) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_notifications(before, page_size) $$;
comment on function public.my_notifications is 'The caller''s notifications: `items`, newest first, and how many are `unread`. The next page is before the created_at of the last item. `as_of` is a moment since which all changes are worth a new reading.';
grant execute on function private.my_notifications, public.my_notifications to authenticated;

create function public.mark_notifications_read(up_to timestamp with time zone, notification_id bigint default NULL::bigint) returns void
  language sql volatile set search_path = '' as $$ select private.mark_notifications_read(up_to, notification_id) $$;
comment on function public.mark_notifications_read is 'The caller has read their notifications up to this moment; with an id only those shown as one with it.';
grant execute on function private.mark_notifications_read, public.mark_notifications_read to authenticated;

create function public.purge_notifications() returns void
  language sql volatile set search_path = '' as $$ select private.purge_notifications() $$;
comment on function public.purge_notifications is 'Server: deletes notifications that are too old to keep.';
grant execute on function private.purge_notifications, public.purge_notifications to service_role;

-- rpc/pacts.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.remind_of_pacts() returns void
  language sql volatile set search_path = '' as $$ select private.remind_of_pacts() $$;
comment on function public.remind_of_pacts is 'Server: reminds members of pacts that are due.';
grant execute on function private.remind_of_pacts, public.remind_of_pacts to service_role;

create function public.ask_witnesses(pact_id uuid, witnesses uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.ask_witnesses(pact_id, witnesses) $$;
comment on function public.ask_witnesses is 'Asks up to three members to witness the caller''s open pact. They accept themselves.';
grant execute on function private.ask_witnesses, public.ask_witnesses to authenticated;

create function public.make_pact(pact_id uuid, title text, content text, due_on date, witnesses uuid[] default '{}'::uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.make_pact(pact_id, title, content, due_on, witnesses) $$;
comment on function public.make_pact is 'Makes a pact: a submission that says what the caller will do, by when, and how one will know.';
grant execute on function private.make_pact, public.make_pact to authenticated;

create function public.answer_witness(pact_id uuid, accepts boolean) returns void
  language sql volatile set search_path = '' as $$ select private.answer_witness(pact_id, accepts) $$;
comment on function public.answer_witness is 'Accepts or declines to witness a pact.';

reset check_function_bodies;
