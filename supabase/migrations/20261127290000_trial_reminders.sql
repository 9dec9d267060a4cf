-- A member hears before free days turn into payments: the card networks ask for seven days' notice.

insert into private.email_templates (name, kind) values ('trial_ending', 'money');

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
    -- An older price of the plan may be another amount, which is then not named.
    left join public.plans o on o.price_id = s.price_id
    where s.deleted_at is null and s.status = 'trialing' and not s.cancel_at_period_end and e.ends_at > now()
      -- A day early, so that seven whole days are left however late the run is; three of a shorter trial.
      and e.ends_at - now() <= case when e.ends_at - e.began_at > interval '8 days' then interval '8 days' else interval '4 days' end
  ) due;
  return queued;
end
$$;
revoke all on function private.queue_trial_reminders() from public, anon, authenticated, service_role;
grant execute on function private.queue_trial_reminders() to service_role;
comment on function private.queue_trial_reminders() is 'Queues an e-mail about each trial that ends within eight days, or four when the whole trial is no longer than eight, once for each; their number.';

create function public.queue_trial_reminders() returns integer
language sql set search_path = '' as $$ select private.queue_trial_reminders() $$;
revoke all on function public.queue_trial_reminders() from public, anon, authenticated, service_role;
grant execute on function public.queue_trial_reminders() to service_role;
comment on function public.queue_trial_reminders() is 'Server: queue e-mails about trials that end soon.';
