-- Periods are those of subscriptions. A complimentary membership opens none and keeps none open: it is neither paid nor lost.
create or replace function private.update_membership_period(member uuid) returns void
  language plpgsql set search_path = '' as $$
begin
  if exists (
    select from public.stripe_customers c
    join public.stripe_subscriptions s on s.customer_id = c.customer_id
    join private.plan_prices o on o.price_id = s.price_id
    where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
  ) then
    insert into private.membership_periods (user_id, started_at) values (member, now())
    on conflict (user_id) where ended_at is null do nothing;
  else
    update private.membership_periods p set ended_at = greatest(p.started_at, now())
    where p.user_id = member and p.ended_at is null;
  end if;
end
$$;
comment on table private.membership_periods is 'Each time in which an account had a live subscription without a gap.';
comment on function private.update_membership_period(uuid) is 'Opens or ends the period of an account, by whether its subscription is live now.';
