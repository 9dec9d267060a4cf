-- Changes of plan and cancellations by members. docs/subsystems/billing.md explains them.

-- What a change of plan was said to cost. The id is also the idempotency key of the change at the card provider.
create table private.plan_change_quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  subscription_id text not null,
  kind text not null constraint plan_change_quotes_kind_check check (kind in ('upgrade', 'downgrade')),
  from_price_id text not null,
  to_price_id text not null,
  amount_due_pence bigint not null,
  proration_date bigint,
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.plan_change_quotes is 'Previews of plan changes, kept for a day; one can be used for fifteen minutes.';
comment on column private.plan_change_quotes.proration_date is
  'Moment the amount was computed for, in seconds since the epoch by the card provider''s clock; null for a downgrade.';
create index plan_change_quotes_user_id_idx on private.plan_change_quotes (user_id);
create index plan_change_quotes_created_at_idx on private.plan_change_quotes (created_at);
alter table private.plan_change_quotes enable row level security;

-- @rpc service_role
-- Server: keep a preview of a plan change.
create function private.billing_quote_plan_change(member uuid, quote jsonb) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  made uuid;
begin
  insert into private.plan_change_quotes (
    user_id, subscription_id, kind, from_price_id, to_price_id, amount_due_pence, proration_date
  ) values (
    member, quote ->> 'subscription_id', quote ->> 'kind', quote ->> 'from_price_id', quote ->> 'to_price_id',
    (quote ->> 'amount_due')::bigint, (quote ->> 'proration_date')::bigint
  ) returning id into made;
  return made;
end
$$;
comment on function private.billing_quote_plan_change(uuid, jsonb) is 'Keeps a preview of a plan change and returns its id.';

-- @rpc service_role
-- Server: a preview of the member's own.
create function private.billing_plan_change_quote(member uuid, quote uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'subscription_id', q.subscription_id, 'kind', q.kind, 'from_price_id', q.from_price_id, 'to_price_id', q.to_price_id,
    'amount_due', q.amount_due_pence, 'proration_date', q.proration_date,
    'is_expired', q.created_at < clock_timestamp() - interval '15 minutes'
  ) from private.plan_change_quotes q where q.id = quote and q.user_id = member
$$;
comment on function private.billing_plan_change_quote(uuid, uuid) is 'A preview of the member''s own; null for any other.';

-- Why members cancel.
create table private.cancellation_reasons (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  subscription_id text not null,
  reason text constraint cancellation_reasons_reason_check check (reason in (
    'too_expensive', 'missing_features', 'switched_service', 'unused', 'customer_service', 'too_complex', 'low_quality', 'other'
  )),
  comment text constraint cancellation_reasons_comment_check check (char_length(comment) <= 500),
  cancelled_at timestamptz not null default clock_timestamp(),
  constraint cancellation_reasons_not_empty check (reason is not null or comment is not null)
);
comment on table private.cancellation_reasons is 'Reasons members gave when they cancelled. Giving one is optional.';
comment on column private.cancellation_reasons.reason is 'One of the card provider''s values for feedback.';
create index cancellation_reasons_user_id_idx on private.cancellation_reasons (user_id);
alter table private.cancellation_reasons enable row level security;

-- @rpc service_role
-- Server: keep the reason of a cancellation.
create function private.billing_record_cancellation(member uuid, subscription text, reason text, comment text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into private.cancellation_reasons (user_id, subscription_id, reason, comment)
  select member, subscription, billing_record_cancellation.reason, billing_record_cancellation.comment
  where billing_record_cancellation.reason is not null or billing_record_cancellation.comment is not null
$$;
comment on function private.billing_record_cancellation(uuid, text, text, text) is 'Keeps the reason of a cancellation, if one was given.';

create function private.export_part_cancellations(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('cancellation_reasons', coalesce(
    (select jsonb_agg(to_jsonb(r) order by r.id) from private.cancellation_reasons r where r.user_id = member), '[]'))
$$;
comment on function private.export_part_cancellations(uuid) is 'Reasons one account gave for cancelling.';
