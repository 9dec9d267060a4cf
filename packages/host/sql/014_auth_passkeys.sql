-- Passkeys and their challenges, with the names and columns of hosted Supabase.
create table auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on table auth.webauthn_credentials is 'Passkeys of accounts: public keys, which are no secrets.';
comment on column auth.webauthn_credentials.sign_count is 'Uses so far as the authenticator counts them; one that counts back is a copy. 0 where it does not count.';
create unique index webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table auth.webauthn_challenges is 'Challenges that wait for an answer. A row is deleted with the first one.';
create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

do $$
declare
  table_name text;
begin
  foreach table_name in array array['webauthn_credentials', 'webauthn_challenges'] loop
    execute format('alter table auth.%I owner to supabase_auth_admin', table_name);
    execute format('alter table auth.%I enable row level security', table_name);
    execute format('revoke all on auth.%I from public', table_name);
    execute format('grant all on auth.%I to postgres', table_name);
  end loop;
end
$$;

create function host.purge_passkey_challenges() returns void language sql set search_path = '' as $$
  delete from auth.webauthn_challenges where expires_at < now();
$$;
comment on function host.purge_passkey_challenges() is 'Deletes expired challenges; each host calls it every few minutes.';
grant execute on function host.purge_passkey_challenges() to supabase_auth_admin;
