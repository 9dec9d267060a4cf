-- The rows that every installation begins with. What an owner changes, such as plans, rooms, limits and texts, is changed
-- in the console or with a command; what ships with the product is changed by a later migration.
-- Every installation has these two plans.
insert into public.plans (id, name, role, amount_pence, price_id) values
  ('student-access', 'Student Access', 'student', 5000, 'price_student_access'),
  ('mentor-access', 'Mentor Access', 'mentor', 10000, 'price_mentor_access');

insert into private.required_answers (page_number, question) values
  (6, 'current_situation'), (6, 'biggest_challenge'), (6, 'goals_6_months'), (6, 'goals_1_year'), (6, 'motivation'),
  (7, 'first_name'), (7, 'last_name'), (7, 'occupation');

insert into private.required_answers (page_number, question, pattern) values
  (6, 'commitment_level', '^([1-9]|10)$');

insert into public.level_requirements (level, kind, category, needed) values
  (1, 'rooms', null, 5), (1, 'submissions', null, 3), (1, 'engagements', null, 50),
  (2, 'articles', 'general', 25), (2, 'courses', 'general', 5), (2, 'engagements', null, 150),
  (3, 'articles', 'business', 25), (3, 'courses', 'business', 5), (3, 'engagements', null, 350),
  (4, 'articles', 'wealth', 25), (4, 'courses', 'wealth', 5), (4, 'engagements', null, 550);

-- Nobody is there yet to be told that rooms are new.
alter table public.chat_rooms disable trigger chat_rooms__announce_created;
insert into public.chat_rooms (id, name, description, min_level_required) values
  ('general', 'General', 'The front room. Introduce yourself, ask anything, meet the others.', 1),
  ('accountability', 'Accountability', 'Say what you will do this week, and come back to say how it went.', 1),
  ('motivation', 'Motivation', 'For the days when it is hard to begin, and for what helped you to.', 1),
  ('productivity', 'Productivity', 'Calendars, habits and tools: how the work really gets done.', 1),
  ('success', 'Success', 'Good news, large and small. Tell us what worked and why.', 1),
  ('reading-circle', 'Reading Circle', 'One article or book at a time: what it says, and what you will do with it.', 2),
  ('study-partners', 'Study Partners', 'Find somebody on the same course and keep each other going.', 2),
  ('clear-thinking', 'Clear Thinking', 'Decisions, arguments and habits of mind, taken apart with care.', 2),
  ('skills-workshop', 'Skills Workshop', 'Writing, speaking, selling: practise in public and ask for an honest view.', 2),
  ('first-clients', 'First Clients', 'From no customer to ten: finding them, asking them, keeping them.', 3),
  ('offers-and-pricing', 'Offers and Pricing', 'What you sell, to whom, and what it ought to cost.', 3),
  ('marketing', 'Marketing', 'Being found and being remembered, with numbers to show for it.', 3),
  ('operations', 'Operations', 'Hiring, suppliers, contracts and cash: the machine behind the promise.', 3),
  ('founders-table', 'Founders'' Table', 'For those who run something and would like to talk to others who do.', 3),
  ('investing', 'Investing', 'Funds, shares and patience. Reasoning is welcome, tips are not.', 4),
  ('property', 'Property', 'Buying, letting, mending and selling, with the arithmetic.', 4),
  ('cash-flow', 'Cash Flow', 'Income from several sources, and what to do with it each month.', 4),
  ('protection', 'Protection', 'Tax, insurance and law: keeping what you have built.', 4),
  ('legacy', 'Legacy', 'What wealth is for: family, giving, and work that outlasts you.', 4);
alter table public.chat_rooms enable trigger chat_rooms__announce_created;

insert into private.trial_card_keys (key) values (extensions.gen_random_bytes(32));

insert into private.affiliate_terms
  (rate_basis_points, commission_months, attribution_days, pending_days, least_payout_pence)
values (2000, 12, 60, 30, 1000);

insert into private.guarantee_terms
  (months, income_multiple, least_base_pence, baseline_days, claim_days, check_ins, submissions, messages, articles)
values (6, 10, 10000, 7, 30, 6, 12, 150, 12);

insert into private.content_days_state (counted_until) values ('2000-01-01');

insert into private.selling_terms (share_basis_points, referral_basis_points, refund_days) values (7000, 1000, 14);

insert into private.push_services (service) values
  ('fcm.googleapis.com'), ('push.services.mozilla.com'), ('push.apple.com'), ('notify.windows.com');

