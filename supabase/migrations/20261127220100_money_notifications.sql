-- The end of a membership and a refund are told where the member stands, as they are by e-mail: the open page learns of them
-- by the bell.
insert into private.notification_kinds (kind, topic) values ('membership_ended', 'account'), ('payment_refunded', 'account');

-- What causes the e-mail causes the line, once each. `detail` names the subscription or the refund.
create function private.tg_email_outbox__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, case new.template when 'course_refunded' then 'payment_refunded' else new.template end,
    split_part(new.cause_key, ':', 2)
  from public.profiles r where r.id = new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$$;
revoke all on function private.tg_email_outbox__notify() from public, anon, authenticated, service_role;

create trigger email_outbox__notify
  after insert on private.email_outbox for each row
  when (new.template in ('membership_ended', 'payment_refunded', 'course_refunded'))
  execute function private.tg_email_outbox__notify();

create function private.notification_part_money(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = ''
as $$
declare
  is_live constant boolean := private.has_live_membership(member);
begin
  return query
  select n.id, case n.kind
    when 'membership_ended' then jsonb_build_object('why', (
      select s.hold from public.stripe_subscriptions s where s.subscription_id = n.detail
    ))
    else coalesce((
      select jsonb_build_object('amount_pence', r.amount, 'currency', upper(r.currency))
      from private.payment_records r where r.kind = 'refund' and r.provider_id = n.detail
      order by r.status = 'succeeded' desc limit 1
    ), '{}') end
  from private.newest_notifications(member, array['membership_ended', 'payment_refunded']) n
  where n.kind = 'payment_refunded' or not is_live;
end
$$;
revoke all on function private.notification_part_money(uuid) from public, anon, authenticated, service_role;
comment on function private.notification_part_money(uuid) is
  'Refunds, and the end of a membership until the next one begins, with the reason a payment gave for it.';

-- Who is refused because the membership is over is told so, and not that the room is another level's.
create or replace function private.require_room(room text) returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  caller uuid := private.require_caller();
  needed integer;
begin
  select r.min_level_required into needed from public.chat_rooms r where r.id = room and r.is_active;
  if not found then
    perform private.fail('FF310', 'There is no such room.');
  end if;
  if private.effective_level(caller) < needed then
    perform private.fail('FF311', case
      when private.has_live_membership(caller) then 'This room is not open to you.'
      else 'Your membership is not active now, so the rooms are closed to you.'
    end, needed::text);
  end if;
  return caller;
end
$$;
