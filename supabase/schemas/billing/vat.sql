-- Value added tax: whether it is charged and how, and what business customers want on their invoices. Prices include it.
create table public.vat_settings (
  id bigint generated always as identity primary key,
  since timestamptz not null default now(),
  mode text not null constraint vat_settings_mode_check check (mode in ('none', 'fixed', 'stripe_tax')),
  rate_basis_points integer not null constraint vat_settings_rate_check check (rate_basis_points between 1 and 5000)
);
alter table public.vat_settings enable row level security;
grant select, insert, update, delete on public.vat_settings to service_role;
grant select (id, since, mode, rate_basis_points) on public.vat_settings to anon, authenticated;

create policy select_everyone on public.vat_settings for select to anon, authenticated using (true);
comment on table public.vat_settings is 'Whether prices include VAT, since when; the newest row is in force, none is no VAT. Rows are only ever added.';
comment on column public.vat_settings.mode is 'stripe_tax: the card provider decides the rate of each invoice by the address of the customer.';
comment on column public.vat_settings.rate_basis_points is 'The fixed rate; with stripe_tax that of payments without an invoice, such as for courses.';

create table private.provider_tax_rates (
  rate_basis_points integer primary key,
  tax_rate_id text not null
);
alter table private.provider_tax_rates enable row level security;
comment on table private.provider_tax_rates is 'The tax rate at the card provider that stands for each rate, included in the price.';

create table private.buyer_details (
  user_id uuid primary key references auth.users on delete cascade,
  business_name text constraint buyer_details_business_name_check check (char_length(business_name) between 1 and 200),
  address text constraint buyer_details_address_check check (char_length(address) between 1 and 500),
  vat_number text constraint buyer_details_vat_number_check check (char_length(vat_number) between 1 and 40)
);
alter table private.buyer_details enable row level security;
comment on table private.buyer_details is 'What a member wants on VAT invoices besides the name: of the business they buy for.';

create function private.vat_at(moment timestamptz) returns table (mode text, rate_basis_points integer)
  language sql stable set search_path = ''
as $$
  select v.mode, v.rate_basis_points from public.vat_settings v where date_trunc('second', v.since) <= moment order by v.id desc limit 1
$$;
comment on function private.vat_at(timestamptz) is 'The VAT setting in force at a moment, of which the card provider tells the second; no row before the first.';

create function private.vat_of(gross bigint, rate_basis_points integer) returns bigint
  language sql immutable set search_path = ''
as $$
  select round(gross::numeric * rate_basis_points / (10000 + rate_basis_points))::bigint
$$;
comment on function private.vat_of(bigint, integer) is 'The VAT that an amount in pence includes, rounded half away from zero.';

-- @rpc service_role
-- Server: the VAT setting in force, with the tax rate at the provider.
create function private.billing_vat() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select jsonb_build_object('mode', v.mode, 'rate_basis_points', v.rate_basis_points, 'tax_rate_id', t.tax_rate_id)
    from private.vat_at(now()) v left join private.provider_tax_rates t using (rate_basis_points)
  ), '{"mode": "none"}')
$$;
comment on function private.billing_vat() is 'How purchases are taxed now: mode, rate and the rate''s id at the card provider, if it was made.';

-- @rpc service_role
-- Server: remember the tax rate made at the provider.
create function private.billing_record_tax_rate(rate_basis_points integer, tax_rate text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  kept text;
begin
  insert into private.provider_tax_rates as t (rate_basis_points, tax_rate_id) values (billing_record_tax_rate.rate_basis_points, tax_rate)
  on conflict on constraint provider_tax_rates_pkey do nothing;
  select t.tax_rate_id into kept from private.provider_tax_rates t where t.rate_basis_points = billing_record_tax_rate.rate_basis_points;
  return kept;
end
$$;
comment on function private.billing_record_tax_rate(integer, text) is 'Keeps the tax rate of the card provider for a rate; the one kept first.';

create function private.require_vat_seller() returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if exists (select from private.vat_at(now()) v where v.mode <> 'none') and exists (
    select from public.business_details b where b.legal_name is null or b.address is null or b.vat_number is null
  ) then
    perform private.fail('FF275', 'VAT invoices need your legal name, address and VAT number. Fill them in first.');
  end if;
end
$$;
comment on function private.require_vat_seller() is 'Raises FF275 while VAT is charged and name, address or VAT number of the seller are not known.';

-- @rpc authenticated
-- Administrators: charge VAT, or no longer.
create function private.set_vat(mode text, rate_basis_points integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := coalesce((select to_jsonb(v) from private.vat_at(now()) v), '{"mode": "none", "rate_basis_points": null}');
begin
  if mode is null or mode not in ('none', 'fixed', 'stripe_tax')
    or rate_basis_points is null or rate_basis_points not between 1 and 5000 then
    perform private.fail('FF274', 'Choose how VAT is charged, and a rate between 0.01 and 50 per cent.');
  end if;
  insert into public.vat_settings (mode, rate_basis_points) values (set_vat.mode, set_vat.rate_basis_points);
  perform private.require_vat_seller();
  perform private.audit_change(admin, 'vat.changed', '{}', before, (select to_jsonb(v) from private.vat_at(now()) v));
end
$$;
comment on function private.set_vat(text, integer) is 'Changes how VAT is charged from now on; FF274 for an impossible rate, FF275 without the seller''s details. Audited.';

-- @rpc authenticated
-- What the caller wants on VAT invoices.
create function private.my_buyer_details() returns table (business_name text, address text, vat_number text)
  language sql stable security definer set search_path = ''
as $$
  select b.business_name, b.address, b.vat_number from private.buyer_details b where b.user_id = private.require_caller()
$$;
comment on function private.my_buyer_details() is 'The business the calling account buys for; no row when it said none.';

-- @rpc authenticated
-- Say what stands on the caller's VAT invoices from now on.
create function private.set_buyer_details(business_name text, address text, vat_number text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := private.require_caller();
  given constant text[] := array[nullif(btrim(business_name), ''), nullif(btrim(address), ''), nullif(btrim(vat_number), '')];
begin
  if char_length(given[1]) > 200 or char_length(given[2]) > 500 or char_length(given[3]) > 40 then
    perform private.fail('FF273', 'A name has at most 200 characters, an address 500, a number 40.');
  end if;
  if given = array[null, null, null]::text[] then
    delete from private.buyer_details b where b.user_id = caller;
    return;
  end if;
  insert into private.buyer_details (user_id, business_name, address, vat_number) values (caller, given[1], given[2], given[3])
  on conflict on constraint buyer_details_pkey do update
  set business_name = excluded.business_name, address = excluded.address, vat_number = excluded.vat_number;
end
$$;
comment on function private.set_buyer_details(text, text, text) is 'Keeps the business the calling account buys for, or forgets it when all is empty; FF273 when something is too long.';
