-- Recovery codes for a lost second factor: ten codes, each of which removes the factors once. They are shown only when
-- they are generated.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is 'Recovery codes of accounts, hashed. Each has 80 random bits, so a plain hash is enough.';
comment on column private.recovery_codes.code_hash is 'SHA-256 of account and code.';
alter table private.recovery_codes enable row level security;

-- Codes may be typed from paper: case, spaces and dashes are ignored, O is read as zero and L as one.
create function private.recovery_code_hash(member uuid, code text) returns bytea
  language sql immutable set search_path = '' as $$
  select sha256(convert_to(
    member::text || ':' || translate(regexp_replace(lower(code), '[^0-9a-z]', '', 'g'), 'oil', '011'), 'utf8'
  ))
$$;
comment on function private.recovery_code_hash(uuid, text) is 'Hash of a recovery code, as stored.';

create function private.new_recovery_code() returns text
  language sql volatile set search_path = '' as $$
  select regexp_replace(
    string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(r.bytes, i) & 31) + 1, 1), '' order by i),
    '(....)(....)(....)(....)', '\1-\2-\3-\4'
  )
  from (select extensions.gen_random_bytes(16) as bytes) as r, generate_series(0, 15) as i
$$;
comment on function private.new_recovery_code() is 'Sixteen random characters of 5 bits each, in groups of four.';

-- @rpc authenticated
-- Ten new recovery codes, shown only now; earlier ones become invalid.
create function private.generate_recovery_codes() returns setof text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  codes text[];
begin
  perform private.require_aal2();
  perform private.enforce_rate_limit(caller, 'recovery_codes');
  codes := array(select private.new_recovery_code() from generate_series(1, 10));
  delete from private.recovery_codes c where c.user_id = caller;
  insert into private.recovery_codes (user_id, code_hash)
  select caller, private.recovery_code_hash(caller, code) from unnest(codes) as code;
  perform private.audit(caller, 'recovery_codes.generated', caller);
  return query select unnest(codes);
end
$$;
comment on function private.generate_recovery_codes() is 'Ten new codes for the calling account; earlier ones become invalid. Raises FF005 without a second factor.';

-- @rpc authenticated
-- Number of recovery codes the caller has left, one row.
create function private.recovery_code_status() returns table (codes_left integer, created_at timestamptz)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return query
    select count(*) filter (where c.used_at is null)::integer, max(c.created_at)
    from private.recovery_codes c where c.user_id = caller;
end
$$;
comment on function private.recovery_code_status() is 'Number of unused codes of the calling account and when they were generated.';

-- A wrong code returns false instead of raising an error, which would roll back its count. In one transaction the code
-- is used, the factors become unverified and the other sessions end; those that waited for a code would need none now.
-- @rpc service_role
-- Server: use a recovery code of an account.
create function private.redeem_recovery_code(member uuid, code text, keep_session uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.recovery_codes c set used_at = now()
  where c.user_id = member and c.used_at is null and c.code_hash = private.recovery_code_hash(member, code);
  if not found then
    -- Only wrong codes are limited: an attacker's guesses must not block the owner's code, and cannot find 80 bits.
    perform private.enforce_rate_limit(member, 'recovery_code');
    return false;
  end if;
  update auth.mfa_factors f set status = 'unverified', updated_at = now()
  where f.user_id = member and f.status = 'verified';
  delete from auth.sessions s where s.user_id = member and s.id is distinct from keep_session;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.user_id = member and s.aal <> 'aal1';
  perform private.audit(member, 'recovery_code.used', member);
  return true;
end
$$;
comment on function private.redeem_recovery_code(uuid, text, uuid) is
  'Uses a recovery code: disables the factors and ends all sessions but one. False when the code is wrong or used; FF300 after five wrong codes in an hour.';
