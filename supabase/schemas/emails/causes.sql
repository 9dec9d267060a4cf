-- What happened and which e-mail it causes. Each trigger names its cause, so that a repetition causes no second e-mail.
create function private.plan_name(price text) returns text
  language sql stable set search_path = '' as $$
  select p.name from private.plan_prices o join public.plans p on p.id = o.plan_id where o.price_id = price
$$;
comment on function private.plan_name(text) is 'Name of the plan a price was ever sold for; null for other prices.';

create function private.plan_name_beside(price text, other text) returns text
  language sql stable set search_path = '' as $$
  select p.name || case when o."interval" = b."interval" then '' when o."interval" = 'year' then ', paid yearly' else ', paid monthly' end
  from private.plan_prices o join public.plans p on p.id = o.plan_id
  left join private.plan_prices b on b.price_id = other
  where o.price_id = price
$$;
comment on function private.plan_name_beside(text, text) is
  'Name of the plan of a price, with how often it is paid where the other price differs in that; null for other prices.';

-- Each payment, refund and state of a dispute is recorded once, whatever the number of its events. One that is found after
-- a month is an old one, which an operator's import or a repair brings up: nobody waits for its e-mail. Administrators are told
-- of every dispute, also of one that was decided before it was read.
create function private.tg_payment_records__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  bought constant private.course_purchases := (
    select p from private.billing_charges c join private.course_purchases p on p.payment_intent_id = c.payment_intent_id
    where c.charge_id = new.charge_id
  );
  gift constant private.gift_memberships := (
    select g from private.billing_charges c join private.gift_memberships g on g.payment_intent_id = c.payment_intent_id
    where c.charge_id = new.charge_id
  );
  told constant text := case
    when new.kind = 'payment' and new.status = 'succeeded' and new.amount > 0 then 'receipt'
    when new.kind = 'refund' and new.status = 'succeeded' then 'payment_refunded'
    when new.kind = 'dispute' and new.status = 'won' then 'dispute_won'
    when new.kind = 'dispute' and new.status not in ('lost', 'prevented') and new.status not like 'warning%' then 'payment_disputed'
  end;
  template constant text := case
    when gift.id is not null then case told when 'receipt' then 'gift_receipt' when 'payment_refunded' then told end
    when bought.id is null then told else case told
    when 'receipt' then 'course_receipt' when 'payment_refunded' then 'course_refunded'
    when 'payment_disputed' then 'course_disputed' when 'dispute_won' then 'course_dispute_won'
  end end;
  facts constant jsonb := jsonb_build_object(
    'amount', new.amount, 'currency', new.currency, 'happened_at', new.happened_at, 'number', new.charge_id
  ) || jsonb_strip_nulls(jsonb_build_object(
    'plan', coalesce(
      (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = new.subscription_id), private.gift_name(gift)
    ),
    -- What is read of it is kept as long as the e-mail, and its buyer may read it anyway.
    'code', case when told = 'receipt' then gift.code end,
    'course', bought.course_title, 'purchase_id', bought.id,
    'invoice_id', (select c.invoice_id from private.billing_charges c where c.charge_id = new.charge_id),
    -- The first payment confirms the contract, so that its e-mail names the terms and how to withdraw.
    'terms_version', case when told = 'receipt' and not exists (
      select from private.payment_records r
      where r.subscription_id = new.subscription_id and r.kind = 'payment' and r.status = 'succeeded' and r.amount > 0 and r.id <> new.id
    ) then coalesce(
      (select max(t.version) from private.terms_acceptances t where t.user_id = member and bought.id is null),
      (select max(t.version) from public.legal_texts t where t.kind = 'terms')
    ) end
  ));
begin
  if member is not null and template is not null then
    perform private.enqueue_email(member, template, template || ':' || new.provider_id, facts);
  end if;
  if new.kind = 'dispute' and new.status <> 'prevented' and new.status not like 'warning%' then
    perform private.enqueue_email(
      p.id, 'dispute_opened', concat_ws(':', 'dispute_opened', new.provider_id, p.id),
      facts || jsonb_build_object('reason', new.reason, 'dispute', new.provider_id)
    )
    from public.profiles p where p.role = 'admin';
  end if;
  return null;
end
$$;
create trigger payment_records__email after insert on private.payment_records
  for each row when (new.happened_at > now() - interval '30 days')
  execute function private.tg_payment_records__email();

