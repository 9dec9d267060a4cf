-- Digests in the outbox: who gets none, and what they say when they are sent.
alter table private.email_templates validate constraint email_templates_kind_check;

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
    when email.template in ('payment_disputed', 'course_disputed') and exists (
      select from private.billing_charges c where c.charge_id = email.data ->> 'number' and c.dispute is distinct from 'open'
    ) then 'the dispute is decided'
    when email.template = 'course_dispute_won' and exists (
      select from private.billing_charges c
      where c.charge_id = email.data ->> 'number' and (c.is_refunded or c.dispute is distinct from 'won')
    ) then 'the course is closed'
    when email.template = 'dispute_won' and not private.has_live_membership(email.user_id) then 'the membership has ended'
    when email.template = 'dispute_opened' and not exists (
      select from public.profiles p where p.id = email.user_id and p.role = 'admin'
    ) then 'no administrator'
    when email.template = 'digest' and exists (
      select from public.digest_choices d where d.user_id = email.user_id and d.frequency = 'off'
    ) then 'switched off by the member'
    when email.template = 'digest' and private.digest_content(email_refusal.email) -> 'lines' = '[]' then 'nothing waits'
  end
  from (select email.user_id) e
  left join auth.users u on u.id = e.user_id
  left join private.email_templates t on t.name = email.template
  left join public.notification_preferences p on p.user_id = e.user_id and p.kind = t.kind
$$;

-- As before, except that a digest is written now. What it says is kept nowhere.
create or replace function private.claim_email(lease interval)
  returns table (
    id uuid, claim uuid, message_id text, address text, first_name text, template text, data jsonb, texts jsonb
  )
  language plpgsql volatile security definer set search_path = '' as $$
declare
  taken private.email_outbox;
  refusal text;
begin
  if exists (select from private.email_pauses) then
    return;
  end if;
  loop
    select o.* into taken from private.email_outbox o
    where o.status = 'pending' and o.next_attempt_at <= clock_timestamp()
    order by o.next_attempt_at, o.id limit 1 for update skip locked;
    if not found then
      return;
    end if;
    refusal := private.email_refusal(taken);
    exit when refusal is null and taken.attempts < private.max_email_attempts();
    update private.email_outbox o set
      status = case when refusal is null then 'failed' else 'skipped' end,
      last_error = coalesce(refusal, o.last_error, 'no sender reported a result')
    where o.id = taken.id;
  end loop;
  update private.email_outbox o
  set attempts = o.attempts + 1, claim = gen_random_uuid(), next_attempt_at = clock_timestamp() + lease
  where o.id = taken.id returning o.* into taken;
  return query
    select taken.id, taken.claim, left(encode(sha256(convert_to(taken.cause_key, 'UTF8')), 'hex'), 32), u.email::text,
      p.first_name, taken.template,
      case taken.template when 'digest' then private.digest_content(taken) else taken.data end,
      private.changed_email_texts(taken.template)
    from auth.users u left join public.profiles p on p.id = u.id where u.id = taken.user_id;
end
$$;
