-- A buyer of a course has no membership: e-mails about its payment speak of the course.

insert into private.email_templates (name, kind) values
  ('course_receipt', 'money'), ('course_refunded', 'money'), ('course_disputed', 'money'), ('course_dispute_won', 'money');
insert into private.email_texts (template, key, placeholders)
select t.template, k, t.placeholders
from (values
  ('course_receipt', '{subject,heading,closing}'::text[], '{amount,course}'::text[]),
  ('course_refunded', '{subject,heading,closing}', '{amount,course}'),
  ('course_disputed', '{subject,heading,opening,closing}', '{amount,course,support}'),
  ('course_dispute_won', '{subject,heading,opening}', '{amount,course}')
) t (template, keys, placeholders) cross join unnest(t.keys) k;

create or replace function private.tg_payment_records__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  bought constant private.course_purchases := (
    select p from private.billing_charges c join private.course_purchases p on p.payment_intent_id = c.payment_intent_id
    where c.charge_id = new.charge_id
  );
  told constant text := case
    when new.kind = 'payment' and new.status = 'succeeded' and new.amount > 0 then 'receipt'
    when new.kind = 'refund' and new.status = 'succeeded' then 'payment_refunded'
    when new.kind = 'dispute' and new.status = 'won' then 'dispute_won'
    when new.kind = 'dispute' and new.status not in ('lost', 'prevented') and new.status not like 'warning%' then 'payment_disputed'
  end;
  template constant text := case when bought.id is null then told else case told
    when 'receipt' then 'course_receipt' when 'payment_refunded' then 'course_refunded'
    when 'payment_disputed' then 'course_disputed' when 'dispute_won' then 'course_dispute_won'
  end end;
  facts constant jsonb := jsonb_build_object(
    'amount', new.amount, 'currency', new.currency, 'happened_at', new.happened_at, 'number', new.charge_id
  ) || jsonb_strip_nulls(jsonb_build_object(
    'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = new.subscription_id),
    'course', bought.course_title, 'purchase_id', bought.id,
    'invoice_id', (select c.invoice_id from private.billing_charges c where c.charge_id = new.charge_id)
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