-- Subscriptions change by readings of the provider, each newer than the last (billing_apply). A change that is read
-- twice is a change once: the second reading finds the row as it is.
create function private.tg_stripe_subscriptions__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  plan constant text := private.plan_name(new.price_id);
  was_live constant boolean := tg_op = 'UPDATE' and old.status in ('active', 'trialing');
  is_live constant boolean := new.status in ('active', 'trialing');
  ends_at constant timestamptz := to_timestamp(new.current_period_end);
  -- Seconds since the epoch; null while it runs at the provider.
  ended constant bigint := (select r.ended_at_provider from private.billing_sync_versions r where r.subscription_id = new.subscription_id);
  -- Judged by when it ended, because another reading may have written the end first. One that ended long ago is not told.
  has_ended constant boolean := new.status = 'canceled' and (
    coalesce(to_timestamp(ended) > now() - interval '30 days', new.hold is not null)
    or tg_op = 'UPDATE' and old.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
  );
  -- The reading that changed the row. Two changes of the same kind are two causes, such as cancelling again.
  reading constant text := coalesce(
    (select r.ticket::text from private.billing_readings r where r.object_id = new.subscription_id), pg_current_xact_id()::text
  );
begin
  if plan is null or member is null then
    return null;
  end if;
  if is_live and not was_live then
    perform private.enqueue_email(member, 'welcome', 'welcome:' || member, jsonb_build_object('plan', plan));
  end if;
  -- A subscription that gave way to another one, which ran when it ended, has not ended the membership.
  if has_ended and not exists (
    select from public.stripe_subscriptions s
    join private.plan_prices o on o.price_id = s.price_id
    left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
    where s.customer_id = new.customer_id and s.id <> new.id and case
      when ended is null or r.created_at_provider is null then s.status in ('active', 'trialing')
      else s.status not in ('incomplete', 'incomplete_expired')
        and r.created_at_provider < ended and coalesce(r.ended_at_provider > ended, true)
    end
  ) then
    perform private.enqueue_email(
      member, 'membership_ended', 'membership_ended:' || new.subscription_id, jsonb_build_object(
        'plan', plan,
        'why', coalesce(new.hold, case when tg_op = 'UPDATE' and old.status in ('past_due', 'unpaid') then 'unpaid' end)
      )
    );
  end if;
  if tg_op = 'INSERT' then
    return null;
  end if;
  if new.hold = 'paused' and was_live then
    perform private.enqueue_email(
      member, 'pause_begun', concat_ws(':', 'pause_begun', p.subscription_id, extract(epoch from p.begins_at)::bigint),
      jsonb_strip_nulls(jsonb_build_object('plan', plan, 'ends_at', p.ends_at))
    )
    from public.membership_pauses p where p.subscription_id = new.subscription_id and p.ended_at is null;
  end if;
  -- Also the payment with which a pause was to end.
  if new.status = 'past_due' and (was_live or old.hold = 'paused') then
    perform private.enqueue_email(
      member, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.current_period_start),
      jsonb_build_object('plan', plan, 'subscription_id', new.subscription_id, 'card_last4', new.payment_method_last4)
    );
  end if;
  if is_live and new.cancel_at_period_end and not old.cancel_at_period_end then
    perform private.enqueue_email(
      member, 'membership_cancelled', concat_ws(':', 'membership_cancelled', new.subscription_id, reading),
      jsonb_build_object('plan', plan, 'ends_at', ends_at)
    );
  end if;
  if was_live and is_live and private.plan_name_beside(old.price_id, new.price_id) <> private.plan_name_beside(new.price_id, old.price_id) then
    perform private.enqueue_email(
      member, 'plan_changed', concat_ws(':', 'plan_changed', new.subscription_id, reading), jsonb_build_object(
        'from', private.plan_name_beside(old.price_id, new.price_id), 'plan', private.plan_name_beside(new.price_id, old.price_id),
        'renews_at', ends_at
      )
    );
  end if;
  return null;
end
$$;
create trigger stripe_subscriptions__email after insert or update of status, price_id, cancel_at_period_end on public.stripe_subscriptions
  for each row execute function private.tg_stripe_subscriptions__email();

-- Each document is decided once.
create function private.tg_user_verifications__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_email(
    new.user_id, 'identity_' || new.status, concat_ws(':', 'identity', new.id, new.status),
    jsonb_build_object('document_type', new.document_type, 'reason', new.rejected_reason)
  );
  return null;
end
$$;
create trigger user_verifications__email after update of status on public.user_verifications
  for each row when (new.status in ('approved', 'rejected') and new.status <> old.status)
  execute function private.tg_user_verifications__email();
