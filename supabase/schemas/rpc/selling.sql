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

create function public.my_gifts() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_gifts() $$;
comment on function public.my_gifts is 'What can be given, and the gifts that the caller bought.';
grant execute on function private.my_gifts, public.my_gifts to authenticated;

create function public.billing_begin_gift(member uuid, request uuid, plan text, months integer, expected_pence integer, joining uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_gift(member, request, plan, months, expected_pence, joining) $$;
comment on function public.billing_begin_gift is 'Server: open an attempt at buying a gift membership.';
grant execute on function private.billing_begin_gift, public.billing_begin_gift to service_role;

create function public.billing_record_gift_payment(purchase uuid, payment_intent text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_record_gift_payment(purchase, payment_intent) $$;
comment on function public.billing_record_gift_payment is 'Server: claim a payment for an attempt at a gift before confirming it.';
grant execute on function private.billing_record_gift_payment, public.billing_record_gift_payment to service_role;

create function public.billing_end_gift(purchase uuid, outcome text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_gift(purchase, outcome) $$;
comment on function public.billing_end_gift is 'Server: close an attempt at buying a gift.';
grant execute on function private.billing_end_gift, public.billing_end_gift to service_role;

create function public.billing_open_gifts(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_open_gifts(member) $$;
comment on function public.billing_open_gifts is 'Server: gifts whose payment is to be finished before the account is deleted.';
grant execute on function private.billing_open_gifts, public.billing_open_gifts to service_role;

create function public.billing_take_gifts() returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_take_gifts() $$;
comment on function public.billing_take_gifts is 'Server: gifts to compare with the provider.';
grant execute on function private.billing_take_gifts, public.billing_take_gifts to service_role;

create function public.redeem_gift(code text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.redeem_gift(code) $$;
comment on function public.redeem_gift is 'Redeem a gift code: redeemed with its end, or unknown, used, closed, member or admin.';
grant execute on function private.redeem_gift, public.redeem_gift to authenticated;

create function public.queue_gift_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_gift_reminders() $$;
comment on function public.queue_gift_reminders is 'Server: queue e-mails about gift memberships that end soon.';
grant execute on function private.queue_gift_reminders, public.queue_gift_reminders to service_role;

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
