-- One trial for each card, also when the account that had it is deleted. The provider gives a card number one fingerprint in all
-- accounts; only a keyed hash of it is stored, from which neither the card nor its owner can be read.
create table private.trial_card_keys (
  id boolean primary key default true constraint trial_card_keys_id_check check (id),
  key bytea not null constraint trial_card_keys_key_check check (octet_length(key) = 32)
);
comment on table private.trial_card_keys is 'The key of trial_cards.card_hash, made with the database. With another key every card could have a trial again.';
comment on column private.trial_card_keys.id is 'Always true, so that there is one key.';
alter table private.trial_card_keys enable row level security;

create table private.trial_cards (
  card_hash bytea primary key constraint trial_cards_card_hash_check check (octet_length(card_hash) = 32),
  holder_id uuid references auth.users (id) on delete set null,
  taken_at timestamptz not null default now()
);
comment on table private.trial_cards is 'Cards that began a trial, or are about to. A card whose purchase came to nothing is free again after an hour.';
comment on column private.trial_cards.card_hash is 'HMAC-SHA256 of the provider''s fingerprint of the card.';
comment on column private.trial_cards.holder_id is 'Null once the account is deleted; the card stays taken.';
create index trial_cards_holder_id_idx on private.trial_cards (holder_id);
alter table private.trial_cards enable row level security;

-- The row of the card is the lock, so that two accounts cannot take it at the same moment.
-- @rpc service_role
-- Server: take a card for the trial of an account.
create function private.billing_take_trial_card(member uuid, fingerprint text) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.trial_cards as c (card_hash, holder_id)
  select extensions.hmac(convert_to(fingerprint, 'utf8'), k.key, 'sha256'), member from private.trial_card_keys k
  on conflict (card_hash) do update set holder_id = excluded.holder_id, taken_at = excluded.taken_at
  where c.holder_id = excluded.holder_id or (
    c.holder_id is not null and c.taken_at <= now() - interval '1 hour' and not exists (
      select from public.stripe_subscriptions s join public.stripe_customers o on o.customer_id = s.customer_id
      where o.user_id = c.holder_id and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
    )
  );
  return found;
end
$$;
comment on function private.billing_take_trial_card(uuid, text) is
  'Takes a card for the trial of an account, before the purchase; false when another account has it.';

create function private.tg_users__count_departed_trial() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.trial_codes t set departed_redemptions = t.departed_redemptions + 1
  from private.trial_redemptions r
  where r.user_id = old.id and t.code = r.code and private.has_begun_membership(old.id);
  return old;
end
$$;
create trigger users__count_departed_trial before delete on auth.users
  for each row execute function private.tg_users__count_departed_trial();
