-- E-mails that no change causes but the calendar.
-- @rpc service_role
-- Server: queue the e-mails about cards that expire soon.
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
comment on function private.queue_card_reminders() is
  'Queues an e-mail about each card that pays for a membership and expires within a month, once for each card; their number.';

-- @rpc service_role
-- Server: queue e-mails about trials that end soon.
create function private.queue_trial_reminders() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'trial_ending', 'trial_ending:' || due.subscription_id,
    jsonb_build_object('plan', due.plan, 'ends_at', due.ends_at, 'amount', due.amount_pence, 'currency', lower(due.currency))
  )) into queued
  from (
    select c.user_id, s.subscription_id, private.plan_name(s.price_id) as plan, e.ends_at, o.amount_pence, o.currency
    from public.stripe_subscriptions s
    cross join lateral (select to_timestamp(s.current_period_end), to_timestamp(s.current_period_start)) e (ends_at, began_at)
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- Of a former price the amount may not be known; it is then not named.
    left join private.plan_prices o on o.price_id = s.price_id
    where s.deleted_at is null and s.status = 'trialing' and not s.cancel_at_period_end and e.ends_at > now()
      -- A day early, so that seven whole days are left however late the run is; three of a shorter trial.
      and e.ends_at - now() <= case when e.ends_at - e.began_at > interval '8 days' then interval '8 days' else interval '4 days' end
  ) due;
  return queued;
end
$$;
comment on function private.queue_trial_reminders() is 'Queues an e-mail about each trial that ends within eight days, or four when the whole trial is no longer than eight, once for each; their number.';

-- @rpc service_role
-- Server: queue e-mails about renewals to come.
create function private.queue_renewal_reminders() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'renewal_coming', concat_ws(':', 'renewal_coming', due.subscription_id, due.current_period_end),
    jsonb_build_object('plan', due.plan, 'renews_at', due.renews_at, 'amount', due.amount_pence, 'currency', lower(due.currency))
  )) into queued
  from (
    select c.user_id, s.subscription_id, s.current_period_end, to_timestamp(s.current_period_end) as renews_at,
      private.plan_name(n.price_id) as plan, o.amount_pence, o.currency
    from public.stripe_subscriptions s
    left join public.billing_rules b on true
    cross join lateral (select coalesce(s.pending_price_id, s.price_id)) n (price_id)
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- Of a former price the amount may not be known; it is then not named.
    left join private.plan_prices o on o.price_id = n.price_id
    left join private.plan_prices h on h.price_id = s.price_id
    where s.deleted_at is null and s.status = 'active' and not s.cancel_at_period_end and s.hold is null
      and to_timestamp(s.current_period_end) > now()
      -- A year's price is always announced: nobody has last year's day in mind.
      and to_timestamp(s.current_period_end) - now() <= make_interval(days => case
        when 'year' in (o."interval", h."interval") then greatest(coalesce(b.renewal_reminder_days, 0), 14)
        else coalesce(b.renewal_reminder_days, 0)
      end)
  ) due;
  return queued;
end
$$;
comment on function private.queue_renewal_reminders() is 'Queues an e-mail about each membership that renews within the days of the rule, of a year''s price within at least 14, once for each period; their number.';
