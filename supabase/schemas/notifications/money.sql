-- What causes the e-mail causes the line, once each. `detail` names the subscription or the refund.
create function private.tg_email_outbox__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, case new.template when 'course_refunded' then 'payment_refunded' else new.template end,
    split_part(new.cause_key, ':', 2)
  from public.profiles r where r.id = new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$$;
create trigger email_outbox__notify
  after insert on private.email_outbox for each row
  when (new.template in ('membership_ended', 'payment_refunded', 'course_refunded'))
  execute function private.tg_email_outbox__notify();

create function private.notification_part_money(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = ''
as $$
declare
  is_live constant boolean := private.has_live_membership(member);
begin
  return query
  select n.id, case n.kind
    when 'membership_ended' then jsonb_build_object('why', (
      select s.hold from public.stripe_subscriptions s where s.subscription_id = n.detail
    ))
    else coalesce((
      select jsonb_build_object('amount_pence', r.amount, 'currency', upper(r.currency))
      from private.payment_records r where r.kind = 'refund' and r.provider_id = n.detail
      order by r.status = 'succeeded' desc limit 1
    ), '{}') end
  from private.newest_notifications(member, array['membership_ended', 'payment_refunded']) n
  where n.kind = 'payment_refunded' or not is_live;
end
$$;
comment on function private.notification_part_money(uuid) is
  'Refunds, and the end of a membership until the next one begins, with the reason a payment gave for it.';
