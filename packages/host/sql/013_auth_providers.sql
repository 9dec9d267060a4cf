-- Sign-in through other providers, with the names and columns of hosted Supabase; `provider_claims` is this host's own.
create table auth.oauth_client_states (
  id uuid primary key default gen_random_uuid(),
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null default now()
);
comment on table auth.oauth_client_states is 'Sign-ins that are at a provider: the PKCE verifier for its answer. A row is deleted when the answer comes, so an answer counts once.';
create index idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);

alter table auth.flow_state alter column code_challenge_method drop not null;
alter table auth.flow_state alter column code_challenge drop not null;
alter table auth.flow_state
  add column referrer text,
  add column oauth_client_state_id uuid,
  add column linking_target_id uuid references auth.users (id) on delete cascade,
  add column provider_claims jsonb;
comment on column auth.flow_state.referrer is 'Where the sign-in at a provider leads back to; was on the allow list when it began.';
comment on column auth.flow_state.linking_target_id is 'The signed-in account that asked to have the provider''s account linked.';
comment on column auth.flow_state.provider_claims is 'The provider''s account that is linked when the code is exchanged by the browser that asked for it.';
create index flow_state_linking_target_id_idx on auth.flow_state (linking_target_id);
create index flow_state_created_at_idx on auth.flow_state (created_at desc);

comment on table auth.identities is 'Sign-in methods of accounts: the e-mail address, and accounts at providers.';

do $$
begin
  alter table auth.oauth_client_states owner to supabase_auth_admin;
  alter table auth.oauth_client_states enable row level security;
  revoke all on auth.oauth_client_states from public;
  grant all on auth.oauth_client_states to postgres;
end
$$;

-- What never came back from a provider. Anyone can begin a sign-in, so it is not kept for a day as links are.
create function host.purge_provider_flows() returns void language sql set search_path = '' as $$
  delete from auth.oauth_client_states where created_at < now() - interval '1 hour';
  delete from auth.flow_state where provider_type <> 'email' and created_at < now() - interval '1 hour';
$$;
comment on function host.purge_provider_flows() is 'Deletes sign-ins at providers that were left unfinished; each host calls it every few minutes.';
grant execute on function host.purge_provider_flows() to supabase_auth_admin;
