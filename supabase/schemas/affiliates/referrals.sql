-- How an account comes to be referred: a visit by a link, remembered with consent, and an account made afterwards.

-- Letters and digits that nobody mistakes for each other.
create function private.new_affiliate_code() returns text
  language sql volatile set search_path = '' as $$
  select string_agg(substr('abcdefghjkmnpqrstuvwxyz23456789', 1 + (get_byte(b.bytes, i) % 31), 1), '')
  from (select extensions.gen_random_bytes(8) as bytes) b, generate_series(0, 7) i
$$;
comment on function private.new_affiliate_code() is 'A random code of eight characters.';

create function private.hash_visit(visit uuid) returns bytea
  language sql immutable set search_path = '' as $$ select sha256(convert_to(visit::text, 'utf8')) $$;
comment on function private.hash_visit(uuid) is 'What is stored of a visit''s id.';

-- @rpc service_role
-- Server: remember a visit by an affiliate link.
create function private.record_affiliate_visit(code text, known uuid, visitor text) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  visit constant uuid := gen_random_uuid();
  days constant integer := (select t.attribution_days from private.affiliate_terms t);
begin
  -- The first visit counts, until it is too old or has brought an account.
  if exists (
    select from private.affiliate_visits v where v.visit_hash = private.hash_visit(known)
      and v.used_at is null and v.first_at > now() - make_interval(days => days)
  ) then
    return known;
  end if;
  -- Else one visitor could use up all visits that count for a member's link today.
  perform private.enforce_visitor_limit(visitor, 'affiliate_visit');
  insert into private.affiliate_visits (visit_hash, affiliate_id)
  select private.hash_visit(visit), a.affiliate_id from private.affiliates a
  where a.code = lower(btrim(record_affiliate_visit.code)) and private.effective_level(a.user_id) >= 1
    -- Nobody can fill the table: a thousand a day is more than a link brings.
    and (
      select count(*) from private.affiliate_visits v
      where v.affiliate_id = a.affiliate_id and v.first_at > now() - interval '1 day'
    ) < 1000;
  return case when found then visit end;
end
$$;
comment on function private.record_affiliate_visit(text, uuid, text) is
  'Remembers a visit by a member''s link and returns its id; null for an unknown code, one whose owner is no member now, or a thousand visits a day. FF300 above thirty an hour from one visitor.';

-- Two addresses of one mailbox are one person.
create function private.mailbox_of(address text) returns text
  language sql immutable set search_path = '' as $$
  select case when p.host in ('gmail.com', 'googlemail.com') then replace(p.box, '.', '') || '@gmail.com' else p.box || '@' || p.host end
  from (
    select split_part(split_part(lower(address), '@', 1), '+', 1) as box, split_part(lower(address), '@', 2) as host
  ) p
$$;
comment on function private.mailbox_of(text) is 'The address without tag and, where the host ignores them, without dots.';

-- Says nothing about why not: whoever tries gets no hints.
-- @rpc authenticated
-- A new account says by which visit it was brought; true when it counts.
create function private.claim_referral(visit uuid) returns boolean
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  days constant integer := (select t.attribution_days from private.affiliate_terms t);
  affiliate private.affiliates;
  address text;
begin
  perform private.enforce_rate_limit(caller, 'claim_referral');
  select u.email into address from auth.users u where u.id = caller for update;
  select a.* into affiliate
  from private.affiliate_visits v
  join private.affiliates a on a.affiliate_id = v.affiliate_id
  join auth.users u on u.id = caller
  where v.visit_hash = private.hash_visit(visit) and v.used_at is null and v.first_at > now() - make_interval(days => days)
    -- An account that was there before was not brought by the visit.
    and u.created_at >= v.first_at
  for update of v;
  if not found
    or affiliate.user_id = caller
    or exists (
      select from auth.users u where u.id = affiliate.user_id and private.mailbox_of(u.email) = private.mailbox_of(address)
    )
    or exists (select from private.referrals r where r.user_id = caller)
    -- Whoever has paid already is a member, whom nobody brings.
    or exists (
      select from public.stripe_customers k join private.payment_records p on p.customer_id = k.customer_id
      where k.user_id = caller
    )
    -- No rings: the affiliate was not brought by the caller, over however many others.
    or exists (
      with recursive above as (
        select r.affiliate_id from private.referrals r where r.user_id = affiliate.user_id
        union
        select r.affiliate_id from above b
        join private.affiliates a on a.affiliate_id = b.affiliate_id
        join private.referrals r on r.user_id = a.user_id
      )
      select from above b join private.affiliates a on a.affiliate_id = b.affiliate_id where a.user_id = caller
    ) then
    return false;
  end if;
  update private.affiliate_visits v set used_at = now() where v.visit_hash = private.hash_visit(visit);
  insert into private.referrals (user_id, affiliate_id) values (caller, affiliate.affiliate_id);
  return true;
end
$$;
comment on function private.claim_referral(uuid) is
  'Makes the caller''s new account one that was brought by the visit; false when the visit or the account does not allow it.';
