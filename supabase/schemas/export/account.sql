-- Without passwords, keys and tokens. Of the log only what the account itself did: its details may name others.
create function private.export_part_account(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'email_change', nullif(u.email_change, ''), 'phone', u.phone,
        'created_at', u.created_at, 'updated_at', u.updated_at, 'email_confirmed_at', u.email_confirmed_at,
        'last_sign_in_at', u.last_sign_in_at, 'recovery_sent_at', u.recovery_sent_at, 'banned_until', u.banned_until,
        'user_metadata', u.raw_user_meta_data, 'app_metadata', u.raw_app_meta_data
      ) from auth.users u where u.id = member
    ),
    'identities', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', i.id, 'user_id', i.user_id, 'provider', i.provider, 'identity_data', i.identity_data, 'created_at', i.created_at,
        'updated_at', i.updated_at, 'last_sign_in_at', i.last_sign_in_at
      ) order by i.created_at) from auth.identities i where i.user_id = member
    ), '[]'),
    'sessions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'user_id', s.user_id, 'created_at', s.created_at, 'updated_at', s.updated_at,
        'refreshed_at', s.refreshed_at, 'user_agent', s.user_agent, 'ip', s.ip, 'aal', s.aal
      ) order by s.created_at) from auth.sessions s where s.user_id = member
    ), '[]'),
    'second_factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', f.id, 'user_id', f.user_id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type,
        'status', f.status, 'created_at', f.created_at, 'updated_at', f.updated_at
      ) order by f.created_at) from auth.mfa_factors f where f.user_id = member
    ), '[]'),
    'recovery_codes', coalesce((
      select jsonb_agg(to_jsonb(c) - 'code_hash' order by c.created_at)
      from private.recovery_codes c where c.user_id = member
    ), '[]'),
    'sign_in_log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'created_at', e.created_at, 'action', e.payload ->> 'action', 'ip_address', e.ip_address
      ) order by e.created_at) from auth.audit_log_entries e where e.payload ->> 'actor_id' = member::text
    ), '[]'),
    'account_flags', coalesce((
      select jsonb_agg(to_jsonb(f) order by f.created_at) from private.account_flags f where f.user_id = member
    ), '[]'),
    'pending_admin', (select to_jsonb(p) from private.pending_admins p where p.user_id = member),
    'rate_usage', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.action) from private.rate_usage r where r.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_account(uuid) is 'Account, sign-in methods, sessions, sign-in log and flags of one account.';

-- Who decided is another person, and so is whom an administrator decided about.
create function private.export_part_decisions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'audit_log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', a.id, 'happened_at', a.happened_at, 'action', a.action,
        'actor', case when a.actor = member then a.actor end,
        'subject', case when a.subject = member then a.subject end,
        'detail', case when a.subject = member then a.detail end
      ) order by a.id) from private.audit_log a where member in (a.actor, a.subject)
    ), '[]'),
    'document_pins', coalesce((
      select jsonb_agg(to_jsonb(p) order by v.submitted_at) from private.document_pins p
      join public.user_verifications v on v.id = p.verification_id where v.user_id = member
    ), '[]'),
    'room_leases', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.chat_room_id) from private.room_leases l where l.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_decisions(uuid) is 'Administrative acts about one account, without the other persons in them, and the rooms it is in.';

create function private.export_part_billing(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with customers as (
    select c.customer_id from public.stripe_customers c where c.user_id = member
  )
  select jsonb_build_object(
    'billing_attempts', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.created_at) from private.billing_attempts a where a.user_id = member
    ), '[]'),
    'billing_charges', coalesce((
      select jsonb_agg(to_jsonb(g) order by g.charge_id) from private.billing_charges g
      join customers c using (customer_id)
    ), '[]'),
    'billing_checks', coalesce((
      select jsonb_agg(to_jsonb(k)) from private.billing_checks k join customers c using (customer_id)
    ), '[]'),
    'grace_periods', coalesce((
      select jsonb_agg(to_jsonb(g) order by g.subscription_id) from public.grace_periods g
      join public.stripe_subscriptions s using (subscription_id) join customers c on c.customer_id = s.customer_id
    ), '[]'),
    'payment_records', coalesce((
      select jsonb_agg(to_jsonb(p) order by p.id) from private.payment_records p join customers c using (customer_id)
    ), '[]')
  )
$$;
comment on function private.export_part_billing(uuid) is 'Purchases, charges and payments of one account.';

-- The bytes come from the storage API, which lets an account read its own files.
create function private.export_part_files(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('files', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', o.id, 'bucket', o.bucket_id, 'name', o.name, 'created_at', o.created_at, 'updated_at', o.updated_at,
      'size', o.metadata -> 'size', 'mimetype', o.metadata -> 'mimetype', 'user_metadata', o.user_metadata
    ) order by o.bucket_id, o.name)
    from storage.objects o
    where o.owner_id = member::text or left(o.name, 37) = member::text || '-'
  ), '[]'))
$$;
comment on function private.export_part_files(uuid) is 'The stored files of one account.';

-- Exports are packed in the member's browser, and a refused answer of the database leaves no trace. So the page says how each one
-- ended, and the overview counts the accounts whose latest export failed.
create table private.failed_exports (
  user_id uuid primary key references auth.users (id) on delete cascade,
  step text not null constraint failed_exports_step_check check (step in ('rows', 'files')),
  failed_at timestamptz not null default now()
);
alter table private.failed_exports enable row level security;
comment on table private.failed_exports is 'Accounts whose latest data export failed or was incomplete; removed by the next one that is whole.';
comment on column private.failed_exports.step is 'rows: no archive was made; files: some or all stored files could not be read.';

-- @rpc authenticated
-- How the caller's data export ended: failed_step rows or files, or none when it is whole; raises FF302 for another and FF300 above the
-- limit.
create function private.note_my_export(failed_step text default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if failed_step is not null and failed_step not in ('rows', 'files') then
    perform private.fail('FF302', 'An export has no such step.');
  end if;
  perform private.enforce_rate_limit(caller, 'export_note');
  if failed_step is null then
    delete from private.failed_exports f where f.user_id = caller;
  else
    insert into private.failed_exports as f (user_id, step) values (caller, failed_step)
    on conflict (user_id) do update set step = excluded.step, failed_at = excluded.failed_at;
  end if;
end
$$;
comment on function private.note_my_export(text) is 'How the caller''s export ended: at which step it failed, or null when it is whole.';

create function private.export_part_failed_exports(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('failed_export', (select to_jsonb(f) from private.failed_exports f where f.user_id = member))
$$;
comment on function private.export_part_failed_exports(uuid) is 'The failed export of one account.';
