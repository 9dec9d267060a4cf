-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.billing_accept_terms(member uuid, version integer) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_accept_terms(member, version) $$;
comment on function public.billing_accept_terms is 'Server: an account accepts the terms before it pays.';
grant execute on function private.billing_accept_terms, public.billing_accept_terms to service_role;

create function public.publish_legal_text(kind text, body text, summary text) returns integer
  language sql volatile set search_path = '' as $$ select private.publish_legal_text(kind, body, summary) $$;
comment on function public.publish_legal_text is 'Administrators: put a new version of the terms, the privacy notice or the refund terms into force.';
grant execute on function private.publish_legal_text, public.publish_legal_text to authenticated;

create function public.set_business_details(legal_name text, address text, company_number text, vat_number text) returns void
  language sql volatile set search_path = '' as $$ select private.set_business_details(legal_name, address, company_number, vat_number) $$;
comment on function public.set_business_details is 'Administrators: say who sells here.';
grant execute on function private.set_business_details, public.set_business_details to authenticated;
