-- E-mails that no change causes but the calendar.

create function private.queue_card_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'card_expiring', concat_ws(':', 'card_expiring', due.subscription_id, due.last4, due.expires),
    jsonb_build_object('card_last4', due.last4, 'expires', due.expires)
  )) into queued
  from (
    select c.user_id, s.subscription_id, s.payment_method_last4 as last4, s.payment_method_expires as expires
    from public.stripe_subscriptions s
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    where s.deleted_at is null and s.status in ('active', 'trialing') and not s.cancel_at_period_end
      and s.payment_method_last4 is not null
      -- A card is valid to the end of its month.
      and (to_date(s.payment_method_expires, 'YYYY-MM') + interval '1 month') between now() and now() + interval '31 days'
  ) due;
  return queued;
end
$$;
revoke all on function private.queue_card_reminders from public, anon, authenticated, service_role;
comment on function private.queue_card_reminders() is
  'Queues an e-mail about each card that pays for a membership and expires within a month, once for each card; their number.';
grant execute on function private.queue_card_reminders() to service_role;

create function public.queue_card_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_card_reminders() $$;
revoke all on function public.queue_card_reminders from public, anon, authenticated, service_role;
comment on function public.queue_card_reminders() is 'Server: queue the e-mails about cards that expire soon.';
grant execute on function public.queue_card_reminders() to service_role;
