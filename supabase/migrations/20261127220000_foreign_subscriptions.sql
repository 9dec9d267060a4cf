-- A customer of the card provider may also pay for another product of the same account. Such a subscription is kept as it
-- was read, but it is never the member's current one: it opens nothing, and stands in the way of nothing.

create or replace function private.billing_elect_current(customer text) returns void
  language plpgsql set search_path = ''
as $$
declare
  best bigint;
begin
  select s.id into best from public.stripe_subscriptions s
  left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
  left join private.plan_prices o on o.price_id = s.price_id
  left join public.plans p on p.id = o.plan_id
  where s.customer_id = customer and (s.price_id is null or o.price_id is not null)
  order by private.billing_rank(s.status) desc, p.role = 'mentor' desc nulls last, r.created_at_provider desc nulls last, s.id desc limit 1;
  -- Without any of a plan's, `best` is null and no row stays.
  update public.stripe_subscriptions s set deleted_at = now()
  where s.customer_id = customer and s.id is distinct from best and s.deleted_at is null;
  update public.stripe_subscriptions s set deleted_at = null where s.id = best and s.deleted_at is not null;
end
$$;
comment on function private.billing_elect_current(text) is
  'Makes the best subscription of a customer to a plan''s price the current row; none where there is none.';

-- As before, but one who paid for another product alone has never paid here.
create or replace view private.membership_statuses with (security_invoker = true) as
  select d.user_id, case
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
    ) then 'paying'
    when exists (select from private.live_memberships m where m.user_id = d.user_id) then 'complimentary'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status = 'past_due'
    ) then 'past_due'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
        and (s.price_id is null or exists (select from private.plan_prices o where o.price_id = s.price_id))
    ) then 'lapsed'
    else 'never_paid'
  end as status
  from private.member_search_index d;

-- What earlier readings made the current one.
select private.billing_elect_current(wrong.customer_id)
from (
  select distinct s.customer_id from public.stripe_subscriptions s
  where s.deleted_at is null and s.price_id is not null
    and not exists (select from private.plan_prices o where o.price_id = s.price_id)
) wrong;
