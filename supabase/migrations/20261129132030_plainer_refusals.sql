create or replace function private.admin_begin_refund (
  request      uuid,
  payment      text,
  amount_pence bigint,
  reason       text
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_fresh_second_factor();
  why text := private.require_reason(reason);
  paid private.payments;
  member uuid;
  known private.refund_requests;
begin
  -- The locks let one request of a payment begin at a time; the reading goes with its account, the record stays.
  perform from private.payment_records r where r.charge_id = payment and r.kind = 'payment' for update;
  perform from private.billing_charges c where c.charge_id = payment for update;
  select y.* into paid from private.payments y where y.payment_id = payment;
  if not found then
    perform private.fail('FF250', 'There is no such payment.');
  end if;
  select q.* into known from private.refund_requests q where q.id = request;
  if found then
    if (known.charge_id, known.amount_pence, known.reason) is distinct from (payment, admin_begin_refund.amount_pence, why) then
      perform private.fail('FF251', 'This request was made for another refund.');
    end if;
    if known.state in ('made', 'failed') then
      return to_jsonb(known);
    end if;
  end if;
  if exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.id <> request and q.state in ('started', 'unclear')
  ) then
    perform private.fail('FF255', 'Another refund of this payment is not finished yet. Finish it first.');
  end if;
  if known.id is not null then
    update private.refund_requests q set state = 'started', last_tried_at = clock_timestamp() where q.id = request
    returning q.* into known;
    return to_jsonb(known);
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = payment limit 1;
  if member = admin then
    perform private.fail('FF252', 'Another administrator has to refund your own payment.');
  end if;
  if admin_begin_refund.amount_pence is null or admin_begin_refund.amount_pence < 1
    or admin_begin_refund.amount_pence > paid.amount_pence - paid.refunded_pence then
    perform private.fail('FF253', 'The amount must be more than nothing, and at most what is left of the payment.',
      (paid.amount_pence - paid.refunded_pence)::text);
  end if;
  if paid.state in ('disputed', 'dispute_lost') then
    perform private.fail('FF254', 'A disputed payment is decided by the bank and cannot be refunded.');
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (request, payment, admin_begin_refund.amount_pence, why) returning q.* into known;
  perform private.audit(admin, 'payment.refund_started', member, jsonb_build_object(
    'request', request, 'payment', payment, 'before', jsonb_build_object('refunded_pence', paid.refunded_pence),
    'after', jsonb_build_object('refunded_pence', paid.refunded_pence + admin_begin_refund.amount_pence), 'reason', why
  ));
  return to_jsonb(known);
end
$function$;

create or replace function private.admin_export_payments (
  since timestamp with time zone,
  until timestamp with time zone
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  found_count integer;
  found_rows jsonb;
begin
  if since is null or until is null or until <= since then
    perform private.fail('FF247', 'Choose the first and the last day of the period.');
  end if;
  select count(*) into found_count from private.payments y where y.paid_at >= since and y.paid_at < until;
  if found_count > 20000 then
    perform private.fail('FF248', 'There are more than 20,000 payments in this period. Choose a shorter one.');
  end if;
  select coalesce(jsonb_agg(to_jsonb(y) || coalesce(to_jsonb(v), '{}') order by y.paid_at, y.payment_id), '[]') into found_rows
  from private.payments y
  left join lateral (
    -- The invoice's VAT, and what of it is left after the notes about refunds.
    select private.vat_number_text('invoice', i.number) as vat_invoice, i.rate_basis_points as vat_rate_basis_points, i.vat_pence,
      (select sum(case d.kind when 'credit_note' then -d.vat_pence else d.vat_pence end)
        from private.vat_documents d where d.charge_id = y.payment_id) as vat_left_pence
    from private.vat_documents i where i.charge_id = y.payment_id and i.kind = 'invoice'
  ) v on true
  where y.paid_at >= since and y.paid_at < until;
  perform private.audit(admin, 'payments.exported', null,
    jsonb_build_object('since', since, 'until', until, 'count', found_count));
  return found_rows;
end
$function$;

create or replace function private.ask_witnesses (
  pact    uuid,
  members uuid[]
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_member();
  asked constant private.pacts := private.require_own_pact(pact, caller);
  added uuid[];
begin
  if asked.closed_at is not null or private.is_overdue(asked.due_on) then
    perform private.fail('FF775', 'This pact is over.');
  end if;
  added := array(
    select distinct m from unnest(members[1:10]) m
    where m is not null and not exists (select from private.pact_witnesses w where w.submission_id = pact and w.user_id = m)
    order by m
  );
  if cardinality(added) = 0 then
    return;
  end if;
  if cardinality(added) + (
    select greatest(count(*) filter (where w.accepted is not false), count(*) - 6)
    from private.pact_witnesses w where w.submission_id = pact
  ) > 3 then
    perform private.fail('FF772', 'A pact has at most three witnesses, and you can ask at most nine members.');
  end if;
  -- Who is being deleted is waited for, and is no member then.
  perform from public.profiles a where a.id = any (added) order by a.id for key share;
  if exists (select from unnest(added) m where not private.may_witness(m, caller)) then
    perform private.fail('FF773', 'Ask other members of the directory to be witnesses.');
  end if;
  perform private.enforce_rate_limit(caller, 'witness');
  insert into private.pact_witnesses (submission_id, user_id) select pact, m from unnest(added) m;
end
$function$;

create or replace function private.courses_on_sale()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
begin
  if private.effective_level(caller) < 1 then
    perform private.fail('FF630', 'You get your link once your membership is active.');
  end if;
  return jsonb_build_object(
    'referral_basis_points', (select t.referral_basis_points from private.selling_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object('slug', o.slug, 'title', o.title, 'price_pence', o.price_pence) order by o.title, o.slug)
      from (
        select x.slug, x.title, x.price_pence from private.open_course_offers x where x.mentor_id <> caller order by x.title, x.slug limit 200
      ) o
    ), '[]')
  );
end
$function$;
