-- By which key the host's own data is encrypted, so that a host with another one refuses to start.
create table host.data_key (
  only_row boolean primary key default true check (only_row),
  fingerprint text not null,
  claimed_at timestamptz not null default now()
);
comment on table host.data_key is 'A keyed hash made with the data key; the key itself is never stored here.';
comment on column auth.mfa_factors.secret is 'Encrypted with a key derived from the data key.';
comment on column auth.refresh_tokens.parent is 'SHA-256 of the previous token; this token is derived from it with the data key.';
