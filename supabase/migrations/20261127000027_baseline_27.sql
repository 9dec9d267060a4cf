-- Part 27 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- rpc/console.sql
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
grant execute on function private.answer_witness, public.answer_witness to authenticated;

create function public.my_pacts() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_pacts() $$;
comment on function public.my_pacts is 'The caller''s own pacts, and the pacts the caller is asked to witness.';
grant execute on function private.my_pacts, public.my_pacts to authenticated;

create function public.pacts_of_submissions(submission_ids uuid[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.pacts_of_submissions(submission_ids) $$;
comment on function public.pacts_of_submissions is 'Due day, accepted witnesses and outcome of the pacts among up to 100 submissions.';
grant execute on function private.pacts_of_submissions, public.pacts_of_submissions to authenticated;

-- rpc/people.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.save_collaboration_post(post_id uuid, kind text, title text, details text, topics text[] default '{}'::text[]) returns void
  language sql volatile set search_path = '' as $$ select private.save_collaboration_post(post_id, kind, title, details, topics) $$;
comment on function public.save_collaboration_post is 'Makes an offer or a request under an id of the client''s, or changes an open one of the caller.';
grant execute on function private.save_collaboration_post, public.save_collaboration_post to authenticated;

create function public.close_collaboration_post(post_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.close_collaboration_post(post_id) $$;
comment on function public.close_collaboration_post is 'Closes an offer or a request of the caller for good.';
grant execute on function private.close_collaboration_post, public.close_collaboration_post to authenticated;

create function public.collaboration_page(search text default NULL::text, kind text default NULL::text, level integer default NULL::integer, topic text default NULL::text, after_id uuid default NULL::uuid, page_size integer default 20) returns setof jsonb
  language sql volatile set search_path = '' as $$ select * from private.collaboration_page(search, kind, level, topic, after_id, page_size) $$;
comment on function public.collaboration_page is 'Open offers and requests of other members, by words that may be misspelt, kind, level of the author and topic; the page after the post after_id.';
grant execute on function private.collaboration_page, public.collaboration_page to authenticated;

create function public.my_collaboration_posts() returns setof jsonb
  language sql stable set search_path = '' as $$ select * from private.my_collaboration_posts() $$;
comment on function public.my_collaboration_posts is 'The caller''s own offers and requests, open ones first.';
grant execute on function private.my_collaboration_posts, public.my_collaboration_posts to authenticated;

create function public.member_profile(member_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.member_profile(member_id) $$;
comment on function public.member_profile is 'The profile of a member as another sees it; null when there is none to see. Of a member the caller has blocked only the name.';
grant execute on function private.member_profile, public.member_profile to authenticated;

create function public.people_page(search text default NULL::text, level integer default NULL::integer, role text default NULL::text, occupation text default NULL::text, topic text default NULL::text, after_id uuid default NULL::uuid, page_size integer default 24) returns table(user_id uuid, name text, role_name text, occupation_name text, avatar_url text, member_level integer, topics text[])
  language sql volatile set search_path = '' as $$ select * from private.people_page(search, level, role, occupation, topic, after_id, page_size) $$;
comment on function public.people_page is 'Members: who is here, by words that may be misspelt, level, role, occupation and topic; best matches first, then by name; the page after the member after_id.';
grant execute on function private.people_page, public.people_page to authenticated;

create function public.block_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.block_member(member_id) $$;
comment on function public.block_member is 'Hides the caller and another member from each other, and deletes what the caller''s bell says of the other.';
grant execute on function private.block_member, public.block_member to authenticated;

create function public.unblock_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.unblock_member(member_id) $$;
comment on function public.unblock_member is 'Takes back the caller''s block of a member.';
grant execute on function private.unblock_member, public.unblock_member to authenticated;

create function public.my_blocks() returns table(member_id uuid, name text, avatar_url text, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.my_blocks() $$;
comment on function public.my_blocks is 'Whom the caller has blocked, newest first.';
grant execute on function private.my_blocks, public.my_blocks to authenticated;

-- rpc/profiles.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.set_my_picture(name text default NULL::text) returns text
  language sql volatile set search_path = '' as $$ select private.set_my_picture(name) $$;
comment on function public.set_my_picture is 'Sets the caller''s profile picture to an object of theirs, or removes it; returns the name of the former object.';
grant execute on function private.set_my_picture, public.set_my_picture to authenticated;

create function public.admin_remove_picture(member uuid, reason text) returns text
  language sql volatile set search_path = '' as $$ select private.admin_remove_picture(member, reason) $$;
comment on function public.admin_remove_picture is 'Administrators: take a member''s picture off their profile, with a reason; returns the name of its object.';
grant execute on function private.admin_remove_picture, public.admin_remove_picture to authenticated;

create function public.profile_pictures_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.profile_pictures_to_purge(after, batch) $$;
comment on function public.profile_pictures_to_purge is 'Server: profile pictures to delete now.';
grant execute on function private.profile_pictures_to_purge, public.profile_pictures_to_purge to service_role;

-- rpc/reports.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.report_queue(kind text default NULL::text) returns setof jsonb
  language sql stable set search_path = '' as $$ select * from private.report_queue(kind) $$;
comment on function public.report_queue is 'Administrators: what is reported and waits for a decision, of one kind or of all, oldest first.';
grant execute on function private.report_queue, public.report_queue to authenticated;

create function public.resolve_report(report_id bigint, decision text) returns void
  language sql volatile set search_path = '' as $$ select private.resolve_report(report_id, decision) $$;
comment on function public.resolve_report is 'Administrators: keep what was reported, or remove (a profile: clear) it.';
grant execute on function private.resolve_report, public.resolve_report to authenticated;

create function public.report(kind text, subject_id uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.report(kind, subject_id, reason) $$;
comment on function public.report is 'Reports something of another member to the administrators. Repeating it while it is open adds what it did not say yet.';
grant execute on function private.report, public.report to authenticated;

-- rpc/search.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.search_library(query text, max_results integer default 20) returns table(kind text, id text, title text, excerpt text, category text, path text, rank real)
  language sql stable set search_path = '' as $$ select * from private.search_library(query, max_results) $$;
comment on function public.search_library is 'Articles, courses, rooms and submissions the caller may read, best first, at most 50; typing errors are forgiven.';
grant execute on function private.search_library, public.search_library to authenticated;

create function public.search_messages(query text, room_id text default NULL::text, before_created_at timestamp with time zone default NULL::timestamp with time zone, before_id uuid default NULL::uuid, page_size integer default 20) returns table(message_id uuid, chat_room_id text, room_name text, user_id uuid, author_first_name text, author_last_name text, author_avatar_url text, excerpt text, created_at timestamp with time zone)
  language sql volatile set search_path = '' as $$ select * from private.search_messages(query, room_id, before_created_at, before_id, page_size) $$;
comment on function public.search_messages is 'Messages of a room, or of every room the caller may read, that have all the words; newest first, the next page starts after the last one.';
grant execute on function private.search_messages, public.search_messages to authenticated;

-- rpc/selling.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_courses() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_courses() $$;
comment on function public.my_courses is 'The courses that the caller bought, with their receipts.';
grant execute on function private.my_courses, public.my_courses to authenticated;

create function public.bought_course(course uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.bought_course(course) $$;
comment on function public.bought_course is 'A course that the caller bought, to read.';
grant execute on function private.bought_course, public.bought_course to authenticated;

create function public.complete_bought_lesson(module uuid) returns void
  language sql volatile set search_path = '' as $$ select private.complete_bought_lesson(module) $$;
comment on function public.complete_bought_lesson is 'A buyer finished a lesson.';
grant execute on function private.complete_bought_lesson, public.complete_bought_lesson to authenticated;

create function public.take_newest_bought_version(course uuid) returns void
  language sql volatile set search_path = '' as $$ select private.take_newest_bought_version(course) $$;
comment on function public.take_newest_bought_version is 'A buyer takes the newest version of a course.';
grant execute on function private.take_newest_bought_version, public.take_newest_bought_version to authenticated;

create function public.my_commissions(before_time timestamp with time zone default NULL::timestamp with time zone, before_charge text default NULL::text) returns table(charge_id text, invoice_number text, paid_at timestamp with time zone, payable_at timestamp with time zone, state text, amount_pence bigint, kind text, course_title text)
  language sql stable set search_path = '' as $$ select * from private.my_commissions(before_time, before_charge) $$;
comment on function public.my_commissions is 'Fifty payments that earned for the caller, newest first.';
grant execute on function private.my_commissions, public.my_commissions to authenticated;

create function public.my_course_offers() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_course_offers() $$;
comment on function public.my_course_offers is 'Mentors: courses one sells or can sell.';
grant execute on function private.my_course_offers, public.my_course_offers to authenticated;

create function public.end_course_sale(course uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.end_course_sale(course, reason) $$;
comment on function public.end_course_sale is 'Administrators: take a course off sale, with a reason that its mentor reads. Buyers keep it.';
grant execute on function private.end_course_sale, public.end_course_sale to authenticated;

create function public.allow_course_sale(course uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.allow_course_sale(course, reason) $$;
comment on function public.allow_course_sale is 'Administrators: let the mentor put a course on sale again that an administrator took off. It is not on sale by that.';
grant execute on function private.allow_course_sale, public.allow_course_sale to authenticated;

create function public.content_sale(course uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.content_sale(course) $$;
comment on function public.content_sale is 'Administrators: the sale of a course, null when it was never offered.';
grant execute on function private.content_sale, public.content_sale to authenticated;

create function public.course_offer(slug text) returns jsonb
  language sql stable set search_path = '' as $$ select private.course_offer(slug) $$;
comment on function public.course_offer is 'Server: the public page of a course. Function course-offer gives it to visitors.';
grant execute on function private.course_offer, public.course_offer to service_role;

create function public.save_course_offer(course uuid, slug text, outcomes text[], free_module uuid, is_on_sale boolean) returns void
  language sql volatile set search_path = '' as $$ select private.save_course_offer(course, slug, outcomes, free_module, is_on_sale) $$;
comment on function public.save_course_offer is 'Mentors: the sale page of a course of one''s own.';
grant execute on function private.save_course_offer, public.save_course_offer to authenticated;

create function public.courses_on_sale() returns jsonb
  language sql stable set search_path = '' as $$ select private.courses_on_sale() $$;
comment on function public.courses_on_sale is 'Members: courses that one''s link can bring buyers to.';
grant execute on function private.courses_on_sale, public.courses_on_sale to authenticated;

create function public.billing_begin_course_purchase(member uuid, slug text, expected_pence integer, joining uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_course_purchase(member, slug, expected_pence, joining) $$;
comment on function public.billing_begin_course_purchase is 'Server: open an attempt at buying a course.';
grant execute on function private.billing_begin_course_purchase, public.billing_begin_course_purchase to service_role;

create function public.billing_record_course_payment(purchase uuid, payment_intent text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_record_course_payment(purchase, payment_intent) $$;
comment on function public.billing_record_course_payment is 'Server: claim a payment for an attempt before confirming it.';
grant execute on function private.billing_record_course_payment, public.billing_record_course_payment to service_role;

create function public.billing_end_course_purchase(purchase uuid, outcome text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_course_purchase(purchase, outcome) $$;
comment on function public.billing_end_course_purchase is 'Server: close an attempt at buying a course.';
grant execute on function private.billing_end_course_purchase, public.billing_end_course_purchase to service_role;

create function public.billing_open_course_purchases(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_open_course_purchases(member) $$;
comment on function public.billing_open_course_purchases is 'Server: purchases to finish before the account is deleted.';
grant execute on function private.billing_open_course_purchases, public.billing_open_course_purchases to service_role;

create function public.billing_take_course_purchases() returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_take_course_purchases() $$;
comment on function public.billing_take_course_purchases is 'Server: purchases of courses to compare with the provider.';
grant execute on function private.billing_take_course_purchases, public.billing_take_course_purchases to service_role;

-- rpc/studio.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_course_analytics(course_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_course_analytics(course_id) $$;
comment on function public.my_course_analytics is 'Mentors: the analytics of one of their courses as one object.';
grant execute on function private.my_course_analytics, public.my_course_analytics to authenticated;

create function public.my_article_analytics(article_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_article_analytics(article_id) $$;
comment on function public.my_article_analytics is 'Mentors: the analytics of one of their articles as one object.';
grant execute on function private.my_article_analytics, public.my_article_analytics to authenticated;

create function public.my_content_figures() returns table(content_id uuid, kind text, title text, category text, is_published boolean, readers bigint, reads bigint, enrolments bigint, completions bigint, questions bigint, open_questions bigint)
  language sql stable set search_path = '' as $$ select * from private.my_content_figures() $$;
comment on function public.my_content_figures is 'Mentors: their articles and courses with readers, reads, enrolments, completions and questions.';
grant execute on function private.my_content_figures, public.my_content_figures to authenticated;

create function public.enrolled_course_version(course_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.enrolled_course_version(course_id) $$;
comment on function public.enrolled_course_version is 'The lessons of a course as they were when one began it, when a newer version has come out.';
grant execute on function private.enrolled_course_version, public.enrolled_course_version to authenticated;

create function public.take_newest_version(course_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.take_newest_version(course_id) $$;
comment on function public.take_newest_version is 'Moves one''s enrolment to the newest version of a course.';
grant execute on function private.take_newest_version, public.take_newest_version to authenticated;

create function public.keep_daily_versions(draft_id uuid) returns integer
  language sql volatile set search_path = '' as $$ select private.keep_daily_versions(draft_id) $$;
comment on function public.keep_daily_versions is 'Mentors: delete all but the last version of each day of a draft, except those of the last day, the published one and those with comments; how many.';
grant execute on function private.keep_daily_versions, public.keep_daily_versions to authenticated;

create function public.studio_subcategories() returns table(id uuid, main_category text, slug text, name text)
  language sql stable set search_path = '' as $$ select * from private.studio_subcategories() $$;
comment on function public.studio_subcategories is 'Mentors: the subcategories something can be published in.';
grant execute on function private.studio_subcategories, public.studio_subcategories to authenticated;

create function public.import_draft(kind text, fields jsonb, again boolean default false) returns jsonb
  language sql volatile set search_path = '' as $$ select private.import_draft(kind, fields, again) $$;
comment on function public.import_draft is 'Mentors: make a draft of a file, or name the one that is there already; draft_id and is_new.';
grant execute on function private.import_draft, public.import_draft to authenticated;

create function public.export_studio() returns jsonb
  language sql volatile set search_path = '' as $$ select private.export_studio() $$;
comment on function public.export_studio is 'Mentors: everything one wrote, to be put into files.';
grant execute on function private.export_studio, public.export_studio to authenticated;

create function public.content_pictures_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.content_pictures_to_purge(after, batch) $$;
comment on function public.content_pictures_to_purge is 'Server: pictures of articles and courses to delete now.';
grant execute on function private.content_pictures_to_purge, public.content_pictures_to_purge to service_role;

create function public.may_publish_draft(draft_id uuid) returns boolean
  language sql stable set search_path = '' as $$ select private.may_publish_draft(draft_id) $$;
comment on function public.may_publish_draft is 'Mentors: whether submit_draft publishes this draft of one''s own without a review.';
grant execute on function private.may_publish_draft, public.may_publish_draft to authenticated;

create function public.set_trusted_mentor(member uuid, trusted boolean, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.set_trusted_mentor(member, trusted, reason) $$;
comment on function public.set_trusted_mentor is 'Administrators: let a mentor publish without a review, or no longer. Needs a reason.';
grant execute on function private.set_trusted_mentor, public.set_trusted_mentor to authenticated;

create function public.publish_due_draft() returns text
  language sql volatile set search_path = '' as $$ select private.publish_due_draft() $$;
comment on function public.publish_due_draft is 'Server: publish or return one draft whose time has come: published, returned, or null when none is due.';
grant execute on function private.publish_due_draft, public.publish_due_draft to service_role;

create function public.sources_of_text(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns table(source text, members bigint, finished bigint)
  language sql stable set search_path = '' as $$ select * from private.sources_of_text(article_id, course_id) $$;
comment on function public.sources_of_text is 'Mentors: from where the readers of one of their articles or courses came.';
grant execute on function private.sources_of_text, public.sources_of_text to authenticated;

create function public.submit_draft(draft_id uuid, expected_version integer, publish_at timestamp with time zone default NULL::timestamp with time zone) returns text
  language sql volatile set search_path = '' as $$ select private.submit_draft(draft_id, expected_version, publish_at) $$;

reset check_function_bodies;
