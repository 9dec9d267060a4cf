create or replace function private.withdrawal_requests (
  withdrawal private.withdrawals
)
  returns SETOF private.refund_requests
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select q.*
  from private.billing_charges c
  left join private.course_purchases p on p.id = withdrawal.purchase_id
  join private.refund_requests q on q.charge_id = c.charge_id
  where (c.subscription_id = withdrawal.subscription_id or c.payment_intent_id = p.payment_intent_id) and q.id in (
    -- The first request of a payment, and one after each that had ended.
    select md5(concat_ws(':', withdrawal.id, c.charge_id, nullif(n, 0)))::uuid
    from generate_series(0, (select count(*) from private.refund_requests r where r.charge_id = c.charge_id)) n
  )
$function$;

create or replace function private.withdrawal_left (
  withdrawal private.withdrawals
)
  returns table (
    payment_id    text,
    amount_pence  bigint,
    is_with_bank  boolean,
    is_open       boolean,
    ended         bigint,
    last_tried_at timestamp with time zone
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select c.charge_id, l.amount, coalesce(c.dispute, 'won') <> 'won', f.is_open, f.ended, f.last_tried_at
  from private.withdrawal_requests(withdrawal) q
  join private.billing_charges c on c.charge_id = q.charge_id
  cross join lateral (
    select coalesce(sum(r.amount_pence) filter (where r.state = 'made'), 0)::bigint as made,
      coalesce(sum(r.amount_pence) filter (where r.state = 'made' and r.requested_at >= withdrawal.requested_at), 0)::bigint as since,
      count(*) filter (where r.state in ('made', 'failed', 'refused')) as ended,
      bool_or(r.state in ('started', 'unclear')) as is_open, max(r.last_tried_at) as last_tried_at
    from private.refund_requests r where r.charge_id = c.charge_id
  ) f
  -- Made at the provider itself, or by a request of ours that does not know it yet. The provider counts whole seconds.
  cross join lateral (
    select coalesce(sum(o.amount), 0)::bigint as amount from (
      select distinct on (r.provider_id) r.amount from private.payment_records r
      where r.charge_id = c.charge_id and r.kind = 'refund' and r.happened_at >= date_trunc('second', withdrawal.requested_at)
        and not exists (select from private.refund_requests k where k.refund_id = r.provider_id)
        and not exists (
          select from private.payment_records n where n.provider_id = r.provider_id and n.status in ('failed', 'canceled')
        )
    ) o
  ) elsewhere
  cross join lateral (
    select least(q.amount_pence - f.since - elsewhere.amount, c.amount - greatest(c.amount_refunded, f.made)) as amount
  ) l
  where q.id = md5(concat_ws(':', withdrawal.id, c.charge_id))::uuid and c.dispute is distinct from 'lost' and l.amount > 0
$function$;

create or replace function private.billing_begin_withdrawal (
  member   uuid,
  purchase uuid default null::uuid
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  due record;
  begun private.withdrawals;
begin
  perform private.lock_billing(member);
  -- A refund that staff begin at this moment is counted, or waits.
  perform from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id
  where k.user_id = member for update of c;
  select w.* into begun from private.withdrawals w
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null;
  if not found then
    if purchase is null then
      select r.*, null::text as charge_id into due from private.withdrawal_right(member) r;
    else
      select null::text as subscription_id, r.* into due from private.course_withdrawal_right(member) r where r.purchase_id = purchase;
    end if;
    if not found then
      return null;
    end if;
    insert into private.withdrawals (user_id, subscription_id, purchase_id) values (member, due.subscription_id, purchase)
    returning * into begun;
    insert into private.refund_requests (id, charge_id, amount_pence, reason)
    select md5(concat_ws(':', begun.id, p.charge_id))::uuid, p.charge_id, p.amount, 'Withdrawn within 14 days'
    from (
      select w.charge_id, w.amount from private.withdrawal_payments(due.subscription_id) w where purchase is null
      union all
      select due.charge_id, due.amount_pence where purchase is not null
    ) p where p.amount > 0;
    perform private.audit(member, 'billing.withdrawn', member, jsonb_strip_nulls(jsonb_build_object(
      'subscription_id', due.subscription_id, 'purchase_id', purchase, 'amount_pence', due.amount_pence
    )));
    if purchase is null then
      perform private.enqueue_email(member, 'membership_withdrawn', 'membership_withdrawn:' || begun.id, jsonb_build_object(
        'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = due.subscription_id limit 1),
        'amount', due.amount_pence, 'currency', due.currency, 'withdrawn_at', begun.requested_at
      ));
    end if;
  end if;
  -- What the provider refused, never got or gave back is asked for again, with an id of its own. A call that was at it has ended in two minutes.
  insert into private.refund_requests (id, charge_id, amount_pence, reason)
  select md5(concat_ws(':', begun.id, l.payment_id, l.ended))::uuid, l.payment_id, l.amount_pence, 'Withdrawn within 14 days'
  from private.withdrawal_left(begun) l
  where not l.is_with_bank and not l.is_open and l.last_tried_at < now() - interval '2 minutes';
  -- Nobody else decides meanwhile that the provider never got it.
  update private.refund_requests q set state = 'started', last_tried_at = clock_timestamp()
  where q.id in (select r.id from private.withdrawal_requests(begun) r) and q.state in ('started', 'unclear');
  return jsonb_build_object('subscription_id', begun.subscription_id, 'refunds', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'request_id', q.id, 'payment_id', q.charge_id, 'amount_pence', q.amount_pence
    ) order by q.charge_id), '[]')
    from private.withdrawal_requests(begun) q where q.state = 'started'
  ), 'is_waiting', exists (
    select from private.withdrawal_left(begun) l where not l.is_with_bank and not exists (
      select from private.withdrawal_requests(begun) q where q.charge_id = l.payment_id and q.state = 'started'
    )
  ));
