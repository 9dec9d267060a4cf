-- Second factors and their challenges, with the names and columns of hosted Supabase.
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  secret text,
  phone text,
  last_challenged_at timestamptz unique,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  last_webauthn_challenge_data jsonb,
  last_used_step bigint
);
comment on table auth.mfa_factors is 'Second factors of accounts. An account with a verified one needs a code to sign in.';
comment on column auth.mfa_factors.secret is 'Encrypted with a key derived from the install secret.';
comment on column auth.mfa_factors.last_used_step is 'Time step (30 s) of the last accepted code; this code and older ones are rejected.';
create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id)
  where trim(friendly_name) <> '';
create index factor_id_created_at_idx on auth.mfa_factors (user_id, created_at);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  ip_address inet not null,
  otp_code text,
  web_authn_session_data jsonb
);
comment on table auth.mfa_challenges is 'A challenge accepts one code, within five minutes and from the address that requested it.';
create index mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);

do $$
declare
  table_name text;
begin
  foreach table_name in array array['mfa_factors', 'mfa_challenges'] loop
    execute format('alter table auth.%I owner to supabase_auth_admin', table_name);
    execute format('alter table auth.%I enable row level security', table_name);
    execute format('revoke all on auth.%I from public', table_name);
    execute format('grant all on auth.%I to postgres', table_name);
  end loop;
end
$$;
alter type auth.factor_type owner to supabase_auth_admin;
alter type auth.factor_status owner to supabase_auth_admin;
