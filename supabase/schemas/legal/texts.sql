-- Terms, privacy and refunds as versioned Markdown that an owner edits in the console, who sells here, and which terms each
-- account accepted before it paid.
create table public.legal_texts (
  kind text not null constraint legal_texts_kind_check check (kind in ('terms', 'privacy', 'refunds')),
  version integer not null constraint legal_texts_version_check check (version > 0),
  body text not null constraint legal_texts_body_check check (char_length(body) between 1 and 50000),
  summary text constraint legal_texts_summary_check check (char_length(summary) between 1 and 300),
  published_at timestamptz not null default now(),
  primary key (kind, version)
);
alter table public.legal_texts enable row level security;
grant select, insert, update, delete on public.legal_texts to service_role;
grant select (kind, version, body, summary, published_at) on public.legal_texts to anon, authenticated;

create policy select_everyone on public.legal_texts for select to anon, authenticated using (true);
comment on table public.legal_texts is 'Every version of the terms, the privacy notice and the refund terms; the newest of a kind is in force. Rows are only ever added.';
comment on column public.legal_texts.body is 'Markdown.';
comment on column public.legal_texts.summary is 'What changed, in a sentence members read; null for the first version.';

create table public.business_details (
  id boolean primary key default true constraint business_details_id_check check (id),
  legal_name text constraint business_details_legal_name_check check (char_length(legal_name) between 1 and 200),
  address text constraint business_details_address_check check (char_length(address) between 1 and 500),
  company_number text constraint business_details_company_number_check check (char_length(company_number) between 1 and 40),
  vat_number text constraint business_details_vat_number_check check (char_length(vat_number) between 1 and 40)
);
alter table public.business_details enable row level security;
grant select, insert, update, delete on public.business_details to service_role;
grant select (legal_name, address, company_number, vat_number) on public.business_details to anon, authenticated;

create policy select_everyone on public.business_details for select to anon, authenticated using (true);
comment on table public.business_details is 'Who sells here, as the law asks a seller to say: one row. Null is not said.';
comment on column public.business_details.id is 'Always true, so that there is one row.';
comment on column public.business_details.address is 'Lines of an address.';

create table private.terms_acceptances (
  user_id uuid not null references auth.users on delete cascade,
  version integer not null,
  accepted_at timestamptz not null default now(),
  primary key (user_id, version)
);
alter table private.terms_acceptances enable row level security;
comment on table private.terms_acceptances is 'Which version of the terms each account accepted, and when first: before a membership is paid for.';

-- @rpc service_role
-- Server: an account accepts the terms before it pays.
create function private.billing_accept_terms(member uuid, version integer) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if version is distinct from (select max(t.version) from public.legal_texts t where t.kind = 'terms') then
    return false;
  end if;
  insert into private.terms_acceptances (user_id, version) values (member, billing_accept_terms.version) on conflict do nothing;
  return true;
end
$$;
comment on function private.billing_accept_terms(uuid, integer) is 'Records that the account accepted the terms in force; false when that version is not in force.';

create function private.export_part_terms(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('terms_accepted', coalesce((
    select jsonb_agg(to_jsonb(t) order by t.version) from private.terms_acceptances t where t.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_terms(uuid) is 'Terms that one account accepted.';

-- @rpc authenticated
-- Administrators: put a new version of the terms, the privacy notice or the refund terms into force.
create function private.publish_legal_text(kind text, body text, summary text) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  said text := btrim(coalesce(body, ''));
  why text := btrim(coalesce(summary, ''));
  current public.legal_texts;
begin
  -- One at a time: each takes the next number.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('legal_texts'));
  select t.* into current from public.legal_texts t where t.kind = publish_legal_text.kind order by t.version desc limit 1;
  if not found then
    perform private.fail('FF270', 'There is no such text.');
  end if;
  if private.is_blank(said) or char_length(said) > 50000 then
    perform private.fail('FF271', 'The text needs between 1 and 50,000 characters.');
  end if;
  if private.is_blank(why) or char_length(why) > 300 then
    perform private.fail('FF272', 'Say in at most 300 characters what changed. Members read it.');
  end if;
  perform private.require_bounded_markdown(said, 'Line');
  insert into public.legal_texts (kind, version, body, summary) values (current.kind, current.version + 1, said, why);
  perform private.audit_change(
    admin, 'legal_text.published', jsonb_build_object('kind', current.kind, 'summary', why),
    jsonb_build_object('version', current.version), jsonb_build_object('version', current.version + 1)
  );
  delete from public.notifications n where n.kind = 'legal_changed' and n.detail = current.kind;
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'legal_changed', current.kind from public.profiles r where r.id <> admin
  for key share of r skip locked on conflict do nothing;
  return current.version + 1;
end
$$;
comment on function private.publish_legal_text(text, text, text) is
  'Puts a new version of a legal text into force and tells every account; its number. Raises FF270, FF271, FF272 or FF660. Audited.';

create function private.notification_part_legal(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = ''
as $$
  select n.id, jsonb_build_object('what', n.detail) from private.newest_notifications(member, array['legal_changed']) n
$$;
comment on function private.notification_part_legal(uuid) is 'A new version of a legal text; always.';

-- @rpc authenticated
-- Administrators: say who sells here.
create function private.set_business_details(legal_name text, address text, company_number text, vat_number text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select to_jsonb(b) - 'id' from public.business_details b);
  given constant text[] := array[
    nullif(btrim(legal_name), ''), nullif(btrim(address), ''), nullif(btrim(company_number), ''), nullif(btrim(vat_number), '')
  ];
begin
  if char_length(given[1]) > 200 or char_length(given[2]) > 500 or char_length(given[3]) > 40 or char_length(given[4]) > 40 then
    perform private.fail('FF273', 'A name has at most 200 characters, an address 500, a number 40.');
  end if;
  update public.business_details b
  set legal_name = given[1], address = given[2], company_number = given[3], vat_number = given[4] where b.id;
  perform private.require_vat_seller();
  perform private.audit_change(
    admin, 'business_details.edited', '{}', before, (select to_jsonb(b) - 'id' from public.business_details b)
  );
end
$$;
comment on function private.set_business_details(text, text, text, text) is 'Changes who sells here; FF273 when something is too long, FF275 when VAT invoices lack something. Audited.';