insert into private.achievement_kinds (key, measure, needed, title, line, is_told, position) values
  ('first_room', 'rooms', 1, 'First room', 'Opened a first room.', false, 10),
  ('first_message', 'messages', 1, 'First message', 'Wrote a first message.', false, 20),
  ('first_submission', 'submissions', 1, 'First submission', 'Shared a first submission.', false, 30),
  ('first_article', 'articles', 1, 'First article', 'Read a first article to the end.', false, 40),
  ('first_course', 'courses', 1, 'First course', 'Finished a first course.', false, 50),
  ('courses_5', 'courses', 5, 'Five courses', 'Finished five courses.', true, 60),
  ('courses_15', 'courses', 15, 'Fifteen courses', 'Finished fifteen courses.', true, 70),
  ('pacts_1', 'pacts', 1, 'First pact kept', 'Kept a first pact before a witness.', true, 80),
  ('pacts_5', 'pacts', 5, 'Five pacts kept', 'Kept five pacts before witnesses.', true, 90),
  ('pacts_10', 'pacts', 10, 'Ten pacts kept', 'Kept ten pacts before witnesses.', true, 100),
  ('weeks_4', 'weeks', 4, 'Four weeks', 'Active in four weeks of one streak.', true, 110),
  ('weeks_12', 'weeks', 12, 'Twelve weeks', 'Active in twelve weeks of one streak.', true, 120),
  ('weeks_26', 'weeks', 26, 'Half a year', 'Active in 26 weeks of one streak.', true, 130),
  ('weeks_52', 'weeks', 52, 'A whole year', 'Active in 52 weeks of one streak.', true, 140),
  ('level_2', 'levels', 1, 'Level 2: Knowledge', 'Reached Level 2: Knowledge.', false, 150),
  ('level_3', 'levels', 2, 'Level 3: Business', 'Reached Level 3: Business.', false, 160),
  ('level_4', 'levels', 3, 'Level 4: Wealth', 'Reached Level 4: Wealth.', false, 170),
  ('all_levels', 'levels', 4, 'All four levels', 'Completed all four levels.', true, 180);

insert into public.business_details default values;

-- How often a member may do something. The owner changes these on the console.
insert into private.rate_limits (action, max_count, period) values
  ('affiliate_visit', 30, '1 hour'), ('analytics', 60, '1 minute'), ('announce', 5, '1 hour'),
  ('answer', 60, '1 hour'), ('article_read', 30, '1 minute'), ('ask', 10, '1 hour'), ('block', 30, '1 hour'),
  ('change_plan', 60, '1 hour'), ('change_renewal', 30, '1 hour'), ('claim_referral', 20, '1 hour'),
  ('collaboration', 20, '1 day'), ('comment', 30, '1 minute'), ('content_picture', 60, '1 hour'),
  ('conversation', 15, '1 day'), ('create_customer', 20, '10 minutes'), ('create_draft', 30, '1 hour'),
  ('delete_account', 10, '1 hour'), ('direct_message', 40, '1 minute'), ('edit_submission', 30, '1 hour'),
  ('export', 20, '1 hour'), ('export_note', 20, '1 hour'), ('export_studio', 20, '1 hour'),
  ('export_versions', 600, '1 hour'), ('film_upload', 60, '1 hour'), ('guarantee', 20, '1 hour'),
  ('import_draft', 300, '1 hour'), ('like', 120, '1 minute'), ('message', 60, '1 minute'),
  ('message_choice', 30, '1 hour'), ('message_picture', 30, '1 hour'), ('message_search', 60, '1 minute'),
  ('nudge', 60, '1 hour'), ('people', 120, '1 minute'), ('preview_code', 30, '1 hour'),
  ('profile_choices', 60, '1 hour'), ('profile_picture', 20, '1 hour'), ('public_code', 30, '1 minute'),
  ('purchase', 60, '1 hour'), ('push_subscription', 30, '1 hour'), ('rate_text', 30, '1 hour'),
  ('reaction', 120, '1 minute'), ('reactors', 120, '1 minute'), ('recovery_code', 5, '1 hour'),
  ('recovery_codes', 10, '1 hour'), ('report', 20, '1 hour'), ('save_course_offer', 60, '1 hour'),
  ('save_draft', 60, '1 minute'), ('share_card', 30, '1 hour'), ('submission', 10, '1 hour'),
  ('typing', 60, '1 minute'), ('update_card', 30, '1 hour'), ('witness', 30, '1 hour');

-- `asks`: the notification waits for something the member has to do.
insert into private.notification_kinds (kind, topic, asks) values
  ('identity_approved', 'account', false), ('identity_rejected', 'account', true), ('legal_changed', 'account', false),
  ('membership_ended', 'account', false), ('moderated', 'account', false), ('payment_failed', 'account', true),
  ('payment_refunded', 'account', false), ('report_decided', 'account', false), ('sale_ended', 'account', false),
  ('answer', 'learning', true), ('draft_not_published', 'learning', true), ('draft_published', 'learning', false),
  ('draft_recalled', 'learning', true), ('draft_returned', 'learning', true), ('draft_scheduled', 'learning', false),
  ('draft_withdrawn', 'learning', true), ('nudge', 'learning', true), ('question', 'learning', false),
  ('direct_message', 'messages', true), ('pact_due', 'pacts', true), ('pact_outcome', 'pacts', false),
  ('witness_accepted', 'pacts', false), ('witness_asked', 'pacts', true), ('witness_declined', 'pacts', false),
  ('achievement', 'progress', false), ('baseline_due', 'progress', false), ('certificate', 'progress', false),
  ('check_in_due', 'progress', false), ('level_up', 'progress', false), ('announcement', 'rooms', false),
  ('mention', 'rooms', true), ('message_like', 'rooms', false), ('reply', 'rooms', true), ('room_open', 'rooms', false),
  ('submission_comment', 'submissions', true), ('submission_like', 'submissions', false),
  ('submission_mention', 'submissions', true);