end
$function$;

create or replace function private.billing_end_withdrawal (
  member   uuid,
  purchase uuid default null::uuid
)
  returns void
  language sql
  security definer
  set search_path to ''
  AS $function$
  update private.withdrawals w set settled_at = now()
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null
    and not exists (select from private.withdrawal_left(w))
    and not exists (select from private.withdrawal_requests(w) q where q.state in ('started', 'unclear'))
$function$;

create or replace function private.billing_open_withdrawals()
  returns table (
    member   uuid,
    purchase uuid
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select w.user_id, w.purchase_id from private.withdrawals w
  where w.settled_at is null and w.requested_at < now() - interval '5 minutes' and (
    not exists (select from private.withdrawal_left(w) l where not l.is_with_bank)
    or exists (select from private.withdrawal_left(w) l where not l.is_with_bank and private.is_claim_refund_due(l.payment_id, true))
  )
  order by w.requested_at limit 100
$function$;

create or replace function private.billing_owed_refunds (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'withdrawals', (
      select coalesce(jsonb_agg(w.purchase_id order by w.requested_at), '[]') from private.withdrawals w
      where w.user_id = billing_owed_refunds.member and w.settled_at is null
        and exists (select from private.withdrawal_left(w) l where not l.is_with_bank)
    ),
    'claims', (
      select coalesce(jsonb_agg(c.id), '[]') from private.guarantee_claims c
      where c.user_id = billing_owed_refunds.member and c.state = 'granted' and exists (select from private.guarantee_refunds(c))
    )
  )
$function$;

comment on function "private"."billing_begin_withdrawal"(uuid, uuid) is 'Records the withdrawal of an account, its refunds and its e-mail, or goes on with the one that is not settled, whose refunds are asked for until they are made; null without a right to. Audited.';

comment on function "private"."billing_end_withdrawal"(uuid, uuid) is 'Writes down that everything of the account''s withdrawal is refunded and ended; changes nothing while a refund is not made, or a bank decides about one.';

comment on function "private"."billing_open_withdrawals"() is 'Withdrawals that no call is at work on and that are not settled, with the course; a hundred of the oldest. After each refund that came to nothing it waits longer.';

comment on function "private"."billing_owed_refunds"(uuid) is 'An account''s withdrawals with a refund that is not made, by course and null for the membership, and its granted claims with a refund to make. They go with the account.';

comment on function "private"."withdrawal_left"(private.withdrawals) is 'What a withdrawal still has to give back of each payment, in pence: less what was given back since, by us or at the provider. A payment lost to the bank has nothing left.';

comment on function "private"."withdrawal_requests"(private.withdrawals) is 'The refunds that were asked for because of a withdrawal, with each further try.';

comment on function "public"."billing_end_withdrawal"(uuid, uuid) is 'Server: end a withdrawal whose refunds are all made.';

revoke all on function "private"."withdrawal_left"(private.withdrawals) from public;

grant execute on function "private"."withdrawal_left"(private.withdrawals) to "postgres";

revoke all on function "private"."withdrawal_requests"(private.withdrawals) from public;

grant execute on function "private"."withdrawal_requests"(private.withdrawals) to "postgres";
