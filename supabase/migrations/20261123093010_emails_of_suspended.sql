-- A suspension stops neither the subscription nor its payments, so a suspended member goes on hearing of money and security.
create or replace function private.email_refusal(email private.email_outbox) returns text
  language sql stable set search_path = '' as $$
  select case
    when u.id is null then 'no account'
    when u.deleted_at is not null then 'the account is deleted'
    when u.is_anonymous or coalesce(u.email, '') = '' then 'the account has no address'
    when u.email_confirmed_at is null then 'the address is not confirmed'
    when u.banned_until > now() and t.kind not in ('money', 'security') then 'the account is suspended'
    when coalesce(u.banned_until <= now(), true) and email.template = 'account_suspended' then 'the suspension was lifted'
    when not coalesce(p.email, true) then 'switched off by the member'
    -- The member paid in the meantime.
    when email.template = 'payment_failed' and exists (
      select from public.stripe_subscriptions s
      where s.subscription_id = email.data ->> 'subscription_id' and s.status <> 'past_due'
    ) then 'the payment was made'
    when email.template = 'payment_disputed' and exists (
      select from private.billing_charges c where c.charge_id = email.data ->> 'number' and c.dispute is distinct from 'open'
    ) then 'the dispute is decided'
    when email.template = 'dispute_won' and not private.has_live_membership(email.user_id) then 'the membership has ended'
    when email.template = 'dispute_opened' and not exists (
      select from public.profiles p where p.id = email.user_id and p.role = 'admin'
    ) then 'no administrator'
  end
  from (select email.user_id) e
  left join auth.users u on u.id = e.user_id
  left join private.email_templates t on t.name = email.template
  left join public.notification_preferences p on p.user_id = e.user_id and p.kind = t.kind
$$;