insert into private.email_templates (name, kind) values
  ('digest', 'digest'), ('identity_approved', 'identity'), ('identity_attempts_reset', 'identity'),
  ('identity_rejected', 'identity'), ('course_dispute_won', 'money'), ('course_disputed', 'money'),
  ('course_receipt', 'money'), ('course_refunded', 'money'), ('dispute_opened', 'money'), ('dispute_won', 'money'),
  ('guarantee_declined', 'money'), ('guarantee_granted', 'money'), ('membership_cancelled', 'money'),
  ('membership_ended', 'money'), ('membership_withdrawn', 'money'), ('payment_disputed', 'money'),
  ('payment_failed', 'money'), ('payment_refunded', 'money'), ('plan_changed', 'money'), ('receipt', 'money'),
  ('renewal_coming', 'money'), ('trial_ending', 'money'), ('card_expiring', 'reminders'), ('guarantee_baseline', 'reminders'),
  ('guarantee_check_in', 'reminders'), ('guarantee_claim_open', 'reminders'), ('account_suspended', 'security'),
  ('welcome', 'tips');

-- The texts an owner may rewrite, and the placeholders each may hold.
insert into private.email_texts (template, key, placeholders)
select t.template, k, t.placeholders from (values
  ('account_suspended', '{closing,heading,subject}'::text[], '{support}'::text[]),
  ('card_expiring', '{closing,heading,opening,subject}', '{last4,month}'),
  ('course_dispute_won', '{heading,opening,subject}', '{amount,course}'),
  ('course_disputed', '{closing,heading,opening,subject}', '{amount,course,support}'),
  ('course_receipt', '{closing,heading,subject}', '{amount,course}'),
  ('course_refunded', '{closing,heading,subject}', '{amount,course}'),
  ('digest', '{closing,heading,opening,subject}', '{}'),
  ('dispute_opened', '{closing,heading,subject}', '{amount,plan}'),
  ('dispute_won', '{heading,opening,subject}', '{amount,plan}'),
  ('guarantee_baseline', '{closing,heading,opening,subject}', '{until}'),
  ('guarantee_check_in', '{closing,heading,opening,subject}', '{until}'),
  ('guarantee_claim_open', '{closing,heading,opening,subject}', '{until}'),
  ('guarantee_declined', '{heading,opening,subject}', '{}'),
  ('guarantee_granted', '{closing,heading,opening,subject}', '{}'),
  ('identity_approved', '{closing,heading,opening,subject}', '{document}'),
  ('identity_attempts_reset', '{closing,heading,opening,subject}', '{}'),
  ('identity_rejected', '{closing,heading,opening,subject}', '{document}'),
  ('membership_cancelled', '{closing,heading,subject}', '{plan}'),
  ('membership_ended', '{closing,heading,subject}', '{plan}'),
  ('membership_withdrawn', '{closing,heading,opening,subject}', '{plan,date,amount}'),
  ('payment_disputed', '{closing,heading,opening,subject}', '{amount,plan,support}'),
  ('payment_failed', '{closing,heading,subject}', '{plan}'),
  ('payment_refunded', '{closing,heading,subject}', '{amount,plan}'),
  ('plan_changed', '{heading,subject}', '{plan,from}'),
  ('receipt', '{closing,heading,subject}', '{amount,plan}'),
  ('renewal_coming', '{closing,heading,opening,subject}', '{plan,date}'),
  ('trial_ending', '{closing,heading,opening,subject}', '{plan,date}'),
  ('welcome', '{active,guarantee,heading,next,subject}', '{plan}')
) t (template, keys, placeholders) cross join unnest(t.keys) k;

-- Exactly 5 MB of a picture is too large.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('content-pictures', 'content-pictures', true, 5242879, array['image/jpeg', 'image/png']),
  ('course-films', 'course-films', false, 52428800, array['video/mp4', 'video/webm', 'text/vtt']),
  ('guarantee-documents', 'guarantee-documents', false, 10485760, array['image/jpeg', 'image/png', 'application/pdf']),
  ('learning-images', 'learning-images', true, 5242879, array['image/jpeg', 'image/png']),
  ('message-pictures', 'message-pictures', false, 5242879, array['image/jpeg', 'image/png']),
  ('profile-pictures', 'profile-pictures', true, 5242879, array['image/jpeg', 'image/png']),
  ('verification-documents', 'verification-documents', false, 10485760, array['image/jpeg', 'image/png', 'application/pdf']);
